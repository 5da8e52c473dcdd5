// Package bounded makes caches that do not grow without end, which are safe for concurrent use, and reads inputs up to a bound.
package bounded

import (
	"fmt"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/maypok86/otter/v2"
)

// New returns a cache of so many entries, which lets go of those that were used least recently.
func New[K comparable, V any](entries int) *lru.Cache[K, V] {
	cache, err := lru.New[K, V](entries)
	if err != nil {
		panic(fmt.Sprintf("make a cache of %d entries: %v", entries, err)) // only a size below 1 fails
	}
	return cache
}

// ByWeight returns a cache of entries that weigh so much together.
func ByWeight[V any](most uint64, weigh func(key string, v V) int) *otter.Cache[string, V] {
	return otter.Must(&otter.Options[string, V]{ // only options that do not go together fail
		MaximumWeight: most,
		Weigher:       func(key string, v V) uint32 { return uint32(weigh(key, v)) },
		Executor:      func(do func()) { do() }, // the bound holds as soon as something is remembered
	})
}
