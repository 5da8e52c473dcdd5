package simulation

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/colony-app/colony/app/queue"
	"github.com/colony-app/colony/app/worker"
	"github.com/colony-app/colony/commands"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/policy"
	"github.com/colony-app/colony/reconcile"
)

// sprint is what a history keeps where issues move by more than labels, comments and pull requests: how the issues hang together,
// read as a person and put together in its own way, and what held when Colony moved one of them. A nil sprint keeps nothing.
type sprint struct {
	*simulation
	ties map[int]*simulatedTies
	// holds has what holds for each issue now.
	holds map[int]factSet
	// issue is the one that the task under way is about, seen is what held for it at any time since the task began: Colony may have
	// read all of it, and nothing else.
	issue int
	seen  factSet
	// dispatching says that the task under way fills capacity; filled are the issues that were there all the time since it
	// began, so that Colony must have seen them.
	dispatching bool
	filled      map[int]bool
	moves       []simulatedMove
	// labels are those of each issue that was read during one look at all of them; nil outside.
	labels map[int][]string
}

// simulatedTies is what GitHub keeps of an issue beside labels and comments.
type simulatedTies struct {
	listed, written, subs []int
	open                  bool
	reason                string // why it is closed
}

type factSet map[lifecycle.Fact]bool

// simulatedMove is a label of a state that Colony put on an issue.
type simulatedMove struct {
	issue int
	label string
	at    time.Time
	held  factSet
	// dispatched says that Colony moved the issue because capacity was free.
	dispatched bool
}

// wanted is what holds for an issue that asks to be taken in.
const wanted lifecycle.Fact = "wanted"

// read reads anew how an issue hangs together with others.
func (p *sprint) read(n int) {
	var is struct {
		State  string
		Reason string `json:"state_reason"`
		Body   string
	}
	p.ask("mona", http.MethodGet, fmt.Sprintf("/issues/%d", n), nil, &is)
	p.ties[n] = &simulatedTies{
		listed: p.related(n, "dependencies/blocked_by"), written: dependsOnLines(is.Body), subs: p.related(n, "sub_issues"),
		open: is.State == "open", reason: is.Reason,
	}
	p.observe()
}

func (p *sprint) readAll() {
	if p == nil {
		return
	}
	for _, n := range p.numbers() {
		p.read(n)
	}
}

func (p *sprint) related(n int, how string) []int {
	var numbers []int
	for _, other := range all[struct{ Number int }](p.simulation, fmt.Sprintf("/issues/%d/%s", n, how)) {
		numbers = append(numbers, other.Number)
	}
	return numbers
}

var dependsOnLine = regexp.MustCompile(`(?m)^(?:Depends on|- \[ \] blocked by:) #(\d+)$`)

// dependsOnLines reads what dependsOnText writes.
func dependsOnLines(body string) []int {
	var numbers []int
	for _, m := range dependsOnLine.FindAllStringSubmatch(body, -1) {
		n, _ := strconv.Atoi(m[1]) // digits
		numbers = append(numbers, n)
	}
	return numbers
}

// said is what the accepted commands on an issue say of others, each by its last word.
func (p *sprint) said(n int) map[int]bool {
	said := map[int]bool{}
	for _, c := range p.commandsOf(p.issues[n]) {
		if c.receipt != issues.ThumbsUp {
			continue
		}
		for _, invocation := range c.invocations {
			on := invocation.Verb == "depends-on"
			if !on && invocation.Verb != "independent-of" {
				continue
			}
			for word := range strings.FieldsSeq(invocation.Rest) {
				other, err := strconv.Atoi(strings.TrimPrefix(word, "#"))
				p.must(err)
				said[other] = on
			}
		}
	}
	return said
}

// links is what the commands on an issue say, as Colony's readings take it.
func (p *sprint) links(n int) commands.Links {
	var links commands.Links
	if p == nil {
		return links
	}
	said := p.said(n)
	for _, other := range slices.Sorted(maps.Keys(said)) {
		r := commands.Reference{Owner: simulatedOwner, Name: simulatedRepo, Number: other}
		if said[other] {
			links.On = append(links.On, r)
		} else {
			links.Off = append(links.Off, r)
		}
	}
	return links
}

// dependsOn lists what an issue depends on: by GitHub's list, by its text unless a command says otherwise, and by commands. What
// commands on other issues say is not followed in search of a cycle.
func (p *sprint) dependsOn(n int, said map[int]bool) []int {
	on := slices.Clone(p.ties[n].listed)
	for _, other := range p.ties[n].written {
		if off, spoken := said[other]; !spoken || off {
			on = append(on, other)
		}
	}
	for other, is := range said {
		if is {
			on = append(on, other)
		}
	}
	slices.Sort(on)
	return slices.DeleteFunc(slices.Compact(on), func(other int) bool { return other == n || p.ties[other] == nil })
}

