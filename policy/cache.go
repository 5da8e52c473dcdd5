package policy

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"
	"github.com/jonboulle/clockwork"
	"github.com/rs/zerolog"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/statemachine"
)

// Bounds of the memory. What does not fit is read again.
const (
	pagesKept = 10_000
	// weightKept bounds what strangers' files take, in about bytes.
	weightKept = 256 << 20
)

// Cache tells the policies of repositories. What it read it remembers for a time, also that there is nothing: GitHub counts an
// answer "not found" against the rate limit. It is safe for concurrent use.
type Cache struct {
	clients issues.Clients
	server  Policy
	keep    time.Duration
	clock   clockwork.Clock
	log     zerolog.Logger

	mu     sync.Mutex
	pages  *simplelru.LRU[string, *cacheEntry]
	weight int
}

// cacheEntry is what is known of the files of one repository.
type cacheEntry struct {
	// forgotten counts how often the entry was to be read again.
	forgotten atomic.Int64
	broken    atomic.Int64

	mu    sync.Mutex // held while it is read
	seen  bool
	at    time.Time // when it was read
	as    int64     // how often it had been forgotten then
	files map[string]file

	judged      bool
	below       string // the version of what held below it when it was judged
	found       Effective
	ownLife     *statemachine.Lifecycle
	ownSettings *[]byte
	weight      int
}

// Effective is the policy of a repository, and what is wrong with its own files.
type Effective struct {
	Policy
	Broken []InvalidFile
}

// NewCache returns a cache that reads through clients and falls back to the policy of the server. What it reads it keeps for a time.
func NewCache(clients issues.Clients, server Policy, keep time.Duration, clock clockwork.Clock, log zerolog.Logger) *Cache {
	b := &Cache{clients: clients, server: server, keep: keep, clock: clock, log: log}
	pages, err := simplelru.NewLRU(pagesKept, func(_ string, p *cacheEntry) { b.weight -= p.weight })
	if err != nil {
		panic(fmt.Sprintf("make the cache of policies: %v", err)) // only a size below 1 fails
	}
	b.pages = pages
	return b
}

// Get returns the policy of a repository. An error means that it could not be read, never that there is none.
func (b *Cache) Get(ctx context.Context, repo issues.Repository) (Effective, error) {
	below := b.server
	if !SpeaksForOthers(repo.Name) {
		owner, err := b.level(ctx, ownerOf(repo), below)
		if err != nil {
			return Effective{}, err
		}
		below = owner.Policy
	}
	return b.level(ctx, repo, below)
}

// Refresh returns the policy of a repository as GitHub shows them now.
func (b *Cache) Refresh(ctx context.Context, repo issues.Repository) (Effective, error) {
	b.Invalidate(repo)
	b.Invalidate(ownerOf(repo))
	return b.Get(ctx, repo)
}

// Invalidate reads the files of a repository again when they are needed next.
func (b *Cache) Invalidate(repo issues.Repository) { b.entry(repo).forgotten.Add(1) }

// InvalidateOlder forgets what was read of a repository, and of the one that speaks for it, longer ago than that.
func (b *Cache) InvalidateOlder(repo issues.Repository, than time.Duration) {
	for _, r := range []issues.Repository{repo, ownerOf(repo)} {
		p := b.entry(r)
		p.mu.Lock()
		if p.seen && b.clock.Since(p.at) > than {
			p.forgotten.Add(1)
		}
		p.mu.Unlock()
	}
}

// InvalidFiles counts the repositories known to have a broken file.
func (b *Cache) InvalidFiles() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	n := 0
	for _, p := range b.pages.Values() {
		if p.broken.Load() > 0 {
			n++
		}
	}
	return n
}

func ownerOf(repo issues.Repository) issues.Repository {
	return issues.Repository{Installation: repo.Installation, Owner: repo.Owner, Name: SettingsFolder}
}

func (b *Cache) entry(repo issues.Repository) *cacheEntry {
	key := fmt.Sprintf("%d/%s", repo.Installation, strings.ToLower(repo.String()))
	b.mu.Lock()
	defer b.mu.Unlock()
	p, ok := b.pages.Get(key)
	if !ok {
		p = &cacheEntry{}
		b.pages.Add(key, p)
	}
	return p
}

// level returns the policy of a repository where another one holds below its own. Those who ask meanwhile wait for the one answer.
func (b *Cache) level(ctx context.Context, repo issues.Repository, below Policy) (Effective, error) {
	p := b.entry(repo)
	p.mu.Lock()
	defer p.mu.Unlock()
	if as, now := p.forgotten.Load(), b.clock.Now(); !p.seen || p.as != as || now.Sub(p.at) >= b.keep {
		files, err := b.read(ctx, repo, p.files)
		if err != nil {
			return Effective{}, err
		}
		p.judged = p.judged && sameFiles(p.files, files)
		p.files, p.seen, p.at, p.as = files, true, now, as
	}
	if p.judged && p.below == below.version {
		return p.found, nil
	}
	found, err := b.judge(ctx, repo, p, below)
	if err != nil {
		return Effective{}, err
	}
	b.tell(repo, p, found)
	p.judged, p.below, p.found = true, below.version, found
	p.broken.Store(int64(len(found.Broken)))
	b.weigh(repo, p)
	return found, nil
}

