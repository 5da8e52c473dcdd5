package issues

import (
	"fmt"
	"time"

	"github.com/google/go-github/v62/github"
	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/jonboulle/clockwork"
	"github.com/maypok86/otter/v2"
)

// perPage is GitHub's largest page.
const perPage = 100

// Clients makes a client that acts for an installation. Its errors name the attempt and the installation.
type Clients interface {
	NewInstallationClient(installationID int64) (*github.Client, error)
}

// Store reads issues from GitHub and writes to them. It is safe for concurrent use.
type Store struct {
	clients  Clients
	cast     *Actors
	receipts *lru.Cache[int64, Receipt]
	// Branches says which branches are named after an issue; set it before the first use.
	Branches Branches
	heads    *lru.Cache[string, heads]
	changed  *lru.Cache[string, []string] // the files of pull requests
	edits    *lru.Cache[string, Edit]
	// Clock tells the time; set it before the first use.
	Clock clockwork.Clock
	// Settled is for how long nothing may have happened on a page of a log for it not to be read again each time: what is so old is
	// judged no more. 0 reads all of them. Set it before the first use.
	Settled   time.Duration
	logs      *otter.Cache[string, knownLog]
	timelines *otter.Cache[string, knownTimeline]
	refused   *lru.Cache[string, refusal] // the GraphQL queries that are not asked for now
}

// receiptsKept bounds the receipts remembered, about 100 bytes each. A receipt that was forgotten is read again.
const receiptsKept = 50_000

// NewStore returns a store that reads and writes through clients and knows people by cast.
func NewStore(clients Clients, cast *Actors) *Store {
	receipts, err := lru.New[int64, Receipt](receiptsKept)
	if err != nil {
		panic(fmt.Sprintf("make the receipt cache: %v", err)) // only a size below 1 fails
	}
	lists, err := lru.New[string, heads](headsKept)
	if err != nil {
		panic(fmt.Sprintf("make the cache of pull requests: %v", err)) // only a size below 1 fails
	}
	changed, err := lru.New[string, []string](filesKept)
	if err != nil {
		panic(fmt.Sprintf("make the cache of files: %v", err)) // only a size below 1 fails
	}
	edits, err := lru.New[string, Edit](editsKept)
	if err != nil {
		panic(fmt.Sprintf("make the cache of edits: %v", err)) // only a size below 1 fails
	}
	refused, err := lru.New[string, refusal](refusalsKept)
	if err != nil {
		panic(fmt.Sprintf("make the cache of refused queries: %v", err)) // only a size below 1 fails
	}
	return &Store{
		clients: clients, cast: cast, receipts: receipts, heads: lists, changed: changed, edits: edits, Clock: clockwork.NewRealClock(), refused: refused,
		logs: newLogs(), timelines: newTimelines(),
	}
}

// WithExecutors returns the store with other executors: those of one repository. What was remembered is shared.
func (s *Store) WithExecutors(executors map[string][]string) *Store {
	cast := &Actors{AppID: s.cast.AppID, Former: s.cast.Former, Executors: executors}
	if self := s.cast.Self(); self != "" {
		cast.SetSelf(self)
	}
	as := *s
	as.cast = cast
	return &as
}

func (s *Store) client(repo Repository) (*github.Client, error) {
	return s.clients.NewInstallationClient(repo.Installation)
}
