package simulation

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"pgregory.net/rapid"

	"github.com/colony-app/colony/commands"
	"github.com/colony-app/colony/commands/wording"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

func (s *simulation) second() time.Time { return s.clock.Now().UTC().Truncate(time.Second) }

type eventSeen struct {
	ID    int64
	Event string
	Actor struct{ Login string }
	Label struct{ Name string }
	At    time.Time `json:"created_at"`
}

type commentSeen struct {
	ID   int64
	User struct{ Login string }
	Body string
}

type reactionSeen struct {
	User    struct{ Login string }
	Content string
}

// all reads every page of a list.
func all[T any](s *simulation, path string) []T {
	var list []T
	for page := 1; ; page++ {
		var batch []T
		s.ask("mona", http.MethodGet, fmt.Sprintf("%s?per_page=100&page=%d", path, page), nil, &batch)
		list = append(list, batch...)
		if len(batch) < 100 {
			return list
		}
	}
}

func (s *simulation) eventsOf(i *simulatedIssue) []eventSeen {
	return all[eventSeen](s, fmt.Sprintf("/issues/%d/events", i.number))
}

func (s *simulation) colonysComments(i *simulatedIssue) []commentSeen {
	return slices.DeleteFunc(all[commentSeen](s, fmt.Sprintf("/issues/%d/comments", i.number)), func(c commentSeen) bool { return c.User.Login != "colony[bot]" })
}

// colonysReactions are those on a comment, or on the opening text of an issue.
func (s *simulation) colonysReactions(c *simulatedComment) []string {
	path := fmt.Sprintf("/issues/comments/%d/reactions", c.id)
	if c.id == 0 {
		path = fmt.Sprintf("/issues/%d/reactions", c.issue)
	}
	var found []string
	for _, r := range all[reactionSeen](s, path) {
		if r.User.Login == "colony[bot]" && r.Content != issues.Eyes {
			found = append(found, r.Content)
		}
	}
	return found
}

func (s *simulation) logOf(n int) string {
	text := fmt.Sprintf("the log of #%d:\n", n)
	for _, e := range s.eventsOf(s.issues[n]) {
		text += fmt.Sprintf("  %d %s %s %s %s\n", e.ID, e.At.Format("02 15:04:05"), e.Actor.Login, e.Event, e.Label.Name)
	}
	return text
}

// standing is where an issue stands by GitHub's own log and the commands in its comments, as they were written.
func (s *simulation) standing(i *simulatedIssue) (statemachine.Standing, issues.View) {
	return s.standingBy(i, s.commandsOf(i))
}

// standingBy is where an issue stands if some of its commands are known.
func (s *simulation) standingBy(i *simulatedIssue, known []*simulatedComment) (statemachine.Standing, issues.View) {
	view, err := s.watcher.Load(s.Context(), issues.Ref{Repository: s.repo, Number: i.number})
	s.must(err)
	view.Installed, view.Begun = s.epoch()
	history := view.History(issues.Latest(s.judgedSince(), s.clock.Now().Add(-s.config.Judging.Horizon)))
	explained, _, _ := s.checkMarkers(i)
	history.Explained = func(id int64) bool { return explained[id] > 0 }
	history.Answers = func(a lifecycle.Asking, c lifecycle.Condition) lifecycle.Answer {
		switch c.Kind {
		case lifecycle.HasPermission:
			return lifecycle.AnswerOf(strings.HasSuffix(a.By.Login, "[bot]") || issues.Permission(simulatedRoles[a.By.Login]).Includes(issues.PermissionWrite))
		case lifecycle.OnIssueLabel:
			return lifecycle.AnswerOf(lifecycle.HasLabel(view.Labels, c.Words[0]))
		default:
			return lifecycle.Unknown
		}
	}
	history.Stands = s.scene.modes && !s.mode().Undoes()
	orders := s.ordersBy(known, s.life.Fold(history))
	history.Ordered = func(id int64) (lifecycle.Actor, bool) { return orders[id].By, true }
	return s.life.Fold(history), view
}