func sameFiles(a, b map[string]file) bool {
	for _, name := range []string{LifecycleFile, SettingsFile} {
		if a[name].blob != b[name].blob {
			return false
		}
	}
	return true
}

// judge makes a policy of the files.
func (b *Cache) judge(ctx context.Context, repo issues.Repository, p *cacheEntry, below Policy) (Effective, error) {
	var found Effective
	life, from := below.Lifecycle, below.From
	s := setting{below: below.Lifecycle}
	if head, there := p.files[LifecycleFile]; there {
		s.ownFile = true
		own, broken, err := lastGood(ctx, b, repo, LifecycleFile, head, p.lastLifecycle(), func(text []byte) (*statemachine.Lifecycle, error) {
			return statemachine.Parse(LifecycleFile, text)
		})
		if err != nil {
			return Effective{}, err
		}
		if broken != nil {
			found.Broken = append(found.Broken, *broken)
		}
		if own != nil {
			s.own, life, from = *own, *own, repo.String()+"/"+LifecycleFile
		}
	}
	var logins map[string][]string
	var text *[]byte
	automation, automated := below.automation, false
	if head, there := p.files[SettingsFile]; there {
		choice, broken, err := b.settings(ctx, repo, p, head, s)
		if err != nil {
			return Effective{}, err
		}
		if broken != nil {
			found.Broken = append(found.Broken, *broken)
		}
		if choice != nil {
			life, logins, text = choice.lifecycle, choice.logins, &choice.text
			if choice.named {
				from = repo.String() + "/" + SettingsFile
			}
			automation, automated = choice.over(automation)
		}
	}
	p.ownLife, p.ownSettings = s.own, text
	found.Policy = below
	if life != below.Lifecycle || len(logins) > 0 || automated {
		found.Policy = New(life, layered(below.listed, logins), from).Automate(automation)
	}
	return found, nil
}

func (p *cacheEntry) lastLifecycle() **statemachine.Lifecycle {
	if p.ownLife == nil {
		return nil
	}
	return &p.ownLife
}

// settledSettings is a settings file and what it comes to.
type settledSettings struct {
	chosen
	text []byte
}

// settings returns what is in force of the settings file, and what is wrong with it.
func (b *Cache) settings(ctx context.Context, repo issues.Repository, p *cacheEntry, head file, s setting) (*settledSettings, *InvalidFile, error) {
	check := func(text []byte) (settledSettings, error) {
		c, err := s.read(text)
		return settledSettings{c, text}, err
	}
	var before *settledSettings
	if p.ownSettings != nil {
		if last, err := check(*p.ownSettings); err == nil {
			before = &last
		}
	}
	choice, broken, err := lastGood(ctx, b, repo, SettingsFile, head, before, check)
	if err != nil {
		return nil, nil, err
	}
	if broken == nil && len(choice.ignored) > 0 {
		broken = &InvalidFile{Path: SettingsFile, Blob: head.blob, Problems: choice.ignored, Applies: true}
	}
	if broken != nil && s.ownFile { // what is wrong may be that the two do not fit together: whoever changed either should know
		if broken.Commit, err = b.newest(ctx, repo, p.files); err != nil {
			return nil, nil, err
		}
	} else if broken != nil && broken.Commit == "" {
		if broken.Commit, err = b.newest(ctx, repo, map[string]file{SettingsFile: head}); err != nil {
			return nil, nil, err
		}
	}
	return choice, broken, nil
}

// tell logs what changed, once.
func (b *Cache) tell(repo issues.Repository, p *cacheEntry, found Effective) {
	for _, broken := range found.Broken {
		if slices.ContainsFunc(p.found.Broken, func(known InvalidFile) bool { return known.ID() == broken.ID() }) {
			continue
		}
		b.log.Warn().Str("repo", repo.String()).Str("commit", broken.Commit).Str("instead", broken.LastGoodCommit).Stringer("problem", broken).
			Msg("a file of a repository is broken; what was in force stays in force")
	}
	switch {
	case p.found.Lifecycle == nil && found.From != b.server.From, p.found.Lifecycle != nil && p.found.Fingerprint != found.Fingerprint:
		b.log.Info().Str("repo", repo.String()).Str("lifecycle", found.Lifecycle.Name).Str("from", found.From).Str("fingerprint", found.Fingerprint).
			Msg("these rules are in force")
	}
}

// Weights, in about bytes: a lifecycle's moves make nearly all of it.
const weightOfMove = 400

// weigh counts what an entry takes, and lets go of those that were used least recently once it is too much.
func (b *Cache) weigh(repo issues.Repository, p *cacheEntry) {
	weight := 0
	for _, f := range p.files {
		weight += len(f.text)
	}
	if p.ownLife != nil {
		weight += weightOfMove * len(p.ownLife.Pairs)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	key := fmt.Sprintf("%d/%s", repo.Installation, strings.ToLower(repo.String()))
	if held, ok := b.pages.Peek(key); !ok || held != p {
		return // it was let go meanwhile
	}
	b.weight += weight - p.weight
	p.weight = weight
	for b.weight > weightKept && b.pages.Len() > 1 {
		b.pages.RemoveOldest()
	}
}
