package issues

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/google/go-github/v62/github"
)

// Some lists of an issue only grow at their end. So that they cost the same however old the issue is, their pages are remembered: only
// what is of use of each, and its tag. A settled page, on which nothing happened for long, is not read again as long as the page after
// the settled ones begins as before, which is read each time: if anything before were gone, what follows would have moved up.

// listPage is what is remembered of one page of a list beside what it says.
type listPage struct {
	etag   string
	first  string // what its first entry is known by; empty if there is none
	newest time.Time
	full   bool // there may be another page
	// changes says that what the page says may change although nothing happens on it, so that it is read again even if it is settled.
	changes bool
}

// errListMoved says that a list does not go on as it was remembered.
var errListMoved = errors.New("the list is not the one that was read before")

// readPages reads the pages of a list that have to be read. of tells what is remembered of a page beside what it says, and read reads
// one, by its number and what it was before.
func readPages[P any](known []P, settled int, of func(P) listPage, read func(number int, before P) (P, error)) ([]P, error) {
	var pages []P
	for {
		n := len(pages)
		if n < settled && !of(known[n]).changes {
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
		page := of(next)
		switch {
		case settled > 0 && n <= settled && page.first != of(before).first:
			return nil, errListMoved
		case n > 0 && page.first != "" && page.first == of(pages[n-1]).first:
			return nil, fmt.Errorf("GitHub gives the same for pages %d and %d", n, n+1)
		}
		pages = append(pages, next)
		if !page.full {
			return pages, nil
		}
	}
}

// settledPages counts the pages at the beginning of a list on which nothing happened for so long that they need not be read again.
func (s *Store) settledPages(known []listPage) int {
	if s.Settled == 0 {
		return 0
	}
	horizon, n := s.Clock.Now().Add(-s.Settled), 0
	for n+1 < len(known) && known[n].newest.Before(horizon) && known[n+1].first != "" {
		n++
	}
	return n
}

// listPages are what is remembered of pages beside what they say.
func listPages[P any](pages []P, of func(P) listPage) []listPage {
	var list []listPage
	for _, p := range pages {
		list = append(list, of(p))
	}
	return list
}

// readPage reads a page of a list, on the condition that it is not as it was before. unmodified says that it is. A full page is followed
// by another, or by an empty one: GitHub's "not modified" is of the page alone and does not tell whether one follows by now.
func readPage[E any](ctx context.Context, client *github.Client, request *http.Request, before listPage) (entries []E, page listPage, unmodified bool, err error) {
	request.Header.Set("Cache-Control", "no-store") // what is of use is kept here
	if before.etag != "" {
		request.Header.Set("If-None-Match", before.etag)
	}
	response, err := client.Do(ctx, request, &entries)
	if before.etag != "" && isStatus(err, http.StatusNotModified) {
		return nil, before, true, nil
	}
	if err != nil {
		return nil, listPage{}, false, asNotFound(err)
	}
	return slices.Clip(entries), listPage{etag: response.Header.Get("ETag"), full: len(entries) >= perPage || response.NextPage != 0}, false, nil
}
