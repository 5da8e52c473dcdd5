package lifecycle

import (
	"slices"
	"strings"
)

// The words for which new issues a lifecycle is made for, where a repository takes new issues in and does not say which.
const (
	TakesEvery    = "every"    // all that are opened
	TakesLabelled = "labelled" // those that get a label
	TakesAssigned = "assigned" // those that are assigned to somebody
)

func takesWords() []string { return []string{TakesEvery, TakesLabelled, TakesAssigned} }

// intake checks where new issues are taken in.
func (c *checker) intake(doc fileDocument) {
	if c.life.Initial == Outside {
		c.life.Intake = doc.Initial
	}
	c.life.TakesIn = doc.TakesIn
	if doc.TakesIn != "" && !slices.Contains(takesWords(), doc.TakesIn) {
		c.wrong(at("takes-in"), "%q is not one of %s", doc.TakesIn, strings.Join(takesWords(), ", "))
	}
	if doc.TakesIn != "" && c.life.Intake == "" && doc.Intake == "" {
		c.wrong(at("takes-in"), "nothing is taken in without a state for it: say which with intake")
	}
	if doc.Intake == "" || !c.known(at("intake"), "intake", doc.Intake) {
		return
	}
	if _, legal := c.life.Pair(c.life.Initial, doc.Intake); !legal {
		c.wrong(at("intake"), "%s -> %s is not in the table, so nothing can be taken in there", c.life.Initial, doc.Intake)
		return
	}
	c.life.Intake = doc.Intake
}
