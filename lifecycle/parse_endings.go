package lifecycle

import "strings"

// maxWords is how many characters the words can have that a reflection begins with.
const maxWords = 60

// endings checks what is asked of issues that wait, and of issues that came to an end.
func (c *checker) endings() {
	c.hold("waiting", "reflection")
	for i, state := range c.life.Waiting {
		if c.life.byName[state].Label == "" {
			c.at("waiting", i).wrong("%q has no label, so the issues in it cannot be listed", state)
		}
	}
	r, here := c.life.Reflection, c.at("reflection")
	if r == nil {
		return
	}
	if r.In == nil {
		here.wrong("in is missing: the terminal states that want a reflection")
	}
	for i, state := range r.In {
		if c.life.byName[state].Type != Terminal {
			here.in("in", i).wrong("%q is not terminal, so it wants no reflection", state)
		}
	}
	words := here.in("words")
	if strings.TrimSpace(r.Words) != r.Words || r.Words == "" || len(r.Words) > maxWords || strings.Contains(r.Words, "/") {
		words.wrong("words %q is not what a line of a comment can begin with", r.Words)
	}
	words.plain(r.Words)
}
