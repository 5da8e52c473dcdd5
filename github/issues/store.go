package issues

import (
	"fmt"
	"net/http"
	"runtime/debug"
	"slices"
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

// Store reads issues from GitHub and writes to them, each of its parts one side of them. It is safe for concurrent use.
type Store struct {
	connection
	logs
	comments
	receipts
	lists
	dashboards
	people
	pulls
	relatives
	writes
	memory *memory
}

// Settings are for all parts of a store. Set them before its first use.
type Settings struct {
	// Branches says which branches are named after an issue.
	Branches Branches
	// Signer signs what Colony's comments say for programs.
	Signer Signer
	// Clock tells the time.
	Clock clockwork.Clock
	// Fork begins something that takes time, and returns what waits for it, such as InParallel; nil does it before it returns.
	Fork func(do func()) (join func())
	// Settled is how long ago the last event on a page of a log must be for the page not to be read again each time. What is so old is no longer
	// reconciled. 0 reads all pages.
	Settled time.Duration
}

// Begin begins a read at the same time as others. wait returns once it is done.
func (s *Settings) Begin(read func()) (wait func()) {
	if s.Fork != nil {
		return s.Fork(read)
	}
	read()
	return func() {}
}

// InParallel runs something in a goroutine of its own. join waits for it; if it panicked, join panics with that and its stack.
func InParallel(do func()) (join func()) {
	done := make(chan struct{})
	var panicked any
	go func() {
		defer close(done)
		defer func() {
			if v := recover(); v != nil {
				panicked = fmt.Sprintf("%v, in\n%s", v, debug.Stack())
			}
		}()
		do()
	}()
	return func() {
		<-done
		if panicked != nil {
			panic(panicked)
		}
	}
}

type memory struct {
	receipts  *lru.Cache[int64, Receipt]
	edits     *lru.Cache[string, Edit]
	heads     *lru.Cache[string, heads]
	changed   *lru.Cache[string, []string] // the files of pull requests
	refused   *lru.Cache[string, refusal]  // the GraphQL queries that are not asked for now
	logs      pageCache[logPage]
	timelines pageCache[timelinePage]
}

// receiptsKept bounds the receipts remembered, about 100 bytes each. A receipt that was forgotten is read again.
const receiptsKept = 50_000

// NewStore returns a store that reads and writes through clients and knows people by cast.
func NewStore(clients Clients, cast *Actors) *Store {
	return newStore(clients, cast, &Settings{Clock: clockwork.NewRealClock()}, &memory{
		receipts: bounded.New[int64, Receipt](receiptsKept), edits: bounded.New[string, Edit](editsKept),
		heads: bounded.New[string, heads](headsKept), changed: bounded.New[string, []string](filesKept), refused: bounded.New[string, refusal](refusalsKept),
		logs: newPageCache(logsBytes, logPage.weight), timelines: newPageCache(timelinesBytes, timelinePage.weight),
	})
}

func newStore(clients Clients, cast *Actors, settings *Settings, m *memory) *Store {
	c := connection{settings, clients, cast, m.refused}
	who, said := people{c}, comments{c, m.edits}
	return &Store{
		connection: c, logs: logs{c, m.logs}, comments: said, receipts: receipts{c, m.receipts}, lists: lists{c}, dashboards: dashboards{c},
		people: who, pulls: pulls{c, m.heads, m.changed, m.timelines}, relatives: relatives{c, who, said}, writes: writes{c}, memory: m,
	}
}

// WithExecutors returns the store with the bots of one repository. What was remembered is shared.
func (s *Store) WithExecutors(executors map[string][]string) *Store {
	return s.as(&Actors{AppID: s.actors.AppID, Former: s.actors.Former, Executors: executors})
}

// WithFormer returns the store with more logins under which Colony wrote. What was remembered is shared.
func (s *Store) WithFormer(logins ...string) *Store {
	return s.as(&Actors{AppID: s.actors.AppID, Former: slices.Concat(s.actors.Former, logins), Executors: s.actors.Executors})
}

func (s *Store) as(cast *Actors) *Store {
	if self := s.actors.Self(); self != "" {
		cast.SetSelf(self)
	}
	return newStore(s.clients, cast, s.Settings, s.memory)
}

// connection is how all parts of a store reach GitHub, and whom they know there.
type connection struct {
	*Settings

	clients Clients
	actors  *Actors
	refused *lru.Cache[string, refusal]
}

// client acts on a repository. If it cannot be made, each of its calls says why.
func (c connection) client(repo Repository) *github.Client {
	client, err := c.clients.NewInstallationClient(repo.Installation)
	if err != nil {
		return github.NewClient(&http.Client{Transport: without{err}})
	}
	return client
}

// without is a transport for the want of another one.
type without struct{ because error }

func (w without) RoundTrip(*http.Request) (*http.Response, error) { return nil, w.because }

// Self is Colony, as its own events in a log name it.
func (c connection) Self() lifecycle.Actor {
	return lifecycle.Actor{Login: c.actors.Self(), Kind: lifecycle.Colony}
}

// As says in which capacity an account acted for this store, which was read by a store that knows other bots. Colony stays Colony, and an author who
// cannot edit labels stays that.
func (c connection) As(by lifecycle.Actor) lifecycle.Actor {
	if by.Kind == lifecycle.Colony || by.Kind == lifecycle.Author {
		return by
	}
	return c.actors.actor(by.Login, by.IsApp(), 0)
}