// facts is what holds for an issue and can move it as long as it is so.
func (p *sprint) facts(n int) factSet {
	facts := factSet{}
	on := p.dependsOn(n, p.said(n))
	completed := len(on) > 0
	for _, other := range on {
		switch open, dropped := p.comesOut(other); {
		case open:
			facts["dependency-open"] = true
		case dropped:
			facts["dependency-dropped"] = true
		default:
			continue
		}
		completed = false
	}
	facts["dependencies-closed"] = completed
	facts["dependency-cycle"] = p.leadsTo(on, n)
	facts["dependencies-none"] = len(on) == 0
	facts["dependency-early"] = facts["dependency-open"]
	facts["files-overlap"] = p.overlaps(n)
	facts["files-clear"] = !facts["files-overlap"]
	subs := p.ties[n].subs
	facts["sub-issues-open"] = slices.ContainsFunc(subs, func(sub int) bool { open, _ := p.comesOut(sub); return open })
	facts["sub-issues-none"] = len(subs) == 0
	facts["sub-issues-closed"] = len(subs) > 0 && !facts["sub-issues-open"]
	dropped := slices.ContainsFunc(subs, func(sub int) bool { _, dropped := p.comesOut(sub); return dropped })
	facts["sub-issues-completed"] = facts["sub-issues-closed"] && !dropped
	facts["sub-issues-dropped"] = facts["sub-issues-closed"] && dropped
	facts["pull-request-missing"] = p.pullMissing(n)
	maps.DeleteFunc(facts, func(_ lifecycle.Fact, is bool) bool { return !is })
	return facts
}

// comesOut reports whether others still wait for an issue, or wait in vain: by the end that its labels name, and else by its closing; what is
// closed as completed in the middle is still waited for.
func (p *sprint) comesOut(n int) (open, dropped bool) {
	t, ends, under := p.ties[n], lifecycle.CloseReason(""), false
	for _, label := range p.allLabels(p.issues[n]) {
		if s, is := p.life.StateOf(label); is && s.Type == lifecycle.Terminal {
			ends = s.Closes
		} else if is {
			under = true
		}
	}
	switch {
	case ends != "" && !under:
		return false, ends == lifecycle.ClosedNotPlanned
	case t.open || under && t.reason != "not_planned":
		return true, false
	}
	return false, t.reason == "not_planned"
}

// standingFacts are the facts that facts returns; whether a pull request conflicts, nobody knows but GitHub.
var standingFacts = []lifecycle.Fact{
	"files-overlap", "files-clear", "dependency-early", "dependency-open", "dependency-dropped", "dependencies-closed", "dependency-cycle", "dependencies-none", "sub-issues-open", "sub-issues-none", "sub-issues-closed", "sub-issues-completed", "sub-issues-dropped", "pull-request-missing",
}

// leadsTo reports whether open issues depend on another one.
func (p *sprint) leadsTo(from []int, to int) bool {
	seen, first := map[int]bool{}, map[int]bool{} // of those of the issue itself Colony knows what their labels tell
	for _, n := range from {
		first[n] = true
	}
	for len(from) > 0 {
		here := from[0]
		from = from[1:]
		if open, _ := p.comesOut(here); (!open || !first[here]) && !p.ties[here].open || seen[here] {
			continue
		}
		seen[here] = true
		next := p.dependsOn(here, nil)
		if slices.Contains(next, to) {
			return true
		}
		from = append(from, next...)
	}
	return false
}

// pullMissing reports whether an issue has no open pull request, and the last one that it had was not merged.
func (p *sprint) pullMissing(n int) bool {
	var merged, closed time.Time
	for _, pull := range p.pulls {
		switch {
		case pull.issue != n:
		case !pull.closed:
			return false
		case !pull.merged.IsZero():
			merged = issues.Latest(merged, pull.merged)
		default:
			closed = issues.Latest(closed, pull.ended)
		}
	}
	return merged.IsZero() || closed.After(merged)
}

