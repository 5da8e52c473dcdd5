package rules

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

	"github.com/colony-app/colony/app/issues"
	"github.com/colony-app/colony/handlers"
	"github.com/colony-app/colony/statemachine"
)

// Bounds of the memory. What does not fit is read again.
const (
	pagesKept = 10_000
	// weightKept bounds what strangers' files take, in about bytes.
	weightKept = 256 << 20
)

// Book tells the rules of repositories. What it read it remembers for a time, also that there is nothing: GitHub counts an
// answer "not found" against the rate limit. It is safe for concurrent use.
type Book struct {
	clients issues.Clients
	server  Rules
	keep    time.Duration
	clock   clockwork.Clock
	log     zerolog.Logger

	mu     sync.Mutex
	pages  *simplelru.LRU[string, *page]
	weight int
}

// page is what is known of the files of one repository.
type page struct {
	// forgotten counts how often the page was to be read again.
	forgotten atomic.Int64
	broken    atomic.Int64

	mu    sync.Mutex // held while it is read
	seen  bool
	at    time.Time // when it was read
	as    int64     // how often it had been forgotten then
	files map[string]file

	judged      bool
	below       string // the version of what held below it when it was judged
	found       Found
	ownLife     *statemachine.Lifecycle
	ownSettings *[]byte
	weight      int
}

// Found are the rules of a repository, and what is wrong with its own files.
type Found struct {
	Rules
	Broken []Broken
}

// NewBook returns a book that reads through clients and falls back to the rules of the server. What it reads it keeps for a time.
func NewBook(clients issues.Clients, server Rules, keep time.Duration, clock clockwork.Clock, log zerolog.Logger) *Book {
	b := &Book{clients: clients, server: server, keep: keep, clock: clock, log: log}
	pages, err := simplelru.NewLRU(pagesKept, func(_ string, p *page) { b.weight -= p.weight })
	if err != nil {
		panic(fmt.Sprintf("make the memory of rules: %v", err)) // only a size below 1 fails
	}
	b.pages = pages
	return b
}

// Of returns the rules of a repository. An error means that they could not be read, never that there are none.
func (b *Book) Of(ctx context.Context, repo issues.Repository) (Found, error) {
	below := b.server
	if !handlers.SpeaksForOthers(repo.Name) {
		owner, err := b.level(ctx, ownerOf(repo), below)
		if err != nil {
			return Found{}, err
		}
		below = owner.Rules
	}
	return b.level(ctx, repo, below)
}

// Again returns the rules of a repository as GitHub shows them now.
func (b *Book) Again(ctx context.Context, repo issues.Repository) (Found, error) {
	b.Forget(repo)
	b.Forget(ownerOf(repo))
	return b.Of(ctx, repo)
}

// Forget reads the files of a repository again when they are needed next.
func (b *Book) Forget(repo issues.Repository) { b.page(repo).forgotten.Add(1) }

// ForgetOlder forgets what was read of a repository, and of the one that speaks for it, longer ago than that.
func (b *Book) ForgetOlder(repo issues.Repository, than time.Duration) {
	for _, r := range []issues.Repository{repo, ownerOf(repo)} {
		p := b.page(r)
		p.mu.Lock()
		if p.seen && b.clock.Since(p.at) > than {
			p.forgotten.Add(1)
		}
		p.mu.Unlock()
	}
}

// Broken counts the repositories known to have a broken file.
func (b *Book) Broken() int {
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
	return issues.Repository{Installation: repo.Installation, Owner: repo.Owner, Name: handlers.SettingsFolder}
}

func (b *Book) page(repo issues.Repository) *page {
	key := fmt.Sprintf("%d/%s", repo.Installation, strings.ToLower(repo.String()))
	b.mu.Lock()
	defer b.mu.Unlock()
	p, ok := b.pages.Get(key)
	if !ok {
		p = &page{}
		b.pages.Add(key, p)
	}
	return p
}

// level returns the rules of a repository where others hold below its own. Whoever asks meanwhile waits for the one answer.
func (b *Book) level(ctx context.Context, repo issues.Repository, below Rules) (Found, error) {
	p := b.page(repo)
	p.mu.Lock()
	defer p.mu.Unlock()
	if as, now := p.forgotten.Load(), b.clock.Now(); !p.seen || p.as != as || now.Sub(p.at) >= b.keep {
		files, err := b.read(ctx, repo, p.files)
		if err != nil {
			return Found{}, err
		}
		p.judged = p.judged && sameFiles(p.files, files)
		p.files, p.seen, p.at, p.as = files, true, now, as
	}
	if p.judged && p.below == below.version {
		return p.found, nil
	}
	found, err := b.judge(ctx, repo, p, below)
	if err != nil {
		return Found{}, err
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

// judge makes rules of the files.
func (b *Book) judge(ctx context.Context, repo issues.Repository, p *page, below Rules) (Found, error) {
	var found Found
	life, from := below.Lifecycle, below.From
	s := setting{below: below.Lifecycle}
	if head, there := p.files[LifecycleFile]; there {
		s.ownFile = true
		own, broken, err := inForce(ctx, b, repo, LifecycleFile, head, p.lastLifecycle(), func(text []byte) (*statemachine.Lifecycle, error) {
			return statemachine.Parse(LifecycleFile, text)
		})
		if err != nil {
			return Found{}, err
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
			return Found{}, err
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
	found.Rules = below
	if life != below.Lifecycle || len(logins) > 0 || automated {
		found.Rules = New(life, layered(below.listed, logins), from).Automate(automation)
	}
	return found, nil
}

func (p *page) lastLifecycle() **statemachine.Lifecycle {
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
func (b *Book) settings(ctx context.Context, repo issues.Repository, p *page, head file, s setting) (*settledSettings, *Broken, error) {
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
	choice, broken, err := inForce(ctx, b, repo, SettingsFile, head, before, check)
	if err != nil {
		return nil, nil, err
	}
	if broken == nil && len(choice.ignored) > 0 {
		broken = &Broken{Path: SettingsFile, Blob: head.blob, Problems: choice.ignored, Applies: true}
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
func (b *Book) tell(repo issues.Repository, p *page, found Found) {
	for _, broken := range found.Broken {
		if slices.ContainsFunc(p.found.Broken, func(known Broken) bool { return known.ID() == broken.ID() }) {
			continue
		}
		b.log.Warn().Str("repo", repo.String()).Str("commit", broken.Commit).Str("instead", broken.Instead).Stringer("problem", broken).
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

// weigh counts what a page takes, and lets go of those that were used least recently once it is too much.
func (b *Book) weigh(repo issues.Repository, p *page) {
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
