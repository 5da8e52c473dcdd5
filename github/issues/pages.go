package issues

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/google/go-github/v62/github"
	"github.com/maypok86/otter/v2"
	"github.com/rs/zerolog"

	"github.com/colony-app/colony/bounded"
)

// Some lists of an issue only grow at their end. So that they cost the same however old the issue is, their pages are remembered: only what is of use
// of each, and its tag. A settled page is one on which nothing happened for long. It is not read again while the page after the settled ones begins
// as before, which is read each time. If anything before were gone, what follows would have moved up.

// listPage is what is remembered of one page of a list, in addition to what it says.
type listPage struct {
	etag   string
	first  string // what its first entry is known by; empty without entries
	newest time.Time
	full   bool // there might be another page
	// changes says that what the page says can change although nothing happens on it, so that it is read again even if it is settled.
	changes bool
}

// errListMoved says that a list does not go on as it was remembered.
var errListMoved = errors.New("the list is not the one that was read before")

// anyPage is a page of any list, with what it says.
type anyPage interface{ list() listPage }

func (p listPage) list() listPage { return p }

// knownFor is how long a list is remembered, used or not. What changes within its pages, such as the login of the person who made an entry, is
// noticed after that.
const knownFor = 24 * time.Hour

// pageBytes is about what a page weighs in addition to what it says.
const pageBytes = 400

type knownPages[P anyPage] struct {
	key   string    // under which it is remembered
	issue string    // whose list it is: GraphQL's name of the issue, or its id
	since time.Time // when it was read from the first page
	pages []P
}

// pageCache remembers lists. What was forgotten is read again, from the first page.
type pageCache[P anyPage] struct {
	lists *otter.Cache[string, knownPages[P]]
}

func newPageCache[P anyPage](most uint64, weight func(P) int) pageCache[P] {
	return pageCache[P]{bounded.ByWeight(most, func(key string, known knownPages[P]) int {
		total := len(key) + pageBytes
		for _, p := range known.pages {
			total += pageBytes + weight(p)
		}
		return total
	})}
}

// pageReader reads a page of a list, by its number and what it was before.
type pageReader[P anyPage] func(number int, before P) (P, error)

// read reads those pages of an issue's list that have to be read.
func (c pageCache[P]) read(ctx context.Context, settings *Settings, ref Ref, issue string, next pageReader[P]) ([]P, error) {
	known := c.known(settings, ref)
	if known.issue != issue {
		known = knownPages[P]{key: known.key, issue: issue, since: settings.Clock.Now()}
	}
	known, err := known.read(ctx, settings, ref, next)
	if err != nil {
		return nil, err
	}
	c.keep(known)
	return known.pages, nil
}

// known is what is remembered of the list of the issue that had a number last.
func (c pageCache[P]) known(settings *Settings, ref Ref) knownPages[P] {
	key, now := strings.ToLower(fmt.Sprintf("%d/%d/%s", ref.Installation, ref.ID, ref)), settings.Clock.Now()
	known, there := c.lists.GetIfPresent(key)
	if !there || now.Sub(known.since) >= knownFor {
		return knownPages[P]{key: key, since: now}
	}
	return known
}

func (c pageCache[P]) keep(known knownPages[P]) { c.lists.Set(known.key, known) }

// read reads the pages that have to be read again, and what follows.
func (k knownPages[P]) read(ctx context.Context, settings *Settings, ref Ref, next pageReader[P]) (knownPages[P], error) {
	pages, err := readPages(k.pages, settledPages(settings, k.pages), next)
	if errors.Is(err, errListMoved) {
		zerolog.Ctx(ctx).Debug().Stringer("issue", ref).Msg("entries are gone from a list of the issue; it is read from the beginning")
		k.since = settings.Clock.Now()
		pages, err = readPages(nil, 0, next)
	}
	k.pages = pages
	return k, err
}

// readPages reads the pages of a list that have to be read. read reads one, by its number and what it was before.
func readPages[P anyPage](known []P, settled int, read pageReader[P]) ([]P, error) {
	var pages []P
	for {
		n := len(pages)
		if n < settled && !known[n].list().changes {
			pages = append(pages, known[n])
			continue
		}
		var before P
		if n < len(known) {
			before = known[n]
		}
		next, err := read(n+1, before)
		if err != nil {
			return nil, err
		}
		page := next.list()
		switch {
		case settled > 0 && n <= settled && page.first != before.list().first:
			return nil, errListMoved
		case n > 0 && page.first != "" && page.first == pages[n-1].list().first:
			return nil, fmt.Errorf("GitHub gives the same for pages %d and %d", n, n+1)
		}
		pages = append(pages, next)
		if !page.full {
			return pages, nil
		}
	}
}

// settledPages counts the pages at the beginning of a list on which nothing happened for so long that they need not be read again.
func settledPages[P anyPage](settings *Settings, known []P) int {
	if settings.Settled == 0 {
		return 0
	}
	horizon, n := settings.Clock.Now().Add(-settings.Settled), 0
	for n+1 < len(known) && known[n].list().newest.Before(horizon) && known[n+1].list().first != "" {
		n++
	}
	return n
}

func each[E any](ctx context.Context, client *github.Client, path string, do func(*E)) error {
	sign := "?"
	if strings.Contains(path, sign) {
		sign = "&"
	}
	for page := 1; page != 0; {
		var batch []E
		response, err := ask(ctx, client, http.MethodGet, fmt.Sprintf("%s%sper_page=%d&page=%d", path, sign, perPage, page), nil, &batch)
		if err != nil {
			return err
		}
		for i := range batch {
			do(&batch[i])
		}
		page = response.NextPage
	}
	return nil
}

// readPage reads a page of a list, on the condition that it is not as it was before. unmodified says that it is. A full page is followed
// by another, or by an empty one: GitHub's "not modified" is of the page alone and does not tell whether one follows by now.
func readPage[E any](ctx context.Context, client *github.Client, path string, before listPage) (entries []E, page listPage, unmodified bool, err error) {
	request, err := client.NewRequest(http.MethodGet, path, nil)
	if err != nil {
		return nil, listPage{}, false, fmt.Errorf("ask for %s: %w", path, err)
	}
	request.Header.Set("Cache-Control", "no-store") // what is of use is kept here
	if before.etag != "" {
		request.Header.Set("If-None-Match", before.etag)
	}
	response, err := call(ctx, client, request, &entries)
	if before.etag != "" && isStatus(err, http.StatusNotModified) {
		return nil, before, true, nil
	}
	if err != nil {
		return nil, listPage{}, false, asNotFound(err)
	}
	return entries, listPage{etag: response.Header.Get("ETag"), full: len(entries) >= perPage || response.NextPage != 0}, false, nil
}
