package simulation

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/colony-app/colony/commands"
	"github.com/colony-app/colony/commands/wording"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/policy"
	"github.com/colony-app/colony/statemachine"
)

// modeScene is what labelScene is, in a repository whose mode changes among everything else.
var modeScene = scene{
	lifecycle: "colony", modes: true,
	issues:    labelScene.issues,
	labels:    labelScene.labels,
	requests:  labelScene.requests,
	executors: labelScene.executors,
	others: slices.Concat(
		// The repository that issues are transferred to has a mode of its own.
		slices.DeleteFunc(slices.Clone(simulatedOthers), func(a simulatedAction) bool { return a.name == "transfer" }),
		[]simulatedAction{
			{"mode", 3, (*simulation).namesMode},
			{"server's mode", 1, (*simulation).capsMode},
		}),
}

// TestSimulationOfModes plays what TestSimulation does where the repository names another mode now and then, and the server another
// ceiling. Where nothing is to be written Colony writes nothing, where it warns it undoes nothing, and what was done before a mode began is
// not judged.
func TestSimulationOfModes(t *testing.T) {
	simulate(t, modeScene, max(1, histories()/pullShare))
}

// heldMode is a mode that held since a time.
type heldMode struct {
	mode  lifecycle.Mode
	since time.Time
}

// beginMode has the repository name its first mode.
func (s *simulation) beginMode() {
	s.namedMode = rapid.SampledFrom(lifecycle.Modes).Draw(s.T, "first mode")
	s.must(s.github.SetFile(simulatedOwner, simulatedRepo, policy.SettingsFile, "mode: "+string(s.namedMode)+"\n"))
	s.holds()
}

// holds notes the mode that holds from now on.
func (s *simulation) holds() {
	mode := s.namedMode.AtMost(s.config.ModeCeiling)
	if n := len(s.modes); n > 0 && s.modes[n-1].mode == mode {
		return
	}
	s.note("the mode is %s", mode)
	if len(s.modes) > 0 { // what stands is settled
		s.lost, s.renamed, s.unheard = s.second(), false, true
	}
	s.modes = append(s.modes, heldMode{mode, s.clock.Now()})
}

// namesMode has somebody commit another mode to the repository.
func (s *simulation) namesMode() {
	mode := rapid.SampledFrom(lifecycle.Modes).Draw(s.T, "mode")
	if mode == s.namedMode {
		return
	}
	s.namedMode = mode
	s.must(s.github.SetFile(simulatedOwner, simulatedRepo, policy.SettingsFile, "mode: "+string(mode)+"\n"))
	s.holds()
}

// capsMode has the operator start all Colonies anew with another ceiling.
func (s *simulation) capsMode() {
	if s.nested > 0 {
		return
	}
	s.config.ModeCeiling = rapid.SampledFrom([]lifecycle.Mode{"", lifecycle.ModeWarn, lifecycle.ModeObserve, lifecycle.ModeEnforce}).Draw(s.T, "ceiling")
	for _, r := range s.replicas {
		s.start(r)
	}
	s.holds()
}

// mode is the one that holds.
func (s *simulation) mode() lifecycle.Mode { return s.modes[len(s.modes)-1].mode }

// mayKnow lists the modes by which a Colony may act: the one that holds, and those that held before it last had to read the files.
func (s *simulation) mayKnow() (modes []lifecycle.Mode) {
	oldest := s.clock.Now().Add(-policy.CacheTTL - time.Minute)
	for i, m := range s.modes {
		if i == len(s.modes)-1 || s.modes[i+1].since.After(oldest) {
			modes = append(modes, m.mode)
		}
	}
	return modes
}

// heedMode holds a write of Colony's against the modes by which it may act.
func (s *simulation) heedMode(c *colonyCall) {
	if !s.scene.modes || c.method == http.MethodGet || !strings.HasPrefix(c.path, "/repos/"+simulatedOwner+"/"+simulatedRepo+"/") {
		return
	}
	known := s.mayKnow()
	enforces, warns := slices.Contains(known, lifecycle.ModeEnforce), slices.Contains(known, lifecycle.ModeWarn)
	switch {
	case !enforces && !warns:
		s.heedUnwritten(c)
	case !enforces:
		s.heedWarned(c)
		fallthrough
	default:
		s.heedBegun(c)
	}
}

// heedUnwritten allows for one write where nothing is to be written: that nothing is judged any more.
func (s *simulation) heedUnwritten(c *colonyCall) {
	if c.method != http.MethodPatch || c.path != "/repos/"+simulatedOwner+"/"+simulatedRepo+"/labels/"+url.PathEscape(lifecycle.Forced) || !strings.Contains(string(c.body), "rules none since") {
		s.wrong("in mode %s Colony writes: %s %s %s", s.mode(), c.method, c.path, c.body)
	}
}

