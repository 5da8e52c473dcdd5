package issues

import (
	"time"

	"github.com/google/go-github/v62/github"
	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/jonboulle/clockwork"

	"github.com/colony-app/colony/bounded"
	"github.com/colony-app/colony/lifecycle"
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
	actors   *Actors
	receipts *lru.Cache[int64, Receipt]
	// Branches says which branches are named after an issue; set it before the first use.
	Branches Branches
	heads    *lru.Cache[string, heads]
	changed  *lru.Cache[string, []string] // the files of pull requests
	edits    *lru.Cache[string, Edit]
	// Signer signs what Colony's comments say for programs; set it before the first use.
	Signer Signer
	// Clock tells the time; set it before the first use.
	Clock clockwork.Clock
	// Settled is for how long nothing may have happened on a page of a log for it not to be read again each time: what is so old is
	// judged no more. 0 reads all of them. Set it before the first use.
	Settled   time.Duration
	logs      pageCache[logPage]
	timelines pageCache[timelinePage]
	refused   *lru.Cache[string, refusal] // the GraphQL queries that are not asked for now
}

// receiptsKept bounds the receipts remembered, about 100 bytes each. A receipt that was forgotten is read again.
const receiptsKept = 50_000

// NewStore returns a store that reads and writes through clients and knows people by cast.
func NewStore(clients Clients, cast *Actors) *Store {
	return &Store{
		clients: clients, actors: cast, Clock: clockwork.NewRealClock(),
		receipts: bounded.New[int64, Receipt](receiptsKept), heads: bounded.New[string, heads](headsKept), changed: bounded.New[string, []string](filesKept),
		edits: bounded.New[string, Edit](editsKept), refused: bounded.New[string, refusal](refusalsKept),
		logs: newPageCache(logsBytes, logPage.weight), timelines: newPageCache(timelinesBytes, timelinePage.weight),
	}
}

// WithExecutors returns the store with other executors: those of one repository. What was remembered is shared.
func (s *Store) WithExecutors(executors map[string][]string) *Store {
	cast := &Actors{AppID: s.actors.AppID, Former: s.actors.Former, Executors: executors}
	if self := s.actors.Self(); self != "" {
		cast.SetSelf(self)
	}
	as := *s
	as.actors = cast
	return &as
}

// Self is Colony, as its own events in a log name it.
func (s *Store) Self() lifecycle.Actor {
	return lifecycle.Actor{Login: s.actors.Self(), Kind: lifecycle.Colony}
}

func (s *Store) client(repo Repository) (*github.Client, error) {
	return s.clients.NewInstallationClient(repo.Installation)
}
