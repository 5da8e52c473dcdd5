package policy

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"
	"github.com/jonboulle/clockwork"
	"github.com/rs/zerolog"

	"github.com/colony-app/colony/commands/wording"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/statemachine"
)

// Bounds of the cache. What does not fit is read again.
const (
	maxEntries = 10_000
	// maxWeight bounds what strangers' files take, in about bytes.
	maxWeight = 256 << 20
)

// CacheTTL is how long what was read of a repository's files is used when no webhook reports a push.
const CacheTTL = 5 * time.Minute

// Cache tells the policies of repositories. What it read it remembers for a time, also that there is nothing: GitHub counts an
// answer "not found" against the rate limit. It is safe for concurrent use.
type Cache struct {
	clients issues.Clients
	server  Policy
	keep    time.Duration
	clock   clockwork.Clock
	log     zerolog.Logger
	// instead are files that replace the files of the repositories, by their path; see Instead.
	instead map[string][]byte

	mu      sync.Mutex
	entries *simplelru.LRU[string, *cacheEntry]
	weight  int
}

// cacheEntry is what is known of the files of one repository.
type cacheEntry struct {
	// generation counts how often the entry was to be read again.
	generation   atomic.Int64
	invalidFiles atomic.Int64

	// known is what was in force when the entry was last asked for.
	known atomic.Pointer[knownPolicy]

	mu               sync.Mutex // held while it is read
	loaded           bool
	loadedAt         time.Time // when it was read
	loadedGeneration int64     // the generation that was read
	files            map[string]file

	resolved    bool
	below       string // the version of what held below it when it was resolved
	effective   Effective
	ownLife     **statemachine.Table // what is in force of its files; nil if nothing is
	ownSettings *[]byte
	weight      int
}

// Effective is the policy of a repository, and what is wrong with its own files.
type Effective struct {
	Policy
	InvalidFiles []InvalidFile
}

// withInvalid adds a file to the invalid ones; nil adds none.
func withInvalid(files []InvalidFile, file *InvalidFile) []InvalidFile {
	if file == nil {
		return files
	}
	return append(files, *file)
}

// NewCache returns a cache that reads through clients and falls back to the policy of the server. What it reads it keeps for a time.
func NewCache(clients issues.Clients, server Policy, keep time.Duration, clock clockwork.Clock, log zerolog.Logger) *Cache {
	c := &Cache{clients: clients, server: server, keep: keep, clock: clock, log: log}
	entries, err := simplelru.NewLRU(maxEntries, func(_ string, entry *cacheEntry) { c.weight -= entry.weight })
	if err != nil {
		panic(fmt.Sprintf("make the cache of policies: %v", err)) // only a size below 1 fails
	}
	c.entries = entries
	return c
}

// Instead returns a cache of its own that takes files for those of each repository, by their path: so one sees what a change of them would
// come to. What is wrong with them is among the invalid files of each policy.
func (c *Cache) Instead(files map[string][]byte) *Cache {
	other := NewCache(c.clients, c.server, c.keep, c.clock, c.log)
	other.instead = files
	return other
}

// Get returns the policy of a repository. An error means that it could not be read, never that it is missing.
func (c *Cache) Get(ctx context.Context, repo issues.Repository) (Effective, error) {
	below := c.server
	if !SpeaksForOthers(repo.Name) {
		owner, err := c.level(ctx, OwnerOf(repo), below)
		if err != nil {
			return Effective{}, err
		}
		below = owner.Policy
	}
	return c.level(ctx, repo, below)
}

// knownPolicy is a policy, and what has to be so still for it to be in force.
type knownPolicy struct {
	Policy

	below      string
	loadedAt   time.Time
	generation int64
}

// Known returns the policy of a repository if Get would return it and read nothing. It does not wait for those who read.
func (c *Cache) Known(repo issues.Repository) (found Policy, known bool) {
	found = c.server
	if !SpeaksForOthers(repo.Name) {
		if found, known = c.knownLevel(OwnerOf(repo), found); !known {
			return Policy{}, false
		}
	}
	return c.knownLevel(repo, found)
}

func (c *Cache) knownLevel(repo issues.Repository, below Policy) (Policy, bool) {
	entry := c.entry(repo)
	known := entry.known.Load()
	if known == nil || known.below != below.version || known.generation != entry.generation.Load() || c.clock.Since(known.loadedAt) >= c.keep {
		return Policy{}, false
	}
	return known.Policy, true
}