// heedWarned holds a write against what is undone nowhere where Colony only warns.
func (s *simulation) heedWarned(c *colonyCall) {
	if c.issue == nil {
		return
	}
	standing, _ := s.standing(c.issue)
	waits := slices.ContainsFunc(s.commandsOf(c.issue), func(w *simulatedComment) bool { return w.receipt == "" && s.rightOf(w.by) >= commands.MayMove })
	label, removes := strings.CutPrefix(c.rest, "/labels/")
	switch {
	case c.method == http.MethodPost && c.rest == "/labels":
		var labels []string
		s.must(json.Unmarshal(c.body, &labels))
		for _, l := range labels {
			if lifecycle.SameLabel(l, lifecycle.NeedsHuman) {
				s.wrong("where it only warns Colony asks for a person on #%d", c.issue.number)
			}
			if state, is := s.life.StateOf(l); is && !waits && !c.issue.locked && !s.life.MakesItself(standing.State, state.Name) {
				s.wrong("where it only warns Colony puts %s on #%d, which nobody ordered", l, c.issue.number)
			}
		}
	case c.method == http.MethodDelete && removes:
		name, err := url.PathUnescape(label)
		s.must(err)
		if lifecycle.SameLabel(name, lifecycle.NeedsHuman) {
			s.wrong("where it only warns Colony takes the mark for a person off #%d", c.issue.number)
		}
		if state, is := s.life.StateOf(name); is && !waits && !c.stale && !c.issue.locked && state.Name == standing.State {
			s.wrong("where it only warns Colony takes %s off #%d, which is in that state", name, c.issue.number)
		}
	}
}

// heedBegun holds that no comment explains what was done before the mode began that Colony knows.
func (s *simulation) heedBegun(c *colonyCall) {
	if c.issue == nil || c.method != http.MethodPost || c.rest != "/comments" {
		return
	}
	var said struct{ Body string }
	s.must(json.Unmarshal(c.body, &said))
	if s.renamed { // the label that says since when was lost, and a replica need not have noticed
		return
	}
	since := s.judgedSince()
	if len(s.replicas) > 1 && s.clock.Since(since) < time.Hour { // another replica need not have noticed
		return
	}
	for _, id := range wording.Markers(said.Body)[wording.Explains] {
		for _, e := range s.eventsOf(c.issue) {
			if e.ID == id && e.At.Before(since) && len(s.mayKnow()) == 1 {
				s.wrong("Colony explains %d of %s on #%d, which is settled since %s", id, e.At, c.issue.number, since)
			}
		}
	}
}

// endInMode brings everything to rest in the mode that holds, and holds it against what that mode promises.
func (s *simulation) endInMode() {
	s.github.LagEvents(0)
	s.github.LagLabels(0)
	s.settleDown()
	s.advance(time.Hour) // until then a replica need not have noticed
	s.sweepOnce()
	for _, n := range s.numbers() {
		s.checkForeign(s.issues[n])
		if s.mode() == lifecycle.ModeWarn || s.mode() == lifecycle.ModeEnforce {
			s.checkInMode(s.issues[n])
		}
	}
	writes := s.writesOfColony()
	s.sweepOnce()
	if again := s.writesOfColony(); again != writes {
		s.wrong("a second sweep writes")
	}
	s.namesMode()
	s.settleDown()
	s.advance(time.Hour)
	s.sweepOnce()
	locked := slices.ContainsFunc(s.numbers(), func(n int) bool { return s.issues[n].locked }) // what GitHub refused there may be written once
	if again := s.writesOfColony(); again != writes && !locked && !s.approvedInWarning() {
		s.wrong("the mode %s judges what stood when it began: %d writes", s.mode(), again-writes)
	}
	if len(s.queue.dead) > 0 {
		s.wrong("given up: %v", s.queue.dead)
	}
}

// approvedInWarning reports whether what people did in mode warn can count as an approval of a text that they edited before, and does not once
// the mode is enforce: a label that they took off in mode warn is gone, and was put back by the reading of the other mode.
func (s *simulation) approvedInWarning() bool {
	warned := slices.ContainsFunc(s.modes, func(m heldMode) bool { return m.mode == lifecycle.ModeWarn })
	edited := slices.ContainsFunc(s.numbers(), func(n int) bool { return len(s.issues[n].texts) > 0 })
	return s.mode() == lifecycle.ModeEnforce && warned && edited
}

// checkInMode holds that nothing is left to do on an issue, and that what was said was said once.
func (s *simulation) checkInMode(i *simulatedIssue) {
	standing, view := s.standing(i)
	explained, answered, _ := s.checkMarkers(i)
	facts := s.factsOf(view, s.life.Readings(standing.State, view.Closed))
	decision, need := s.life.Decide(s.patience(), s.caseOf(standing, view), statemachine.Evidence{Facts: facts, Said: statemachine.Said{
		Answered:       func(id int64) bool { return explained[id] > 0 },
		Stopped:        func(id int64) bool { return explained[id] > 0 },
		Commanded:      func(id int64) bool { return s.attributionsOf(i, standing)[id] != 0 },
		RefusedCommand: func(since time.Time) bool { return s.refusedSince(i, since) },
		Asked:          func(int64) bool { return true },
	}})
	left := !view.Updated.After(s.judgedSince()) || s.leftClosed(view) || s.isOld(view) // what stood as it was when the mode began
	if !left && !i.locked && (!decision.Nothing() || decision.Wait.Why == statemachine.Quiet || need.Said) {
		s.wrong("in mode %s something is left to do on #%d: %+v", s.mode(), i.number, decision)
	}
	if s.mode().Undoes() && decision.Halted == nil && !left {
		s.checkLabels(i, standing, view)
	}
	if i.locked {
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
	for _, m := range movesOf(standing) {
		if m.By.Kind == lifecycle.Colony && m.Kind != statemachine.Settled {
			i.automatic++
		}
	}
	s.checkWrites(i)
}
