package simulation

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"pgregory.net/rapid"

	"github.com/colony-app/colony/bench/apptest"
	"github.com/colony-app/colony/commands"
	"github.com/colony-app/colony/lifecycle"
)

func signed(body []byte) string {
	mac := hmac.New(sha256.New, []byte(apptest.Secret))
	mac.Write(body)
	return "sha256=" + hex.EncodeToString(mac.Sum(nil))
}

// pullRequest opens one and returns its number.
func (s *simulation) pullRequest() int {
	s.must(s.github.SetFile(simulatedOwner, simulatedRepo, "README.md", "# Widgets"))
	var main struct {
		Object struct {
			SHA string `json:"sha"`
		} `json:"object"`
	}
	s.ask("mona", http.MethodGet, "/git/ref/heads/main", nil, &main)
	s.ask("mona", http.MethodPost, "/git/refs", map[string]any{"ref": "refs/heads/change", "sha": main.Object.SHA}, nil)
	s.ask("mona", http.MethodPut, "/contents/new.txt", map[string]any{
		"message": "Add a file", "content": base64.StdEncoding.EncodeToString([]byte("new")), "branch": "change",
	}, nil)
	var pull struct{ Number int }
	if !s.ask("mona", http.MethodPost, "/pulls", map[string]any{"title": "A change", "head": "change", "base": "main"}, &pull) {
		s.Fatalf("the simulation is wrong: there is no pull request")
	}
	return pull.Number
}

// opens has an issue opened, with a label or a command now and then.
func (s *simulation) opens() {
	by := rapid.SampledFrom([]string{"ada", "olivia"}).Draw(s.T, "author")
	body := s.sprint.opening()
	if rapid.IntRange(0, 9).Draw(s.T, "opening") == 9 && !s.scene.follow {
		body = s.text()
	}
	labels := rapid.SampledFrom(s.scene.labels).Draw(s.T, "labels")
	var opened struct{ Number int }
	s.ask(by, http.MethodPost, "/issues", map[string]any{"title": "A widget", "body": body, "labels": labels}, &opened)
	i := &simulatedIssue{number: opened.Number}
	i.edits += len(labels)
	i.opening = &simulatedComment{issue: i.number, by: by, body: body, at: s.second(), invocations: commands.Parse(body)}
	i.commanded += len(i.opening.invocations)
	s.issues[i.number] = i
	s.note("%s opens #%d %v %q", by, i.number, labels, body)
	s.sprint.opened(i)
}

func (s *simulation) stateLabel() string {
	names := slices.DeleteFunc(s.life.StateNames(), func(name string) bool { return s.life.Label(name) == "" })
	state := rapid.SampledFrom(names).Draw(s.T, "state")
	if !s.scene.names {
		return s.life.Label(state)
	}
	return rapid.SampledFrom(s.life.LabelsOf(state)).Draw(s.T, "name")
}

// labelsOn returns the state labels that are on an issue.
func (s *simulation) labelsOn(i *simulatedIssue) []string {
	var is struct{ Labels []struct{ Name string } }
	s.ask("mona", http.MethodGet, fmt.Sprintf("/issues/%d", i.number), nil, &is)
	var labels []string
	for _, l := range is.Labels {
		if _, ok := s.life.StateOf(l.Name); ok {
			labels = append(labels, l.Name)
		}
	}
	return labels
}

func (s *simulation) put(by string, i *simulatedIssue, label string) {
	if s.ask(by, http.MethodPost, fmt.Sprintf("/issues/%d/labels", i.number), []string{label}, nil) {
		i.edits++
		s.note("%s puts %s on #%d", by, label, i.number)
	}
}

func (s *simulation) takeOff(by string, i *simulatedIssue, label string) {
	if s.ask(by, http.MethodDelete, fmt.Sprintf("/issues/%d/labels/%s", i.number, url.PathEscape(label)), nil, nil) {
		i.edits++
		s.note("%s takes %s off #%d", by, label, i.number)
	}
}

