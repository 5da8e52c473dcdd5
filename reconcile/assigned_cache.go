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

// tried reports whether somebody was assigned for an entry before, and remembers it.
func (c assignedCache) tried(ref issues.Ref, eventID int64, login string) bool {
	there, _ := c.of.ContainsOrAdd(fmt.Sprintf("%s %d %s", issueKey(ref), eventID, strings.ToLower(login)), struct{}{})
	return there
}
