package commands

import (
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/colony-app/colony/commands/wording"
)

// The verbs that link an issue to others.
const (
	dependsOn     = "depends-on"
	independentOf = "independent-of"
)

// MaxReferences is how many issues one command can name.
const MaxReferences = 10

// Links are what an issue depends on by the commands that were written on it. A later command overrides an earlier one.
type Links struct {
	// On lists what it depends on, in the order in which that was said.
	On []Reference
	// Off lists what it was said to be independent of since: what the text of the issue says of these does not count.
	Off []Reference
	// OnAt is when it was last said to depend on an issue, and OffAt when to be independent of one; zero if it never was.
	OnAt, OffAt time.Time
}

// Then returns the links after the commands of one more comment, which was accepted at a time. A comment with a refused command links nothing.
func (l Links) Then(home Home, invocations []Invocation, at time.Time) Links {
	for _, invocation := range invocations {
		if !invocation.Links() {
			continue
		}
		named, _ := home.named(invocation)
		for _, r := range named {
			l = l.after(Link{To: r, On: invocation.Verb == dependsOn})
		}
		said := &l.OnAt
		if invocation.Verb == independentOf {
			said = &l.OffAt
		}
		if at.After(*said) {
			*said = at
		}
	}
	return l
}

func (l Links) after(link Link) Links {
	is := link.To.Same
	l.On = slices.DeleteFunc(slices.Clone(l.On), is)
	l.Off = slices.DeleteFunc(slices.Clone(l.Off), is)
	if link.On {
		l.On = append(l.On, link.To)
	} else {
		l.Off = append(l.Off, link.To)
	}
	return l
}

// Link is one link that a command makes, or takes away.
type Link struct {
	To Reference
	// On says that the issue depends on the other one; if not, that it no longer does.
	On bool
	// ID is GitHub's id of the other issue; 0 if it is not known.
	ID int64
}

// Target is what was found out about an issue that a command names. The zero value is of one that is not there, or not for
// Colony or the asker.
type Target struct {
	ID          int64
	There       bool
	PullRequest bool
	// Route tells how it depends on the issue of the command already, itself first; empty if it does not.
	Route []Reference
}

// Named lists the issues that the link commands among some invocations name, each once. On says that one of them wants the issue
// to depend on it.
func (h Home) Named(invocations []Invocation) []Link {
	var all []Link
	for _, invocation := range invocations {
		if !invocation.Links() {
			continue
		}
		named, wrong := h.named(invocation)
		if wrong != "" || len(named) > MaxReferences {
			continue // it is refused no matter which these are
		}
		for _, r := range named {
			on := invocation.Verb == dependsOn
			if i := slices.IndexFunc(all, func(l Link) bool { return l.To == r }); i >= 0 {
				all[i].On = all[i].On || on
				continue
			}
			all = append(all, Link{To: r, On: on})
		}
	}
	return all
}

// named reads which issues a link command names; wrong is the first word that names none.
func (h Home) named(invocation Invocation) (named []Reference, wrong string) {
	for word := range strings.FieldsFuncSeq(invocation.Rest, func(r rune) bool { return unicode.IsSpace(r) || r == ',' || r == ';' }) {
		bare := strings.Trim(word, "`\"'\\") // help texts show issues as code, and people copy what they see
		r, ok := h.Refers(strings.TrimRight(bare, ".:)"))
		if !ok {
			return nil, word
		}
		if !slices.Contains(named, r) {
			named = append(named, r)
		}
	}
	return named, ""
}

// dependsOn is `depends-on #n …`.
func (e *execution) dependsOn() {
	named, ok := e.references()
	if !ok {
		return
	}
	refused := false
	for _, r := range named {
		if why := e.whyNotOn(r); why != "" {
			refused = true
			e.refuse(why)
		}
	}
	if !refused {
		e.link(named, true)
	}
}

// whyNotOn tells why the issue cannot depend on another one; it is empty if it can.
func (e *execution) whyNotOn(r Reference) string {
	shown := e.Home.Shows(r)
	target := e.Targets[r]
	switch {
	case e.Home.Is(r):
		return wording.DependsOnItself()
	case !target.There:
		return wording.NoSuchIssue(shown, e.Actor)
	case target.PullRequest:
		return wording.IsPullRequest(shown)
	case len(target.Route) > 0:
		return wording.DependsOnThis(shown, e.route(target.Route), e.seenFrom(target.Route))
	}
	return ""
}

// route shows a way of dependencies, unless it leads through other issues of another repository, which not everybody here might be able to read.
func (e *execution) route(way []Reference) []string {
	var shown []string
	for _, r := range way {
		if len(way) > 1 && !e.Home.Near(r) {
			return nil
		}
		shown = append(shown, e.Home.Shows(r))
	}
	return shown
}

// seenFrom is how the issue is named in the repository of the last issue of a way that leads to it.
func (e *execution) seenFrom(way []Reference) string {
	return Home{Reference: way[len(way)-1]}.Shows(e.Home.Reference)
}

// independentOf is `independent-of #n …`. Such an issue need not exist now.
func (e *execution) independentOf() {
	named, ok := e.references()
	if !ok {
		return
	}
	if slices.ContainsFunc(named, e.Home.Is) {
		e.refuse(wording.DependsOnItself())
		return
	}
	e.link(named, false)
}

func (e *execution) link(named []Reference, on bool) {
	for _, r := range named {
		e.result.Links = append(e.result.Links, Link{To: r, On: on, ID: e.Targets[r].ID})
	}
}

// references reads the issues that the command names, and refuses words that name none.
func (e *execution) references() ([]Reference, bool) {
	named, wrong := e.Home.named(e.Invocation)
	switch {
	case wrong != "":
		e.refuse(wording.NamesNoIssue(wrong))
	case len(named) == 0:
		e.refuse(wording.Missing(e.spec.Usage, "an issue"))
	case len(named) > MaxReferences:
		e.refuse(wording.TooManyIssues(MaxReferences))
	default:
		return named, true
	}
	return nil, false
}

// onlyIfAccepted takes the links back if a command of the comment was refused: the receipt of the comment is what is left of
// them where GitHub has no dependencies of its own, and it speaks for all of its commands.
func (r *Result) onlyIfAccepted() {
	if len(r.Links) == 0 || r.Answer == Accepted {
		return
	}
	r.Links = nil
	r.Replies = append(r.Replies, wording.NothingLinked())
}

// Links reports whether it is a command that says what an issue depends on.
func (i Invocation) Links() bool { return i.Verb == dependsOn || i.Verb == independentOf }
