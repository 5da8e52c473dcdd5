package app

import (
	"fmt"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/colony-app/colony/app/issues"
)

// Done remembers at which change of an issue a look found nothing to do, so that a sweep need not look again. It is
// bounded, and forgetting costs a look. It is safe for concurrent use.
type Done struct{ seen *lru.Cache[string, time.Time] }

// doneKept bounds the memory to some megabytes.
const doneKept = 50_000

// NewDone returns an empty memory.
func NewDone() *Done {
	seen, err := lru.New[string, time.Time](doneKept)
	if err != nil {
		panic(fmt.Sprintf("make the memory of what is done: %v", err)) // only a size below 1 fails
	}
	return &Done{seen: seen}
}

func (d *Done) add(v issues.View) { d.seen.Add(doneKey(v.Ref), v.Updated) }

// has reports whether an issue that GitHub last changed at a time was looked at since. GitHub's times have whole seconds, so
// another change within the same second goes unnoticed here; its webhook does not.
func (d *Done) has(ref issues.Ref, updated time.Time) bool {
	at, ok := d.seen.Get(doneKey(ref))
	return ok && !updated.After(at)
}

func doneKey(ref issues.Ref) string { return fmt.Sprintf("%d/%d", ref.ID, ref.Number) }
