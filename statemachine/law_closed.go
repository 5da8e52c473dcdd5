package statemachine

import "github.com/colony-app/colony/lifecycle"

// closed is the law of issues that are closed before their end: bots do not work on them. They can still end the work, since that can be what
// closed the issue.
func (r *request) closed() (ruled bool) {
	if r.ask.By.Kind != lifecycle.Executor || !r.closedEarly() {
		return false
	}
	to, isState := r.life.State(r.ask.To)
	if !isState || to.Type == lifecycle.Terminal || to.Name == r.at.State {
		return false
	}
	r.Verdict, r.Kind = lifecycle.IsClosed, ""
	return true
}

// closedEarly reports whether the issue is closed before its end.
func (r *request) closedEarly() bool { return r.at.Closed && !r.life.IsEnd(r.at.State) }
