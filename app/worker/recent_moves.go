package worker

import (
	"slices"
	"sync"
	"time"

	"github.com/colony-app/colony/github/issues"
)

// recentMoves remembers the issues that were moved to a state with a capacity, for the time in which GitHub might not show it yet. Its zero
// value is ready. It is safe for concurrent use.
type recentMoves struct {
	mu sync.Mutex
	at map[stateKey]map[int]time.Time
}

type stateKey struct {
	repository int64
	state      string
}

func (s *recentMoves) add(ref issues.Ref, state string, at time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.at == nil {
		s.at = map[stateKey]map[int]time.Time{}
	}
	key := stateKey{ref.ID, state}
	if s.at[key] == nil {
		s.at[key] = map[int]time.Time{}
	}
	s.at[key][ref.Number] = at
}

// unseen lists the issues that were moved to a state since a time and that GitHub never showed there since.
func (s *recentMoves) unseen(repo issues.Repository, state string, there []issues.Entry, since time.Time) []int {
	s.mu.Lock()
	defer s.mu.Unlock()
	var unseen []int
	key := stateKey{repo.ID, state}
	for number, at := range s.at[key] {
		switch {
		case !at.After(since), slices.ContainsFunc(there, func(i issues.Entry) bool { return i.Number == number }):
			delete(s.at[key], number)
		default:
			unseen = append(unseen, number)
		}
	}
	if len(s.at[key]) == 0 {
		delete(s.at, key)
	}
	return unseen
}