var stampedTime = regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ`)

// judgedSince is since when labels are judged.
func (s *simulation) judgedSince() time.Time {
	_, since := s.epoch()
	return since
}

// epoch is since when Colony is here, and since when labels are judged. If the label that keeps these times was lost, they are as it says now:
// what stood before is settled then, as by an installation.
func (s *simulation) epoch() (here, judged time.Time) {
	if s.lost.IsZero() {
		return s.since, s.since
	}
	var forced struct{ Description string }
	s.ask("mona", http.MethodGet, "/labels/"+url.PathEscape(lifecycle.Forced), nil, &forced)
	stamped := stampedTime.FindAllString(forced.Description, -1)
	if len(stamped) == 0 {
		return s.second(), s.second()
	}
	at := func(stamp string) time.Time {
		since, err := time.Parse(time.RFC3339, stamp)
		s.must(err)
		return since
	}
	return at(stamped[0]), at(stamped[len(stamped)-1])
}

// settled reports whether a comment is from before the label that keeps since when everything is judged was made anew. Colony does
// not run it then, or only the replicas that have not noticed.
func (s *simulation) settled(c *simulatedComment) bool {
	return s.settledAt(c.at)
}

// settledAt reports whether what was written at a time stands because the mark was lost since.
func (s *simulation) settledAt(at time.Time) bool {
	return !s.lost.IsZero() && !at.After(issues.Latest(s.lost, s.judgedSince()))
}

// commandsOf are the texts on an issue that have commands, in their order.
func (s *simulation) commandsOf(i *simulatedIssue) []*simulatedComment {
	var found []*simulatedComment
	for _, c := range s.comments {
		if c.issue == i.number && (len(c.invocations) > 0 || c.taught) {
			found = append(found, c)
		}
	}
	if len(i.opening.invocations) > 0 {
		found = append(found, i.opening)
	}
	slices.SortFunc(found, func(a, b *simulatedComment) int { return int(a.id - b.id) })
	return found
}

// rightOf is what the writer of a comment may do.
func (s *simulation) rightOf(login string) commands.Right {
	switch simulatedRoles[login] {
	case "read":
		return commands.MayRead
	case "maintain":
		return commands.MayForce
	}
	return commands.MayMove
}

// receiptGiven holds what Colony says of a command against what it may say at that moment.
func (s *simulation) receiptGiven(i *simulatedIssue, c *simulatedComment, content string, stale bool) {
	if c == nil || len(c.invocations) == 0 && !c.taught {
		s.wrong("Colony reacts with %s to what is no command", content)
	}
	if c.receipt != "" && c.receipt != content {
		s.wrong("Colony reacts to %d with %s and %s", c.id, c.receipt, content)
	}
	if c.receipt != "" {
		return
	}
	c.receipt, c.done, c.ran = content, s.clock.Now().UTC(), s.clock.Now().UTC()
	if c.readEdited && content == issues.Confused {
		c.ran = c.editedAt
	}
	if i.locked {
		return
	}
	switch {
	case c.edited && content == issues.Confused: // its writer learns that it is not run
		return
	case c.readEdited:
		s.wrong("Colony runs %d, which it has read as edited", c.id)
	}
	horizon := s.clock.Now().Add(-s.config.Judging.Horizon + time.Second)
	for _, earlier := range s.commandsOf(i) {
		if s.rightOf(earlier.by) < commands.MayMove { // what people ask who move nothing comes after what moves
			continue
		}
		if earlier.id < c.id && earlier.receipt == "" && !earlier.edited && !s.settled(earlier) && earlier.at.After(horizon) {
			s.wrong("%d is run before %d", c.id, earlier.id)
		}
	}
	s.checkPermission(c, content)
	if s.lag == 0 && !stale && s.lost.IsZero() {
		s.checkEffect(i, c, content)
	}
}

func (s *simulation) checkPermission(c *simulatedComment, content string) {
	right := s.rightOf(c.by)
	forbidden, unknown := false, false
	for _, invocation := range c.invocations {
		needs, known := s.needs(invocation.Verb)
		forbidden = forbidden || known && needs > right
		unknown = unknown || !known
	}
	switch {
	case content == issues.ThumbsUp && (forbidden || unknown):
		s.wrong("Colony accepts what %s may not do in %q", c.by, c.body)
	case content == issues.ThumbsDown && !forbidden && !s.onlyReacts(c):
		s.wrong("Colony says that %s may not do %q", c.by, c.body)
	}
}

// onlyReacts reports whether Colony might leave out the answer to a question of somebody who may move nothing: within an hour a person gets 5
// answers as comments, and an issue 10. An answer that was hindered counts too.
func (s *simulation) onlyReacts(c *simulatedComment) bool {
	on := s.issues[c.issue]
	person, issue := on.interruptions, on.interruptions
	for _, n := range s.numbers() {
		for _, other := range s.commandsOf(s.issues[n]) {
			if other == c || other.receipt == "" || s.clock.Since(other.done) > time.Hour || s.rightOf(other.by) >= commands.MayMove {
				continue
			}
			if other.by == c.by {
				person++
			}
			if other.issue == c.issue {
				issue++
			}
		}
	}
	return s.rightOf(c.by) < commands.MayMove && (person >= 5 || issue >= 10)
}

func (s *simulation) needs(verb string) (commands.Right, bool) {
	for _, spec := range commands.Registry(s.life) {
		if spec.Verb == verb {
			return spec.Needs, true
		}
	}
	return 0, false
}

// target is the state that the last command of a comment that moves anything names; empty if it names none.
func (s *simulation) target(c *simulatedComment) (state string) {
	for _, invocation := range c.invocations {
		if needs, _ := s.needs(invocation.Verb); needs == commands.MayRead {
			continue
		}
		state = ""
		if words := strings.Fields(invocation.Rest); len(words) > 0 {
			named, _ := s.life.State(words[0])
			state = named.Name
		}
		switch declared, ok := s.life.Commands.Of(invocation.Verb); {
		case ok && declared.To == lifecycle.Previous: // what follows is a reason
			state = ""
		case ok && state == "":
			state = declared.To
		}
	}
	return state
}

// checkEffect holds the effect of a comment against its receipt, where nobody interfered since Colony read the log.
func (s *simulation) checkEffect(i *simulatedIssue, c *simulatedComment, content string) {
	standing, view := s.standing(i)
	to := s.target(c)
	switch {
	case to == "":
	case content == issues.ThumbsUp && standing.State != to:
		put := slices.ContainsFunc(view.Changes, func(e statemachine.Change) bool {
			return e.Added && e.By.Kind == lifecycle.Colony && !e.At.Before(c.at) && lifecycle.SameLabel(e.Label, s.life.Label(to))
		})
		// What a command moved that was cut off, and edited then, passes for the work of the next one.
		passes := slices.ContainsFunc(s.commandsOf(i), func(earlier *simulatedComment) bool { return earlier.id < c.id && earlier.edited })
		if !put && !passes {
			s.wrong("%q was accepted, and #%d is in %s", c.body, i.number, standing.State)
		}
	case content == issues.Confused && len(c.invocations) == 1 && c.invocations[0].Verb == "move" && s.rightOf(c.by) >= commands.MayMove && !strings.HasSuffix(c.by, "[bot]"):
		operator := lifecycle.Actor{Login: c.by, Kind: lifecycle.Operator}
		guarded := len(s.life.Guards.Of(operator, standing.State, to)) > 0 // what they said then is not known any more
		if v := s.life.Rule(standing, statemachine.Ask{By: operator, To: to, Reason: true}, nil).Verdict; (v == lifecycle.Legal || v == lifecycle.Same) && !guarded {
			s.wrong("%q was refused, although #%d is in %s", c.body, i.number, standing.State)
		}
	}
}

// end brings everything to rest and holds it against what everybody did.
func (s *simulation) end() {
	s.note("everybody is quiet")
	s.notice()
	if !s.scene.modes {
		s.checkDelivered()
	}
	switch rapid.SampledFrom([]string{"deliveries", "nothing", "deliveries and the queue", "deliveries and the queue"}).Draw(s.T, "lost at the end") {
	case "deliveries":
		s.pending = nil
		s.note("what was not delivered is lost")
	case "deliveries and the queue":
		s.pending = nil
		s.losesQueue()
	}
	if s.scene.modes {
		s.endInMode()
		return
	}
	s.github.LagEvents(0)
	s.github.LagLabels(0)
	s.settleDown()
	if !s.lost.IsZero() {
		s.advance(time.Hour) // until then a replica need not have noticed
	}
	s.sprint.endWithoutWebhook()
	s.endUnheard()
	s.sweepOnce()
	for _, n := range s.numbers() {
		s.check(s.issues[n])
	}
	writes := s.writesOfColony()
	s.sweepOnce()
	if again := s.writesOfColony(); again != writes {
		s.wrong("a second sweep writes")
	}
	if len(s.queue.dead) > 0 {
		s.wrong("given up: %v", s.queue.dead)
	}
}

// checkDelivered asserts that what webhooks report needs no sweep: once Colony has received all of them and all work is done, each issue
// has the label of its state alone.
func (s *simulation) checkDelivered() {
	if s.unheard {
		return
	}
	s.note("everything is heard")
	s.settleDown()
	if s.unheard {
		return
	}
	s.advance(max(s.lag, time.Second))
	for _, n := range s.numbers() {
		i := s.issues[n]
		standing, view := s.standing(i)
		explained, _, _ := s.checkMarkers(i)
		decision, _ := s.life.Decide(s.patience(), statemachine.Case{
			Standing: standing, Labels: view.Labels, Updated: view.Updated, Now: s.clock.Now().Add(s.config.Judging.Lag),
		}, statemachine.Evidence{
			Facts: statemachine.Facts{Read: lifecycle.EveryReading()},
			Said: statemachine.Said{
				Answered:       func(id int64) bool { return explained[id] > 0 },
				Stopped:        func(id int64) bool { return explained[id] > 0 },
				RefusedCommand: func(time.Time) bool { return true },
			},
		})
		if decision.Halted == nil {
			s.checkLabels(i, standing, view)
		}
	}
}

func (s *simulation) sweepOnce() {
	s.advance(10 * time.Minute)
	s.note("the sweep")
	s.must(s.replicas[0].server.Sweep(s.Context()))
	s.settleDown()
}

// writesOfColony counts the calls of Colony that write to issues. Colony maintains the labels of a repository once an hour. What GitHub
// does not take in a locked conversation may be retried.
func (s *simulation) writesOfColony() int {
	sum := 0
	for _, c := range s.github.Calls() {
		if c.Actor == "colony[bot]" && c.Method != http.MethodGet && strings.Contains(c.Path, "/issues/") && c.Status < http.StatusMultipleChoices && !s.isUntraced(c.Path) {
			sum++
		}
	}
	return sum
}

func (s *simulation) check(i *simulatedIssue) {
	standing, view := s.standing(i)
	explained, answered, asked := s.checkMarkers(i)
	facts := s.factsOf(view, s.life.Readings(standing.State, view.Closed))
	said := statemachine.Said{
		Answered:       func(id int64) bool { return explained[id] > 0 },
		Stopped:        func(id int64) bool { return explained[id] > 0 },
		Commanded:      func(id int64) bool { return s.attributionsOf(i, standing)[id] != 0 || s.orderLost(i, standing, id) },
		RefusedCommand: func(since time.Time) bool { return s.refusedSince(i, since) },
		Asked:          func(id int64) bool { return asked[id] > 0 },
		LastAsked:      slices.Max(append(slices.Collect(maps.Keys(asked)), 0)),
	}
	decision, need := s.life.Decide(s.patience(), s.caseOf(standing, view), statemachine.Evidence{Facts: facts, Said: said})
	// The labels from when that label was lost stay as they are, until somebody touches the issue.
	left := !s.lost.IsZero() && !view.Updated.After(s.judgedSince()) || s.leftClosed(view) || !s.replaced.IsZero() && !view.Updated.After(s.replaced)
	left = left || s.undoneLate(view, explained)
	old := s.isOld(view)
	undone := func(d statemachine.Decision, n statemachine.Needs) bool {
		return d.Automatic != nil || !old && !d.Nothing() || !old && d.Wait.Why == statemachine.Quiet || n.Said
	}
	if !left && !i.locked && undone(decision, need) && undone(s.decidedUnedited(i, facts, said)) {
		s.wrong("something is left to do on #%d: %+v", i.number, decision)
	}
	there := func(a lifecycle.Asking) bool { return lifecycle.HasLabel(view.Labels, s.life.Label(a.To)) } // or nothing needs a record
	if !left && !i.locked && (len(standing.Granted) > 0 || slices.ContainsFunc(standing.Pending, there)) {
		s.wrong("the log of #%d does not tell what Colony made of %+v, %v", i.number, standing.Pending, standing.Granted)
	}
	i.halted = decision.Halted != nil
	if decision.Halted == nil && !left && !old {
		s.checkLabels(i, standing, view)
	}
	s.checkForeign(i)
	if i.locked { // what could not be said there, and which commands were run without a receipt, nobody knows any more
		return
	}
	for _, r := range standing.Rejections {
		told := 0
		for _, id := range r.IDs {
			told = max(told, explained[id])
		}
		if told > 1 {
			s.wrong("%+v of #%d is explained %d times", r, i.number, told)
		}
	}
	s.checkReceipts(i, answered)
	s.checkAttributions(i, standing, view)
	s.checkTrail(i, standing, view)
	if !left {
		s.checkSeal(i, standing, view)
	}
	s.checkWrites(i)
}

// decidedUnedited is the decision about an issue by those commands alone whose text is as it was written: which of the others were run, and
// what they moved, nobody can tell any more.
func (s *simulation) decidedUnedited(i *simulatedIssue, facts statemachine.Facts, said statemachine.Said) (statemachine.Decision, statemachine.Needs) {
	unedited := slices.DeleteFunc(s.commandsOf(i), func(c *simulatedComment) bool { return c.edited })
	standing, view := s.standingBy(i, unedited)
	return s.life.Decide(s.patience(), s.caseOf(standing, view), statemachine.Evidence{Facts: facts, Said: said})
}

// undoneLate reports whether the horizon lies between a change that Colony refused and its undoing: by then the change is what was there, and the
// undoing a write of Colony's that no command ordered.
func (s *simulation) undoneLate(view issues.View, explained map[int64]int) bool {
	horizon := s.clock.Now().Add(-s.config.Judging.Horizon)
	undone := slices.ContainsFunc(view.Changes, func(c statemachine.Change) bool { return c.By.Kind == lifecycle.Colony && c.At.After(horizon) })
	return undone && slices.ContainsFunc(view.Changes, func(c statemachine.Change) bool { return explained[c.ID] > 0 && !c.At.After(horizon) })
}

// isOld reports whether nobody touched an issue since the horizon: a sweep leaves its labels as they are, and moves it automatically.
func (s *simulation) isOld(view issues.View) bool {
	return view.Updated.Before(s.clock.Now().Add(-s.config.Judging.Horizon))
}

// caseOf is an issue as Colony would read it now.
func (s *simulation) caseOf(standing statemachine.Standing, view issues.View) statemachine.Case {
	return statemachine.Case{
		Standing: standing, Labels: view.Labels, Updated: view.Updated, Now: s.clock.Now(), Closed: view.Closed,
		TakenIn: s.config.Intake.Takes(view, standing.JudgedSince), Requests: s.config.Intake.Requests(),
	}
}

// orderLost reports whether a command can have made a move whose text was edited since, and Colony has no note that tells otherwise: then it does
// not announce the move as its own.
func (s *simulation) orderLost(i *simulatedIssue, standing statemachine.Standing, event int64) bool {
	return slices.ContainsFunc(standing.Trail, func(m statemachine.Move) bool {
		return m.ID == event && !s.forgot.Before(m.At) && slices.ContainsFunc(slices.Collect(maps.Values(s.comments)), func(c *simulatedComment) bool {
			return c.issue == i.number && !c.at.After(m.At) && c.editedAt.After(m.At)
		})
	})
}

// refusedSince reports whether Colony refused a command of an issue since a time.
func (s *simulation) refusedSince(i *simulatedIssue, since time.Time) bool {
	return slices.ContainsFunc(s.commandsOf(i), func(c *simulatedComment) bool {
		return c.receipt == issues.Confused && !c.done.Before(since)
	})
}

func (s *simulation) patience() statemachine.Thresholds {
	return statemachine.Thresholds{
		Settle: s.config.Judging.Settle, Lag: s.config.Judging.Lag,
		BreakerRejections: s.config.Breaker.Rejections, BreakerWindow: s.config.Breaker.Window,
	}
}

// checkMarkers counts how often each event was explained and each comment answered; nothing may be twice.
func (s *simulation) checkMarkers(i *simulatedIssue) (explained, answered, asked map[int64]int) {
	explained, answered, asked = map[int64]int{}, map[int64]int{}, map[int64]int{}
	halts := map[int64]int{}
	for _, c := range s.colonysComments(i) {
		markers := wording.Markers(c.Body)
		if len(markers) == 0 {
			s.wrong("a comment without a fact on #%d: %s", i.number, c.Body)
		}
		for kind, ids := range markers {
			for _, id := range ids {
				switch kind {
				case wording.Answers:
					answered[id]++
				case wording.Halts:
					halts[id]++
				case wording.Explains:
					if s.scene.modes && explained[id] > 0 && id != slices.Max(ids) {
						continue // where nothing is undone, the second half of a swap can come after the first was explained
					}
					explained[id]++
				case wording.Asks:
					asked[id]++
				}
			}
		}
	}
	for kind, counts := range map[string]map[int64]int{"explained": explained, "answered": answered, "asked": asked, "halted": halts} {
		for id, n := range counts {
			c := s.comments[id] // what was cut off before its receipt and edited then is answered as edited, too
			if twice := kind == "answered" && n == 2 && c != nil && c.edited; n > 1 && !twice {
				s.wrong("%d is %s %d times", id, kind, n)
			}
		}
	}
	for id := range halts {
		explained[id]++
	}
	i.automatic += len(asked) // what was asked was written too
	return explained, answered, asked
}

func (s *simulation) checkLabels(i *simulatedIssue, standing statemachine.Standing, view issues.View) {
	var states []string
	for _, l := range view.Labels {
		if state, ok := s.life.StateOf(l); ok {
			states = append(states, state.Name)
		}
		if lifecycle.SameLabel(l, lifecycle.Forced) || lifecycle.SameLabel(l, lifecycle.Checked) {
			s.wrong("the mark %s is left on #%d", l, i.number)
		}
	}
	if standing.State == s.life.Initial && len(states) == 0 {
		return
	}
	if len(states) != 1 || states[0] != standing.State {
		s.wrong("#%d is in %s and has the labels of %v", i.number, standing.State, states)
	}
}

// checkForeign holds that Colony touched no label but its own.
func (s *simulation) checkForeign(i *simulatedIssue) {
	for _, e := range s.eventsOf(i) {
		_, isState := s.life.StateOf(e.Label.Name)
		if e.Event == "unlabeled" && s.life.NamesNoState(e.Label.Name) {
			continue
		}
		mark := lifecycle.SameLabel(e.Label.Name, lifecycle.Checked) || slices.ContainsFunc(s.config.Intake.Requests(), func(l string) bool { return lifecycle.SameLabel(e.Label.Name, l) }) ||
			lifecycle.SameLabel(e.Label.Name, lifecycle.Forced) && !lifecycle.SameLabel(e.Label.Name, lifecycle.Checked) || lifecycle.SameLabel(e.Label.Name, lifecycle.NeedsHuman)
		if e.Actor.Login == "colony[bot]" && e.Label.Name != "" && !isState && !mark {
			s.wrong("Colony touched the label %s of #%d", e.Label.Name, i.number)
		}
	}
}

// checkReceipts holds that what has commands has one receipt and at most one reply, and nothing else has any.
func (s *simulation) checkReceipts(i *simulatedIssue, answered map[int64]int) {
	commanded := map[int64]bool{}
	for _, c := range s.commandsOf(i) {
		commanded[c.id] = true
		n := len(s.colonysReactions(c))
		late := c.at.Before(s.clock.Now().Add(-s.config.Judging.Horizon)) || s.settled(c)
		if n > 1 || n == 0 && !late && !c.edited {
			s.wrong("%q (%d) has %d receipts", c.body, c.id, n)
		}
		if late = c.editedAt.Before(s.clock.Now().Add(-s.config.Judging.Horizon)); n == 0 && c.teaches && !late && !s.settledAt(c.editedAt) {
			s.wrong("the editor of %q (%d) does not learn that it is not run", c.body, c.id)
		}
	}
	for id := range answered {
		if !commanded[id] {
			s.wrong("Colony answers %d, which is no command", id)
		}
	}
}

// checkAttributions holds that every move that Colony made was ordered by a command, each by another one. A label that Colony put
// there from a log that had changed between the reading and the writing can pass for a move: docs/design.md.
func (s *simulation) checkAttributions(i *simulatedIssue, standing statemachine.Standing, view issues.View) {
	orders := s.attributionsOf(i, standing)
	if !s.lost.IsZero() { // what was judged before, was judged from the beginning on
		before := view
		before.Installed, before.Begun = s.since, s.since
		maps.Copy(orders, s.attributionsOf(i, s.life.Fold(before.History(s.since))))
	}
	ordered := func(m statemachine.Move) bool { return orders[m.ID] != 0 }
	used := map[int]bool{}
	for _, m := range movesOf(standing) {
		if m.By.Kind != lifecycle.Colony || m.Kind == statemachine.Settled || ordered(m) {
			continue
		}
		i.automatic++
		excused := slices.ContainsFunc(i.stale, func(l staleLabel) bool {
			return l.at.Equal(m.At) && lifecycle.SameLabel(l.label, s.life.Label(m.To))
		})
		then, moved := s.movedThen(view, m)
		excused = excused || s.forcedUnderAnother(i, view, m) || s.passedOver(i, standing, m)
		if !excused && moved && !s.automatic(i, standing.Trail, then, used) {
			s.wrong("nobody ordered Colony's move %+v of #%d", then, i.number)
		}
	}
	s.checkLimits(i, standing.Trail, ordered)
	if entered, _ := standing.Since(); !i.halted && !s.leftClosed(view) && entered.Kind != statemachine.Settled { // no fact moves what is settled
		s.checkMerged(i, standing, ordered)
	}
	s.checkNotices(i, standing)
	s.sprint.check(i, standing, view, ordered)
}

// passedOver reports whether a command ordered a move, but another move of that second passes for what an earlier comment ordered, which was
// answered then: GitHub's times are whole seconds, and comments are run in their order.
func (s *simulation) passedOver(i *simulatedIssue, standing statemachine.Standing, m statemachine.Move) bool {
	orders := s.ordersOf(i, standing)
	return slices.ContainsFunc(s.commandsOf(i), func(c *simulatedComment) bool {
		earlier := func(other statemachine.Move) bool {
			by, ordered := orders[other.ID]
			return ordered && other.At.Equal(m.At) && by.CommentID < c.id
		}
		return s.ordersBy([]*simulatedComment{c}, standing)[m.ID].CommentID != 0 && slices.ContainsFunc(movesOf(standing), earlier)
	})
}

// forcedUnderAnother reports whether a move was forced, and the log does not show it: somebody had put the mark there just before, so that
// Colony's own left no event.
func (s *simulation) forcedUnderAnother(i *simulatedIssue, view issues.View, m statemachine.Move) bool {
	forced := slices.ContainsFunc(s.commandsOf(i), func(c *simulatedComment) bool {
		return slices.ContainsFunc(c.invocations, func(v commands.Invocation) bool {
			return v.Verb == "force" && strings.HasPrefix(v.Rest+" ", m.To+" ")
		})
	})
	return forced && slices.ContainsFunc(view.Changes, func(c statemachine.Change) bool {
		return c.Added && c.Label == lifecycle.Forced && c.By.Kind != lifecycle.Colony && c.ID < m.ID && m.At.Sub(c.At) <= s.config.Judging.Lag
	})
}

// movedThen returns a move as it was when it was made, if it was one then. A repair looks like one once what it repaired is settled, because
// the horizon has passed it or because labels are judged from a later time on: it leads to the state that was right all the time. So does a
// move from a state that was settled when Colony read the issue first, and which the table would never have let it come to: it began there.
func (s *simulation) movedThen(view issues.View, m statemachine.Move) (statemachine.Move, bool) {
	before := view
	before.Installed, before.Begun = s.since, s.since
	switch {
	case s.settledAt(m.At): // the label that keeps since when everything is judged said so then
		view = before
	case s.settledAt(m.At.Add(-time.Hour)): // a replica need not have noticed that it was lost
		if !slices.ContainsFunc(s.trailAt(before, m.At), func(other statemachine.Move) bool { return other.ID == m.ID }) {
			return m, false
		}
	}
	if s.lostFirst.Before(s.lost) { // labels can have been judged since any time between
		for _, c := range view.Changes {
			between := !c.At.Before(s.lostFirst) && c.At.Before(s.lost) && !c.At.After(m.At)
			if between && !slices.ContainsFunc(s.life.Fold(view.History(c.At)).Trail, func(other statemachine.Move) bool { return other.ID == m.ID }) {
				return m, false
			}
		}
	}
	then := s.trailAt(view, m.At)
	i := slices.IndexFunc(then, func(other statemachine.Move) bool { return other.ID == m.ID })
	if i < 0 {
		return m, false
	}
	m.From = then[i].From
	return m, true
}

// trailAt is the trail of an issue as it was judged at a time.
func (s *simulation) trailAt(view issues.View, at time.Time) []statemachine.Move {
	return s.life.Fold(view.History(issues.Latest(s.since, at.Add(-s.config.Judging.Horizon)))).Trail
}

// checkWrites bounds what an issue costs: for each edit of somebody else's at most the label put back, the label taken off, the
// mark and the comment, and one repair of a write that it made stale; for each command a bracketed move (4) and the mark, for each comment
// with one a reply, 👀 and a receipt; and for each interruption what was under way once more.
func (s *simulation) checkWrites(i *simulatedIssue) {
	bound := 6*i.edits + 6*i.automatic + 5*i.commanded + 3*len(s.commandsOf(i)) + 8*i.interruptions
	if i.writes > bound {
		s.wrong("#%d cost %d writes for %d edits, %d automatic moves, %d commands in %d comments and %d interruptions: more than %d",
			i.number, i.writes, i.edits, i.automatic, i.commanded, len(s.commandsOf(i)), i.interruptions, bound)
	}
}
