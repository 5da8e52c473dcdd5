package reconcile

import (
	"fmt"
	"strings"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/colony-app/colony/bounded"
	"github.com/colony-app/colony/github/issues"
)

// assignedCache remembers whom this process assigned, and for which entry into a state. It is bounded, and forgetting leads to one more
// call. It is safe for concurrent use.
type assignedCache struct {
	of *lru.Cache[string, struct{}]
}

// assignedKept bounds the memory to a few megabytes.
const assignedKept = 20_000

func newAssignedCache() assignedCache {
	return assignedCache{bounded.New[string, struct{}](assignedKept)}
}

// tried reports whether somebody was assigned for an entry before.
func (c assignedCache) tried(ref issues.Ref, eventID int64, login string) bool {
	return c.of.Contains(assignedKey(ref, eventID, login))
}

// add remembers whom GitHub was asked to assign for an entry, whatever it made of that.
func (c assignedCache) add(ref issues.Ref, eventID int64, writes []issues.Write) {
	for _, w := range writes {
		for _, login := range w.Assign {
			c.of.Add(assignedKey(ref, eventID, login), struct{}{})
		}
	}
}

func assignedKey(ref issues.Ref, eventID int64, login string) string {
	return fmt.Sprintf("%s %d %s", issueKey(ref), eventID, strings.ToLower(login))
}