func (s *simulation) labels() {
	s.put(rapid.SampledFrom(simulatedOperators).Draw(s.T, "by"), s.anIssue(), s.stateLabel())
}

func (s *simulation) unlabels() {
	by := rapid.SampledFrom([]string{"olivia", "tara", "dev[bot]"}).Draw(s.T, "by")
	i := s.anIssue()
	if on := s.labelsOn(i); len(on) > 0 {
		s.takeOff(by, i, rapid.SampledFrom(on).Draw(s.T, "label"))
	}
}

// swaps is what the label picker does: it sends the wanted labels.
func (s *simulation) swaps() {
	by := rapid.SampledFrom([]string{"olivia", "tara", "dev[bot]", "carl"}).Draw(s.T, "by")
	i := s.anIssue()
	on := s.labelsOn(i)
	to := s.stateLabel()
	addFirst := rapid.Bool().Draw(s.T, "adds first")
	if addFirst {
		s.put(by, i, to)
	}
	for _, l := range on {
		if !lifecycle.SameLabel(l, to) {
			s.takeOff(by, i, l)
		}
	}
	if !addFirst {
		s.put(by, i, to)
	}
}

// requests is what an executor does: it adds the label of what comes next, and leaves the rest to Colony.
func (s *simulation) requests() {
	by := rapid.SampledFrom(simulatedExecutors).Draw(s.T, "by")
	to := rapid.SampledFrom(s.scene.requests).Draw(s.T, "state")
	s.put(by, s.anIssue(), s.life.Label(to))
}

// rivals undoes what Colony did last, at once or some seconds later, or answers its last comment.
func (s *simulation) rivals() {
	i := s.anIssue()
	by := rapid.SampledFrom([]string{"dev[bot]", "dev[bot]", "olivia"}).Draw(s.T, "rival")
	if rapid.Bool().Draw(s.T, "answers") {
		if said := s.colonysComments(i); len(said) > 0 {
			s.say("dev[bot]", i, "> "+strings.ReplaceAll(said[len(said)-1].Body, "\n", "\n> ")+"\n\nI do not agree.")
		}
		return
	}
	events := s.eventsOf(i)
	for _, e := range slices.Backward(events) {
		if e.Actor.Login != "colony[bot]" || e.Label.Name == "" {
			continue
		}
		s.advance(rapid.SampledFrom([]time.Duration{0, 0, 4 * time.Second}).Draw(s.T, "after"))
		if e.Event == "unlabeled" {
			s.put(by, i, e.Label.Name)
		} else {
			s.takeOff(by, i, e.Label.Name)
		}
		return
	}
}

// writes writes a comment with commands.
func (s *simulation) writes() {
	s.say(rapid.SampledFrom(simulatedWriters).Draw(s.T, "by"), s.anIssue(), s.text())
}

func (s *simulation) say(by string, i *simulatedIssue, body string) {
	var written struct{ ID int64 }
	if !s.ask(by, http.MethodPost, fmt.Sprintf("/issues/%d/comments", i.number), map[string]any{"body": body}, &written) {
		return
	}
	c := &simulatedComment{id: written.ID, issue: i.number, by: by, body: body, at: s.second(), invocations: commands.Parse(body)}
	s.comments[c.id] = c
	i.commanded += len(c.invocations)
	s.note("%s writes %d on #%d: %q", by, c.id, i.number, body)
}

