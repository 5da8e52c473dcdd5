package issues

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"
	"unique"

	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/statemachine"
)

// The pages of an issue's log are remembered, only what is of use of each; see readPages. A page is settled once Colony no longer reconciles anything
// on it. logsBytes bounds what is remembered of all logs together. What was forgotten is read again, from the first page.
const logsBytes = 8 << 20

type logPage struct {
	listPage
	events []logEvent
}

func (p logPage) weight() int { return eventBytes * len(p.events) }

// logEvent is what is remembered of one event of a log, as GitHub reported it: who counts as what depends on the settings.
type logEvent struct {
	id           int64
	at           int64 // in milliseconds: GitHub has seconds, other servers of its API more
	kind         logEventKind
	label, login unique.Handle[string] // of a new title, label is the one before, of an assignment who made it; the login of who made it, or of who was assigned
	bot          bool
	via          int64 // the App that it was made with
}

func (e logEvent) time() time.Time { return time.UnixMilli(e.at).UTC() }

type logEventKind uint8

// The kinds of events that are of use.
const (
	labeled logEventKind = iota + 1
	unlabeled
	reopened
	renamed
	blocked
	unblocked
	parted
	unlocked
	assigned
	unassigned
	commentDeleted
	transferred
	closed
)

var logEventKinds = map[string]logEventKind{
	"labeled": labeled, "unlabeled": unlabeled, "reopened": reopened, "renamed": renamed, "blocked_by_added": blocked, "blocked_by_removed": unblocked,
	"unlocked": unlocked, "assigned": assigned, "unassigned": unassigned, "comment_deleted": commentDeleted,
	"transferred": transferred, "closed": closed, "sub_issue_removed": parted,
}

// eventBytes is about what an event weighs.
const eventBytes = 64

// log reads the log of an issue, whose id is given.
func (s logs) log(ctx context.Context, client *github.Client, v *View, id int64) error {
	pages, err := s.pages.read(ctx, s.Settings, v.Ref, strconv.FormatInt(id, 10), logReader(ctx, client, v.Ref))
	if err != nil {
		return fmt.Errorf("read the events of %s: %w", v.Ref, err)
	}
	s.actors.add(v, pages)
	return nil
}

func logReader(ctx context.Context, client *github.Client, ref Ref) pageReader[logPage] {
	return func(number int, before logPage) (logPage, error) {
		return readLogPage(ctx, client, ref, number, before)
	}
}

// readLogPage reads a page of a log, on the condition that it is not as it was before.
func readLogPage(ctx context.Context, client *github.Client, ref Ref, number int, before logPage) (logPage, error) {
	path := fmt.Sprintf("repos/%s/%s/issues/%d/events?per_page=%d&page=%d", ref.Owner, ref.Name, ref.Number, perPage, number)
	events, list, unmodified, err := readPage[event](ctx, client, path, before.listPage)
	if err != nil || unmodified {
		return before, err
	}
	page := logPage{listPage: list}
	for i, e := range events {
		if i == 0 {
			page.first = strconv.FormatInt(e.ID, 10)
		}
		page.newest = Latest(page.newest, e.Created)
		kind, isOf := logEventKinds[e.Event]
		if !isOf || kind <= unlabeled && e.Label.Name == "" {
			continue
		}
		who, of := e.Actor, e.Label.Name
		switch kind {
		case assigned, unassigned:
			who, of = e.Assignee, e.Assigner.Login
		case renamed:
			of = e.Rename.From
		}
		page.events = append(page.events, logEvent{
			id: e.ID, at: e.Created.UnixMilli(), kind: kind,
			label: unique.Make(of), login: unique.Make(who.Login),
			bot: who.Type == botType, via: e.Via.ID,
		})
	}
	page.events = slices.Clip(page.events)
	return page, nil
}

func (c *Actors) add(v *View, pages []logPage) {
	events := 0
	for _, p := range pages {
		events += len(p.events)
	}
	v.Changes = slices.Grow(v.Changes, events) // nearly all are changes
	for _, p := range pages {
		for _, e := range p.events {
			at := e.time()
			moment := statemachine.Moment{At: at, ID: e.id}
			switch e.kind {
			case labeled, unlabeled:
				by := c.actor(e.login.Value(), e.bot, e.via)
				v.Changes = append(v.Changes, statemachine.Change{Moment: moment, Added: e.kind == labeled, Label: e.label.Value(), By: by})
			case closed:
				v.Closures = append(v.Closures, statemachine.Closure{Moment: moment, Closed: true})
			case assigned, unassigned:
				v.Assignments = append(v.Assignments, Assignment{ID: e.id, Added: e.kind == assigned, To: e.login.Value(), At: at, ByColony: c.IsSelf(e.label.Value())})
			case reopened:
				v.Closures = append(v.Closures, statemachine.Closure{Moment: moment})
			case transferred:
				v.Arrived = statemachine.Arrival{Moment: moment, By: c.actor(e.login.Value(), e.bot, e.via)}
			case commentDeleted:
				v.Deleted = append(v.Deleted, Deletion{By: c.actor(e.login.Value(), e.bot, e.via), At: at})
			case unlocked:
				v.Unlocked = at
			case blocked:
				v.Blocked = at
			case unblocked:
				v.Unblocked = at
			case parted:
				v.Parted = at
			case renamed:
				v.Renamed = append(v.Renamed, Renaming{By: e.login.Value(), At: at, From: e.label.Value()})
			}
		}
	}
}
