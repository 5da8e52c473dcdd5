package simulation

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"pgregory.net/rapid"
)

// openingTakes is how long after the opening a label of the author's counts as one that came with it.
const openingTakes = 10 * time.Second

// transfers moves an issue to another repository. There is one with its number already, which Colony must not take for it. What
// was transferred is not followed any further: unless somebody touches it there, it stands as it came.
func (s *simulation) transfers() {
	i := s.anIssue()
	if !rapid.Bool().Draw(s.T, "transferred") {
		return
	}
	if len(s.issues) == 1 {
		s.opens()
	}
	if len(s.transferred) == 0 {
		s.github.AddRepository(simulatedOwner, simulatedTarget)
	}
	number, err := s.github.TransferIssue(simulatedOwner, simulatedRepo, s.neighbour(i.number), simulatedTarget, "mona")
	s.must(err)
	delete(s.issues, i.number)
	for id, c := range s.comments {
		if c.issue == i.number {
			delete(s.comments, id)
		}
	}
	s.transferred = append(s.transferred, number)
	if s.second().Sub(i.opening.at) <= openingTakes {
		s.untraced = append(s.untraced, fmt.Sprintf("/repos/%s/%s/issues/%d/", simulatedOwner, simulatedTarget, number))
	}
	s.note("mona transfers #%d to %s#%d", i.number, simulatedTarget, number)
}

// neighbour sees that the repository to which issues are transferred has an issue with a number, and returns the number.
func (s *simulation) neighbour(number int) int {
	for last := 0; last < number; {
		var opened struct{ Number int }
		text := []byte(`{"title": "A gadget"}`)
		if !s.askOf(simulatedTarget, "ada", http.MethodPost, "/issues", text, &opened) {
			s.Fatalf("the simulation is wrong: there is no neighbour")
		}
		last = opened.Number
	}
	return number
}

var targetPath = regexp.MustCompile(`^/repos/` + simulatedOwner + `/` + simulatedTarget + `/issues/(\d+)(/.*)?$`)

// heedTransferred sees a call that is not about the issues of the simulation.
func (s *simulation) heedTransferred(c *colonyCall) {
	m := targetPath.FindStringSubmatch(c.path)
	if m == nil || c.method == http.MethodGet {
		return
	}
	s.note("Colony: %s %s %.60s", c.method, c.path, c.body)
	if n, err := strconv.Atoi(m[1]); err != nil || !slices.Contains(s.transferred, n) {
		s.wrong("Colony writes to the neighbour of an issue that was transferred: %s %s", c.method, c.path)
	}
}

// isUntraced reports whether a call is about an issue that was transferred while its labels counted as put there with the opening. Where the
// other repository has no such labels, they go without an event, and so leave no trace of whether Colony refused what its author asked for:
// once a command moves the issue, its opening is read otherwise.
func (s *simulation) isUntraced(path string) bool {
	return slices.ContainsFunc(s.untraced, func(of string) bool { return strings.Contains(path, of) })
}