// Last returns the policy that a repository had when it was last asked for, however long ago that is.
func (c *Cache) Last(repo issues.Repository) (found Policy, known bool) {
	last := c.entry(repo).known.Load()
	if last == nil {
		return Policy{}, false
	}
	return last.Policy, true
}

// Confirm notes that GitHub named at a time the last push to a repository. What was read of its files after the push is as good
// as read then.
func (c *Cache) Confirm(repo issues.Repository, pushed, at time.Time) {
	entry := c.entry(repo)
	entry.mu.Lock()
	defer entry.mu.Unlock()
	if entry.loaded && pushed.Before(entry.loadedAt) && entry.loadedAt.Before(at) {
		entry.loadedAt = at
	}
}

// Refresh returns the policy of a repository as GitHub shows them now.
func (c *Cache) Refresh(ctx context.Context, repo issues.Repository) (Effective, error) {
	c.Invalidate(repo)
	c.Invalidate(OwnerOf(repo))
	return c.Get(ctx, repo)
}

// Invalidate reads the files of a repository again when they are needed next.
func (c *Cache) Invalidate(repo issues.Repository) { c.entry(repo).generation.Add(1) }

// InvalidateOlder forgets what was read of a repository, and of the one that speaks for it, longer ago than that.
func (c *Cache) InvalidateOlder(repo issues.Repository, than time.Duration) {
	for _, r := range []issues.Repository{repo, OwnerOf(repo)} {
		entry := c.entry(r)
		entry.mu.Lock()
		if entry.loaded && c.clock.Since(entry.loadedAt) > than {
			entry.generation.Add(1)
		}
		entry.mu.Unlock()
	}
}

// InvalidFiles counts the repositories known to have a broken file.
func (c *Cache) InvalidFiles() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := 0
	for _, entry := range c.entries.Values() {
		if entry.invalidFiles.Load() > 0 {
			n++
		}
	}
	return n
}

// OwnerOf returns the repository whose files hold for all repositories of the owner of one. Its id is not known.
func OwnerOf(repo issues.Repository) issues.Repository {
	return issues.Repository{Installation: repo.Installation, Owner: repo.Owner, Name: SettingsFolder}
}

func keyOf(repo issues.Repository) string {
	return strconv.FormatInt(repo.Installation, 10) + "/" + issues.NameKey(repo.Owner, repo.Name)
}

func (c *Cache) entry(repo issues.Repository) *cacheEntry {
	key := keyOf(repo)
	c.mu.Lock()
	defer c.mu.Unlock()
	entry, ok := c.entries.Get(key)
	if !ok {
		entry = &cacheEntry{}
		c.entries.Add(key, entry)
	}
	return entry
}

// level returns the policy of a repository where another one holds below its own. Those who ask at the same time share the one answer.
func (c *Cache) level(ctx context.Context, repo issues.Repository, below Policy) (Effective, error) {
	entry := c.entry(repo)
	entry.mu.Lock()
	defer entry.mu.Unlock()
	if generation, now := entry.generation.Load(), c.clock.Now(); entry.stale(now, c.keep) {
		files, err := c.read(ctx, repo, entry.files)
		if err != nil {
			return Effective{}, err
		}
		entry.take(files, now, generation)
	}
	if entry.resolved && entry.below == below.version {
		entry.remember()
		return entry.effective, nil
	}
	found, err := c.resolve(ctx, repo, entry, below)
	if err != nil {
		return Effective{}, err
	}
	c.logChanges(repo, entry, found)
	entry.resolved, entry.below, entry.effective = true, below.version, found
	entry.invalidFiles.Store(int64(len(found.InvalidFiles)))
	entry.remember()
	c.weigh(repo, entry)
	return found, nil
}

// remember lets Known tell what was read and resolved.
func (e *cacheEntry) remember() {
	e.known.Store(&knownPolicy{Policy: e.effective.Policy, below: e.below, loadedAt: e.loadedAt, generation: e.loadedGeneration})
}

