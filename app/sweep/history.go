package sweep

import (
	"context"
	"fmt"
	"strconv"
	"sync"
	"time"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/reconcile"
)

// What was swept is noted next to the tasks, for all replicas. What is lost of it costs calls, nothing else.

// history remembers what was swept, and what was held back. It is safe for concurrent use.
type history struct {
	notes reconcile.Notes

	mu sync.Mutex
	// held counts the issues that the sweeps of this process left alone, by repository.
	held map[string]int
}

// record is what is remembered of one repository, or of the log of deliveries.
type record struct {
	// Until is when the last sweep that came to its end began: what changed before was seen. Zero if there was none.
	Until time.Time `json:"until"`
	// Full is when the last sweep that listed all of the repository began.
	Full time.Time `json:"full,omitzero"`
	// Place tells where to go on with the issues that no one changed; nil: at the beginning.
	Place *cursor `json:"place,omitempty"`
	// Settled says until when the watched issues rest that the last sweep found at rest; nil if it did not find all of them so.
	Settled *settled `json:"settled,omitempty"`
	// UnderWay is the sweep that has not come to its end.
	UnderWay *underWay `json:"under_way,omitempty"`
}

// underWay is a sweep of a repository that has not come to its end.
type underWay struct {
	Delivery string `json:"delivery"`
	// Alive is when a step of it ended last, Failing that the step failed.
	Alive   time.Time `json:"alive"`
	Failing bool      `json:"failing,omitempty"`
	// Progress is how far it had come then.
	Progress Progress `json:"progress"`
}

// sweepLost is how long a sweep that gives no sign of life is waited for. No limit of GitHub's lasts longer than an hour.
const sweepLost = 65 * time.Minute

// goesOn reports whether a sweep is sure to come to its end without anybody's help.
func (u *underWay) goesOn(now time.Time) bool { return !u.Failing && now.Sub(u.Alive) < sweepLost }

// The keys of notes.
const keyOfLog = "swept.log"

func keyOfRepository(id int64) string { return "swept." + strconv.FormatInt(id, 10) }

func (h *history) read(ctx context.Context, key string) (record, error) {
	known, err := reconcile.ReadNote[record](ctx, h.notes, key)
	if err != nil {
		return record{}, fmt.Errorf("read what was swept: %w", err)
	}
	return known, nil
}

// noteTime is how long a note can take that is written when the time of its task is up.
const noteTime = 5 * time.Second

func (h *history) write(ctx context.Context, key string, known record) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), noteTime)
	defer cancel()
	if err := reconcile.WriteNote(ctx, h.notes, key, known); err != nil {
		return fmt.Errorf("remember what was swept: %w", err)
	}
	return nil
}

// hold remembers on how many issues of a repository a sweep would have refused something.
func (h *history) hold(repo issues.Repository, held int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.held, repo.String())
	if held > 0 {
		h.held[repo.String()] = held
	}
}

// heldBack counts the issues that sweeps would refuse something on and left alone.
func (h *history) heldBack() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	sum := 0
	for _, n := range h.held {
		sum += n
	}
	return sum
}
