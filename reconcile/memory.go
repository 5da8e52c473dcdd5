package reconcile

import (
	"fmt"

	lru "github.com/hashicorp/golang-lru/v2"
)

// memory keeps so many entries, and lets go of those that were used least recently. It is safe for concurrent use.
func memory[K comparable, V any](entries int) *lru.Cache[K, V] {
	kept, err := lru.New[K, V](entries)
	if err != nil {
		panic(fmt.Sprintf("make a memory of %d entries: %v", entries, err)) // only a size below 1 fails
	}
	return kept
}
