package statemachine

import "github.com/colony-app/colony/lifecycle"

// force is the law of forced moves. People force what the lifecycle lets them force. Colony forced its own move for such a
// person, so only a state that an issue never leaves stops that.
func (r *request) force() (ruled bool) {
	from, to := r.at.State, r.ask.To
	if _, known := r.life.State(to); !known || to == from || r.life.ForGood(from) {
		return false
	}
	if r.ask.By.Kind != lifecycle.Colony && !r.life.MayForce(from, to) {
		return false
	}
	r.Kind = ForcedMove
	return true
}
