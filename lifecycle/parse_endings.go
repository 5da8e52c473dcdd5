package lifecycle

import "strings"

// maxWords is how many characters a reflection may have to begin with.
const maxWords = 60

// endings checks what is asked of issues that wait, and of those that came to an end.
func (c *checker) endings(doc fileDocument) {
	c.life.Waiting = c.words(at("waiting"), "waiting", doc.Waiting)
	for i, state := range c.life.Waiting {
		if c.life.byName[state].Label == "" {
			c.wrong(at("waiting", i), "%q has no label, so the issues in it cannot be listed", state)
		}
	}
	f := doc.Reflection
	if f == nil {
		return
	}
	here := at("reflection")
	r := &Reflection{In: c.words(append(here, "in"), "in", f.In), Words: f.Words}
	r.Within = c.duration(append(here, "within"), f.Within, maxTimeOut)
	if len(f.In) == 0 {
		c.wrong(here, "in is missing: the terminal states that want a reflection")
	}
	for i, state := range r.In {
		if c.life.byName[state].Type != Terminal {
			c.wrong(append(here, "in", i), "%q is not terminal, so it wants no reflection", state)
		}
	}
	if strings.TrimSpace(r.Words) != r.Words || r.Words == "" || len(r.Words) > maxWords || strings.Contains(r.Words, "/") {
		c.wrong(append(here, "words"), "words %q is not what a line of a comment can begin with", r.Words)
	}
	c.plain(append(here, "words"), r.Words)
	c.life.Reflection = r
}