// overlaps reports whether a pull request of an issue changes the file that an open one of another issue changes too, whose work is older.
// A pull request that GitHub only links is compared with others' work, but is nobody else's.
func (p *sprint) overlaps(n int) bool {
	first := func(of int, linked bool) (number int, more bool) {
		for _, pull := range p.pulls {
			if pull.issue != of || pull.closed || pull.linked && !linked {
				continue
			}
			if number == 0 || pull.number < number {
				number = pull.number
			}
			more = more || pull.more
		}
		return number, more
	}
	mine, more := first(n, true)
	for _, other := range p.numbers() {
		theirs, same := first(other, false)
		if other != n && more && same && theirs < mine {
			return true
		}
	}
	return false
}

// observe takes note of what came to hold.
func (p *sprint) observe() {
	if p == nil {
		return
	}
	p.labels = map[int][]string{}
	defer func() { p.labels = nil }()
	for _, n := range p.numbers() {
		if p.ties[n] == nil {
			continue // it is being opened
		}
		now := p.facts(n)
		for fact := range now {
			if !p.holds[n][fact] {
				p.happened(fact, n)
			}
		}
		p.holds[n] = now
	}
	p.see()
}

// see takes note of what Colony may read in the task under way.
func (p *sprint) see() {
	maps.Copy(p.seen, p.holds[p.issue])
	if p.dispatching {
		there := p.inDevelopment()
		maps.DeleteFunc(p.filled, func(n int, _ bool) bool { return !there[n] })
	}
	if i := p.issues[p.issue]; i != nil && p.asks(i) {
		p.seen[wanted] = true
	}
}

// asks reports whether the repository wants an issue, if it is new.
func (p *sprint) asks(i *simulatedIssue) bool {
	switch p.config.Intake.When {
	case policy.Every:
		return true
	case policy.Labelled:
		return slices.ContainsFunc(p.allLabels(i), func(l string) bool { return lifecycle.SameLabel(l, p.config.Intake.Labels[0]) })
	case policy.None:
	}
	return false
}

func (p *sprint) allLabels(i *simulatedIssue) []string {
	if labels, read := p.labels[i.number]; read {
		return labels
	}
	var is struct{ Labels []struct{ Name string } }
	p.ask("mona", http.MethodGet, fmt.Sprintf("/issues/%d", i.number), nil, &is)
	var labels []string
	for _, l := range is.Labels {
		labels = append(labels, l.Name)
	}
	if p.labels != nil {
		p.labels[i.number] = labels
	}
	return labels
}

// inDevelopment are the open issues with the label of the state with a capacity.
func (p *sprint) inDevelopment() map[int]bool {
	there := map[int]bool{}
	for _, row := range p.life.Dispatch {
		var list []struct{ Number int }
		p.ask("mona", http.MethodGet, "/issues?state=open&per_page=100&labels="+url.QueryEscape(p.life.Label(row.To)), nil, &list)
		for _, other := range list {
			there[other.Number] = true
		}
	}
	return there
}

// opened notes a new issue.
func (p *sprint) opened(i *simulatedIssue) {
	if p != nil {
		p.read(i.number)
	}
}

// begins notes a task that a Colony takes.
func (p *sprint) begins(task queue.Task) {
	if p == nil {
		return
	}
	e, err := worker.ReadItem(task)
	p.must(err)
	p.issue, p.seen, p.dispatching = task.Issue, factSet{}, e.Kind == reconcile.KindDispatch
	if p.dispatching {
		p.filled = p.inDevelopment()
	}
	p.observe()
}

// heed sees a call of Colony's that is about an issue, before it is made.
func (p *sprint) heed(c *colonyCall) {
	if p == nil || c.method != http.MethodPost || c.rest != "/labels" {
		return
	}
	var labels []string
	p.must(json.Unmarshal(c.body, &labels))
	for _, l := range labels {
		state, is := p.life.StateOf(l)
		if !is {
			continue
		}
		p.moves = append(p.moves, simulatedMove{c.issue.number, state.Name, p.second(), maps.Clone(p.seen), p.dispatching})
		if p.dispatching {
			p.checkCapacity(c.issue.number, state.Name)
		}
	}
}

// made notes a call of Colony's that took effect.
func (p *sprint) made(c *colonyCall) {
	if p != nil && c.method != http.MethodGet && (c.rest == "" || strings.HasPrefix(c.rest, "/dependencies/") || c.rest == "/reactions") {
		p.read(c.issue.number)
		if c.comment != nil && slices.ContainsFunc(c.comment.invocations, func(v commands.Invocation) bool { return v.Verb == "depends-on" }) {
			p.bound(c.issue.number)
		}
	}
}

// bound notes that an issue got a dependency by GitHub's list or by a command. It counts anew, also if the text of the issue names it.
func (p *sprint) bound(n int) { p.happened("dependency-open", n) }