func (c *Cache) resolve(ctx context.Context, repo issues.Repository, entry *cacheEntry, below Policy) (Effective, error) {
	var found Effective
	var ownLife **statemachine.Table
	life, from := below.Lifecycle, below.From
	s := setting{below: below.Lifecycle, needed: below.settings.Commands}
	if head, there := entry.files[LifecycleFile]; there {
		s.ownFile = true
		var broken *InvalidFile
		var err error
		ownLife, broken, err = lastGood(ctx, c, repo, LifecycleFile, head, entry.ownLife, func(text []byte) (*statemachine.Table, error) {
			return statemachine.Parse(LifecycleFile, text)
		})
		if err != nil {
			return Effective{}, err
		}
		found.InvalidFiles = withInvalid(found.InvalidFiles, broken)
		if ownLife != nil {
			s.own, life, from = *ownLife, *ownLife, repo.String()+"/"+LifecycleFile
		}
	}
	var text *[]byte
	settings, choice := below.settings, chosen{}
	if head, there := entry.files[SettingsFile]; there {
		inForce, broken, err := c.settings(ctx, repo, entry, head, s)
		if err != nil {
			return Effective{}, err
		}
		found.InvalidFiles = withInvalid(found.InvalidFiles, broken)
		if inForce != nil {
			choice, text, life = inForce.chosen, &inForce.text, inForce.life
			if choice.named {
				from = repo.String() + "/" + SettingsFile
			}
			if choice.Mode != "" {
				choice.ModeBy = repo.String() + "/" + SettingsFile
			}
			settings = choice.over(settings)
		}
	}
	entry.ownLife, entry.ownSettings = ownLife, text
	found.Policy = below
	optedIn := s.own != nil || text != nil
	if optedIn {
		settings.Asked = true
		found.Policy = New(life, layered(below.listed, choice.Executors.Logins), from).Automate(settings)
	}
	found.Policy = found.within(below, choice.Dashboard)
	found.OptedIn = optedIn
	return found, nil
}

type settledSettings struct {
	chosen
	text []byte
}

// settings returns what is in force of the settings file, and what is wrong with it.
func (c *Cache) settings(ctx context.Context, repo issues.Repository, entry *cacheEntry, head file, s setting) (*settledSettings, *InvalidFile, error) {
	check := func(text []byte) (settledSettings, error) {
		c, err := s.read(text)
		return settledSettings{c, text}, err
	}
	var before *settledSettings
	if entry.ownSettings != nil {
		if last, err := check(*entry.ownSettings); err == nil {
			before = &last
		}
	}
	choice, broken, err := lastGood(ctx, c, repo, SettingsFile, head, before, check)
	if err != nil {
		return nil, nil, err
	}
	if broken == nil && len(choice.ignored) > 0 {
		broken = &InvalidFile{InvalidFile: wording.InvalidFile{Path: SettingsFile, Problems: choice.ignored, Applies: true}, Blob: head.blob}
	}
	if broken != nil && s.ownFile { // what is wrong might be that the two do not fit together: the person who changed either should know
		if broken.Commit, err = c.newest(ctx, repo, entry.files); err != nil {
			return nil, nil, err
		}
	} else if broken != nil && broken.Commit == "" {
		if broken.Commit, err = c.newest(ctx, repo, map[string]file{SettingsFile: head}); err != nil {
			return nil, nil, err
		}
	}
	return choice, broken, nil
}

// logChanges logs what changed, once.
func (c *Cache) logChanges(repo issues.Repository, entry *cacheEntry, found Effective) {
	for _, broken := range found.InvalidFiles {
		if slices.ContainsFunc(entry.effective.InvalidFiles, func(known InvalidFile) bool { return known.ID() == broken.ID() }) {
			continue
		}
		c.log.Warn().Str("repo", repo.String()).Str("commit", broken.Commit).Str("instead", broken.LastGoodCommit).Stringer("problem", broken).
			Msg("a file of a repository is broken; what was in force stays in force")
	}
	switch {
	case entry.effective.Lifecycle == nil && found.From != c.server.From, entry.effective.Lifecycle != nil && entry.effective.Fingerprint != found.Fingerprint:
		c.log.Info().Str("repo", repo.String()).Str("lifecycle", found.Lifecycle.Name).Str("from", found.From).Str("fingerprint", found.Fingerprint).
			Msg("these rules are in force")
	}
}

// Weights, in about bytes: a lifecycle's moves make nearly all of it.
const weightOfMove = 400

// weigh counts what an entry takes, and lets go of the entries that were used least recently once it is too much.
func (c *Cache) weigh(repo issues.Repository, entry *cacheEntry) {
	weight := 0
	for _, f := range entry.files {
		weight += len(f.text)
	}
	if entry.ownLife != nil {
		weight += weightOfMove * len((*entry.ownLife).Pairs)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	key := keyOf(repo)
	if held, ok := c.entries.Peek(key); !ok || held != entry {
		return // it was let go in between
	}
	c.weight += weight - entry.weight
	entry.weight = weight
	for c.weight > maxWeight && c.entries.Len() > 1 {
		c.entries.RemoveOldest()
	}
}
