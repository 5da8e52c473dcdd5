package issues

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
	"unique"

	"github.com/google/go-github/v62/github"
	"github.com/maypok86/otter/v2"
	"github.com/rs/zerolog"

	"github.com/colony-app/colony/bounded"
)

// A log only grows at its end. So that an issue costs the same however old it is, the pages of its log are remembered: only what is of use of each,
// and its tag. A settled page is one on which nothing happened for so long that Colony no longer reconciles anything on it. It is not read again while
// the page after the settled ones begins as before, which is read each time. If anything before were gone, what follows would have moved up.

// logPage is what is remembered of one page of a log.
type logPage struct {
	etag   string
	first  int64 // the id of its first event; 0 without events
	newest time.Time
	full   bool // there might be another page
	events []logEvent
}

// errLogMoved says that a log does not go on as it was remembered.
var errLogMoved = errors.New("the log is not the one that was read before")

const (
	// logsBytes bounds what is remembered of all logs together. What was forgotten is read again, from the first page.
	logsBytes = 8 << 20
	// pageBytes is about what a page weighs in addition to its events, and eventBytes what an event does.
	pageBytes, eventBytes = 400, 64
	// knownFor is how long a log is remembered, used or not. What changes within its pages, such as the login of the person who made an entry, is
	// noticed after that.
	knownFor = 24 * time.Hour
)

// knownLog is what is remembered of a log.
type knownLog struct {
	issue int64     // whose it is: GitHub's id
	since time.Time // when it was read from the first page
	pages []logPage
}

func newLogCache() *otter.Cache[string, knownLog] {
	return bounded.ByWeight(logsBytes, func(key string, known knownLog) int {
		total := len(key) + pageBytes
		for _, p := range known.pages {
			total += pageBytes + eventBytes*len(p.events)
		}
		return total
	})
}

// pages reads those pages of an issue's log that have to be read.
func (s logs) pages(ctx context.Context, client *github.Client, ref Ref, issue int64) ([]logPage, error) {
	key := strings.ToLower(fmt.Sprintf("%d/%d/%s", ref.Installation, ref.ID, ref))
	now := s.Clock.Now()
	known, there := s.known.GetIfPresent(key)
	if !there || known.issue != issue || now.Sub(known.since) >= knownFor {
		known = knownLog{issue: issue, since: now}
	}
	pages, err := readPages(ctx, client, ref, known.pages, settledPages(s.Settings, known.pages))
	if errors.Is(err, errLogMoved) {
		zerolog.Ctx(ctx).Debug().Stringer("issue", ref).Msg("entries are gone from a list of the issue; it is read from the beginning")
		known.since = now
		pages, err = readPages(ctx, client, ref, nil, 0)
	}
	if err != nil {
		return nil, err
	}
	known.pages = pages
	s.known.Set(key, known)
	return pages, nil
}

// readPages reads the pages of a log that have to be read.
func readPages(ctx context.Context, client *github.Client, ref Ref, known []logPage, settled int) ([]logPage, error) {
	var pages []logPage
	for {
		n := len(pages)
		if n < settled {
			pages = append(pages, known[n])
			continue
		}
		var before logPage
		if n < len(known) {
			before = known[n]
		}
		page, err := readPage(ctx, client, ref, n+1, before)
		switch {
		case err != nil:
			return nil, err
		case settled > 0 && n <= settled && page.first != before.first:
			return nil, errLogMoved
		case n > 0 && page.first != 0 && page.first == pages[n-1].first:
			return nil, fmt.Errorf("GitHub gives the same for pages %d and %d", n, n+1)
		}
		if pages = append(pages, page); !page.full {
			return pages, nil
		}
	}
}

// settledPages counts the pages at the beginning of a log on which nothing happened for so long that they need not be read again.
func settledPages(settings *Settings, known []logPage) int {
	if settings.Settled == 0 {
		return 0
	}
	horizon, n := settings.Clock.Now().Add(-settings.Settled), 0
	for n+1 < len(known) && known[n].newest.Before(horizon) && known[n+1].first != 0 {
		n++
	}
	return n
}

// readPage reads a page of a log, on the condition that it is not as it was before. A full page is followed by another, or by an empty one: GitHub's
// "not modified" is of the page alone and does not tell whether one follows by now.
func readPage(ctx context.Context, client *github.Client, ref Ref, number int, before logPage) (logPage, error) {
	path := fmt.Sprintf("repos/%s/%s/issues/%d/events?per_page=%d&page=%d", ref.Owner, ref.Name, ref.Number, perPage, number)
	request, err := client.NewRequest(http.MethodGet, path, nil)
	if err != nil {
		return logPage{}, fmt.Errorf("ask for %s: %w", path, err)
	}
	request.Header.Set("Cache-Control", "no-store") // what is of use is kept here
	if before.etag != "" {
		request.Header.Set("If-None-Match", before.etag)
	}
	var events []event
	response, err := call(ctx, client, request, &events)
	if before.etag != "" && isStatus(err, http.StatusNotModified) {
		return before, nil
	}
	if err != nil {
		return logPage{}, asNotFound(err)
	}
	page := logPage{etag: response.Header.Get("ETag"), full: len(events) >= perPage || response.NextPage != 0}
	for i, e := range events {
		if i == 0 {
			page.first = e.ID
		}
		page.newest = Latest(page.newest, e.Created)
		kind, isOf := logEventKinds[e.Event]
		if !isOf || kind <= unlabeled && e.Label.Name == "" {
			continue
		}
		who, of := e.Actor, e.Label.Name
		switch kind {
		case assigned, unassigned:
			who, of = e.Assignee, e.Assigner.Login
		case renamed:
			of = e.Rename.From
		}
		page.events = append(page.events, logEvent{
			id: e.ID, at: e.Created.UnixMilli(), kind: kind,
			label: unique.Make(of), login: unique.Make(who.Login),
			bot: who.Type == botType, via: e.Via.ID,
		})
	}
	page.events = slices.Clip(page.events)
	return page, nil
}