// text is one comment with some commands.
func (s *simulation) text() string {
	if s.scene.texts != nil {
		text := rapid.SampledFrom(s.scene.texts).Draw(s.T, "text")
		if strings.Contains(text, "<issue>") {
			text = strings.ReplaceAll(text, "<issue>", fmt.Sprintf("#%d", rapid.SampledFrom(s.numbers()).Draw(s.T, "named")))
		}
		return text
	}
	var lines []string
	for range rapid.SampledFrom([]int{1, 1, 1, 2, 3}).Draw(s.T, "commands") {
		line := rapid.SampledFrom([]string{
			"/colony:move <state>", "/colony:pause", "/colony:resume", "/colony:move <state>", "/colony:force <state> because it is stuck", "/colony:retry", "/colony:block it burns",
			"/colony:status", "/colony:why <state>", "/colony:history", "/colony:help", "/colony:resume <state>", "/colony:retry <state>",
			"/colony:reanalyze", "/colony:reimplement", "/colony:pasue", "/colony:move", "/colony:move unlabeled", "> /colony:move done\n",
		}).Draw(s.T, "command")
		if strings.Contains(line, "<state>") {
			line = strings.ReplaceAll(line, "<state>", rapid.SampledFrom(s.life.StateNames()[1:]).Draw(s.T, "state"))
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// labelsOther touches labels that are no states.
func (s *simulation) labelsOther() {
	label := rapid.SampledFrom(append([]string{lifecycle.NeedsHuman, lifecycle.Forced, simulatedSlip}, simulatedForeign...)).Draw(s.T, "label")
	by := rapid.SampledFrom([]string{"olivia", "tara", "dev[bot]"}).Draw(s.T, "by")
	i := s.anIssue()
	if rapid.Bool().Draw(s.T, "off") {
		s.takeOff(by, i, label)
	} else {
		s.put(by, i, label)
	}
}

// editsLabels deletes or renames a label of the repository that is a state or a mark, or renames another one into such a label.
func (s *simulation) editsLabels() {
	s.unheard = true
	label := s.stateLabel()
	if on := s.labelsOn(s.anIssue()); len(on) > 0 && rapid.Bool().Draw(s.T, "one in use") {
		label = on[0]
	} else if rapid.IntRange(0, 3).Draw(s.T, "a mark") == 3 {
		label = rapid.SampledFrom([]string{lifecycle.NeedsHuman, lifecycle.Forced}).Draw(s.T, "mark")
	}
	for _, i := range s.issues {
		i.edits++
	}
	switch rapid.SampledFrom([]string{"deletes", "renames", "replaces"}).Draw(s.T, "how") {
	case "deletes":
		s.deletesLabel(label)
	case "renames":
		s.renamesLabel(label, fmt.Sprintf("was %s %d", label, len(s.story)))
	case "replaces":
		s.deletesLabel(label) // else the repository takes no other one of its name
		s.replaced = s.second()
		s.renamesLabel(rapid.SampledFrom(simulatedForeign).Draw(s.T, "foreign"), label)
	}
}

func (s *simulation) deletesLabel(label string) {
	s.notice()
	for _, n := range s.numbers() { // the webhooks of that name no label, and the log never shows that it went
		if _, isState := s.life.StateOf(label); isState && s.lag > 0 && lifecycle.HasLabel(s.labelsOn(s.issues[n]), label) {
			s.changes = append(s.changes, changeOfLabel{n, strings.ToLower(label), s.clock.Now(), false})
		}
	}
	done := s.ask("olivia", http.MethodDelete, "/labels/"+url.PathEscape(label), nil, nil)
	s.note("olivia deletes the label %s: %t", label, done)
	s.loses(label, done)
}

func (s *simulation) renamesLabel(label, to string) {
	done := s.ask("olivia", http.MethodPatch, "/labels/"+url.PathEscape(label), map[string]any{"new_name": to}, nil)
	s.note("olivia renames the label %s to %s: %t", label, to, done)
	s.loses(label, done)
}

// loses notes a label that is gone. With the mark Forced goes since when labels are judged: what stands then is settled.
func (s *simulation) loses(label string, done bool) {
	if done && lifecycle.SameLabel(label, lifecycle.Forced) {
		if s.lost.IsZero() {
			s.lostFirst = s.second()
		}
		s.lost, s.renamed = s.second(), true
	}
}

func (s *simulation) closes() {
	i := s.anIssue()
	state := rapid.SampledFrom([]string{"closed", "open"}).Draw(s.T, "state")
	s.setState(i, state)
}

func (s *simulation) setState(i *simulatedIssue, state string) {
	s.ask("olivia", http.MethodPatch, fmt.Sprintf("/issues/%d", i.number), map[string]any{"state": state}, nil)
	s.note("olivia makes #%d %s", i.number, state)
	if state == "closed" {
		s.closed(i.number, "completed")
	}
}

// closed notes that an issue was closed.
func (s *simulation) closed(n int, how string) {
	s.happened("issue-closed", n)
	s.happened("issue-merged", n) // if it was
	s.happened(map[string]lifecycle.Fact{"completed": "issue-completed", "not_planned": "issue-dropped"}[how], n)
}

// editsPull treats a pull request like an issue, which must lead to nothing.
func (s *simulation) editsPull() {
	if rapid.Bool().Draw(s.T, "command") {
		s.ask("olivia", http.MethodPost, fmt.Sprintf("/issues/%d/comments", s.pull), map[string]any{"body": "/colony:move new"}, nil)
		return
	}
	s.ask("olivia", http.MethodPost, fmt.Sprintf("/issues/%d/labels", s.pull), []string{s.stateLabel()}, nil)
}

// commentsOn returns the ids of the comments on an issue, in their order.
func (s *simulation) commentsOn(issue int) (ids []int64) {
	for id, c := range s.comments {
		if c.issue == issue {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

// reacts leaves a reaction that looks like a receipt.
func (s *simulation) reacts() {
	i := s.anIssue()
	ids := s.commentsOn(i.number)
	if len(ids) == 0 {
		return
	}
	s.ask("rita", http.MethodPost, fmt.Sprintf("/issues/comments/%d/reactions", rapid.SampledFrom(ids).Draw(s.T, "comment")), map[string]any{"content": "+1"}, nil)
}

// editsComment changes what somebody wrote. Its commands are nobody's any more: they are not run, unless they were before.
func (s *simulation) editsComment() {
	i := s.anIssue()
	ids := s.commentsOn(i.number)
	if len(ids) == 0 {
		return
	}
	c := s.comments[rapid.SampledFrom(ids).Draw(s.T, "comment")]
	body := rapid.SampledFrom([]string{"Never mind.", "/colony:block it is edited", c.body + "\nplease"}).Draw(s.T, "text")
	if body == c.text { // GitHub takes the same text again for no edit
		return
	}
	if s.second().Equal(c.at) { // GitHub's times are whole seconds: in the same one nobody can know
		s.advance(time.Second)
	}
	if s.ask("mona", http.MethodPatch, fmt.Sprintf("/issues/comments/%d", c.id), map[string]any{"body": body}, nil) {
		c.edited, c.text, c.teaches, c.editedAt, c.editedIn = true, body, len(commands.Parse(body)) > 0, s.second(), s.tasks
		c.taught = c.taught || c.teaches
		s.note("mona edits %d on #%d: %q", c.id, i.number, body)
	}
}

// readsComments notes that a Colony reads the comments of an issue.
func (s *simulation) readsComments(i *simulatedIssue) {
	for _, c := range s.comments {
		if c.issue == i.number {
			c.readEdited = c.edited && c.editedIn < s.tasks
		}
	}
}

// locks locks or unlocks a conversation.
func (s *simulation) locks() {
	i := s.anIssue()
	method := rapid.SampledFrom([]string{http.MethodPut, http.MethodDelete}).Draw(s.T, "method")
	i.locked = i.locked || method == http.MethodPut
	s.note("mona locks or unlocks #%d: %s %t", i.number, method, s.ask("mona", method, fmt.Sprintf("/issues/%d/lock", i.number), nil, nil))
}
