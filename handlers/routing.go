package handlers

import (
	"github.com/rs/zerolog"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/reconcile"
)

// routing is what a payload leads to: requests, or the reason why there are none. It has both if a part of the payload
// could not be used.
type routing struct {
	requests []reconcile.Request
	ignored  reason
	// gone is what is no longer there, or not for Colony.
	gone []issues.Ref
	// closed is the issue that was closed; nil: none was.
	closed *issues.Ref
	// level is how loudly the reason is logged; debug unless set.
	level zerolog.Level
}

// reason says why an event is ignored. It is for logs, so it holds nothing of the payload.
type reason string

const (
	otherAction    reason = "nothing to reconcile for this action"
	otherLabel     reason = "not a label of Colony"
	noAssignee     reason = "nobody who is assigned"
	noCommand      reason = "the comment has no command"
	pullRequest    reason = "a pull request"
	ownWrite       reason = "done by Colony"
	otherBranch    reason = "a push to another branch"
	noInstallation reason = "no installation"
	noRepository   reason = "no repository"
	noIssue        reason = "no issue"
	noState        reason = "no label of Colony on the issue"
	noPullRequest  reason = "no pull request"
	noCommit       reason = "no commit"
	otherChecks    reason = "other checks of the suite still run"
	leftAlone      reason = "the server leaves the repository alone"
	notTakenIn     reason = "the repository takes no issue in for it"
	noReply        reason = "nothing in the repository waits for a reply"
	sameText       reason = "neither the title nor the text changed"
	noLabel        reason = "no label"
	onlyPing       reason = "GitHub only asked whether anybody is there"
	farewell       reason = "the installation has ended or is suspended"
)

func ignore(why reason) routing {
	return routing{ignored: why}
}

// without says that something is out of reach.
func (v routing) without(gone ...issues.Ref) routing {
	v.gone = append(v.gone, gone...)
	return v
}

func enqueue(request reconcile.Request) routing {
	return routing{requests: []reconcile.Request{request}}
}
