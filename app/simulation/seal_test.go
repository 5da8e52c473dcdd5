package simulation

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"pgregory.net/rapid"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/statemachine"
)

// simulatedText is what an issue said from a time on, and who wrote that.
type simulatedText struct {
	by          string
	at          time.Time
	title, body string
}

// editsText edits the title or the text of an issue, or puts back what was there at first. No command is among it.
func (s *simulation) editsText() { s.editText(s.anIssue()) }

func (s *simulation) editText(i *simulatedIssue) {
	if len(i.texts) == 0 {
		i.texts = []simulatedText{{i.opening.by, i.opening.at, "A widget", i.opening.body}}
	}
	next := i.texts[len(i.texts)-1]
	next.by = rapid.SampledFrom([]string{i.opening.by, i.opening.by, "olivia", "mona"}).Draw(s.T, "editor")
	edit := map[string]any{}
	if rapid.Bool().Draw(s.T, "title") || len(i.opening.invocations) > 0 { // an edit of these is about commands
		next.title = rapid.SampledFrom([]string{"Another widget", "A third widget", i.texts[0].title}).Draw(s.T, "the title")
		edit["title"] = next.title
	} else {
		next.body = rapid.SampledFrom([]string{"It is red.", "It is blue.", i.texts[0].body}).Draw(s.T, "the text")
		edit["body"] = next.body
	}
	if !s.ask(next.by, http.MethodPatch, fmt.Sprintf("/issues/%d", i.number), edit, nil) {
		return
	}
	next.at = s.second()
	i.texts = append(i.texts, next)
	s.happened("text-changed", i.number)
	s.note("%s edits #%d: %v", next.by, i.number, edit)
}

// differs reports whether an issue does not say what it said when it was approved, and somebody else edited it since.
func (i *simulatedIssue) differs(approved issues.Approval) bool {
	if len(i.texts) == 0 {
		return false
	}
	was, now := i.texts[0], i.texts[len(i.texts)-1]
	title, body := false, false // by somebody else
	for n, text := range i.texts[1:] {
		if text.at.Before(approved.At) {
			was = text
			continue
		}
		others := approved.By == "" || !strings.EqualFold(text.by, approved.By)
		title = title || others && text.title != i.texts[n].title
		body = body || others && text.body != i.texts[n].body
	}
	return title && was.title != now.title || body && was.body != now.body
}

// checkSeal holds that no issue waits in a sealed state with another text than the one that was approved.
func (s *simulation) checkSeal(i *simulatedIssue, standing statemachine.Standing, view issues.View) {
	if len(s.life.Triggers.Seals(standing.State)) == 0 || i.halted || view.Closed || standing.Untouched() {
		return
	}
	approval, known := s.life.Approval(standing)
	if !known {
		return
	}
	a := issues.Approval{By: approval.Maker().Login, At: approval.At}
	if order, ordered := s.ordersOf(i, standing)[approval.ID]; ordered && order.At.Before(a.At) {
		a.At = order.At
	}
	if i.differs(a) {
		s.wrong("#%d is in %s, and does not say what %q approved at %s: %+v", i.number, standing.State, a.By, a.At, i.texts)
	}
}

// endUnheard has an issue edited that waits in a sealed state, long after a sweep that saw all issues, and no webhook reports it.
func (s *simulation) endUnheard() {
	if !s.scene.guards || !rapid.Bool().Draw(s.T, "unheard edit") {
		return
	}
	s.sweepOnce()
	s.advance(time.Hour)
	sealed := slices.DeleteFunc(s.numbers(), func(n int) bool {
		standing, _ := s.standing(s.issues[n])
		return len(s.life.Triggers.Seals(standing.State)) == 0
	})
	if len(sealed) == 0 {
		return
	}
	s.editText(s.issues[rapid.SampledFrom(sealed).Draw(s.T, "edited")])
	s.notice()
	s.pending = nil
	s.note("nobody hears of it")
}
