package lifecycle

import (
	"regexp"
	"slices"
)

// reason checks what a request stands for: one word, so that it can be told from a sentence.
func (c *checker) reason(path []any, word string) {
	if !reasonWord.MatchString(word) {
		c.wrong(path, "reason %q is not one word of letters, digits, hyphens and underscores", word)
	}
}

var reasonWord = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// unreasoned complains of moves that need a reason which nobody can give: no command takes one there.
func (c *checker) unreasoned(doc fileDocument) {
	for i, f := range doc.Transitions {
		for j, pairs := range f.Pairs {
			if pairs.Reason != Required {
				continue
			}
			for _, from := range pairs.From {
				for _, to := range pairs.To {
					if !c.reasonTaken(from, to) {
						c.wrong(at("transitions", i, "pairs", j, "reason"), "%s -> %s needs a reason, and no command takes one there", from, to)
					}
				}
			}
		}
	}
}

func (c *checker) reasonTaken(from, to string) bool {
	return slices.ContainsFunc(c.life.Commands, func(command Command) bool {
		return command.Reason != NotTaken && (command.To == to || command.To == Previous || command.Target != NotTaken) &&
			(len(command.From) == 0 || slices.Contains(command.From, from))
	})
}
