package lifecycle

// The words for which new issues a lifecycle is made for, where a repository takes new issues in and does not say which.
const (
	TakesEvery    = "every"    // all that are opened
	TakesLabelled = "labelled" // the issues that get a label
	TakesAssigned = "assigned" // the issues that are assigned to someone
)

// intake checks where new issues are taken in.
func (c *checker) intake() {
	c.hold("takes-in")
	state, here := c.life.Intake, c.at("intake")
	if c.life.Intake = ""; c.life.Initial == Outside {
		c.life.Intake = c.begins
	}
	if c.life.TakesIn != "" && c.life.Intake == "" && state == "" {
		c.at("takes-in").wrong("nothing is taken in without a state for it: say which with intake")
	}
	if state == "" || !here.known("intake", state) {
		return
	}
	if _, legal := c.life.Pair(c.life.Initial, state); !legal {
		here.wrong("%s -> %s is not in the table, so nothing can be taken in there", c.life.Initial, state)
	}
	c.life.Intake = state
}
