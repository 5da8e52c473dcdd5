package issues

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
	"unique"

	"github.com/google/go-github/v62/github"
	"github.com/maypok86/otter/v2"
	"github.com/rs/zerolog"
)

// The pages of an issue's log are remembered, only what is of use of each; see readPages. A page is settled once nothing on it may be
// judged any more.
const (
	// logsBytes bounds what is remembered of all logs together. What was forgotten is read again, from the first page.
	logsBytes = 8 << 20
	// logKnownFor is how long a log is remembered, used or not. What changes within its pages, such as the login of somebody who
	// changed it, is noticed after that.
	logKnownFor = 24 * time.Hour
)

// knownLog is what is remembered of the log of an issue.
type knownLog struct {
	issue int64     // the issue's id
	since time.Time // when it was read from the first page
	pages []logPage
}

// logPage is what is remembered of one page of a log.
type logPage struct {
	listPage
	events []logEvent // changes of labels
	others []logEvent
	digest [sha256.Size]byte // of the changes of labels
	sum    [sha256.Size]byte // of those and the pages before
}

func (p logPage) list() listPage { return p.listPage }

// logEvent is what is remembered of one event of a log, as GitHub told it: who counts as what depends on the settings.
type logEvent struct {
	id           int64
	at           int64 // in milliseconds: GitHub has seconds, other servers of its API more
	kind         logEventKind
	label, login unique.Handle[string] // the login of who made it, or of who was assigned
	bot          bool
	via          int64 // the App that it was made with
}

func (e logEvent) time() time.Time { return time.UnixMilli(e.at).UTC() }

// logEventKind is what an event tells.
type logEventKind uint8

// The kinds of events that are of use.
const (
	labeled logEventKind = iota + 1
	unlabeled
	reopened
	renamed
	unblocked
	unlocked
	assigned
	unassigned
)

var logEventKinds = map[string]logEventKind{
	"labeled": labeled, "unlabeled": unlabeled, "reopened": reopened, "renamed": renamed, "blocked_by_removed": unblocked,
	"unlocked": unlocked, "assigned": assigned, "unassigned": unassigned,
}

// What is remembered weighs about so much.
const (
	pageBytes  = 400
	eventBytes = 64
)

func newLogs() *otter.Cache[string, knownLog] {
	return otter.Must(&otter.Options[string, knownLog]{ // only options that do not go together fail
		MaximumWeight: logsBytes,
		Weigher: func(key string, l knownLog) uint32 {
			weight := len(key) + pageBytes
			for _, p := range l.pages {
				weight += pageBytes + eventBytes*(len(p.events)+len(p.others))
			}
			return uint32(weight)
		},
		Executor: func(do func()) { do() }, // the bound holds as soon as something is remembered
	})
}

// log reads the log of an issue, whose id is given.
func (s *Store) log(ctx context.Context, client *github.Client, v *View, id int64) error {
	key := strings.ToLower(fmt.Sprintf("%d/%d/%s", v.Ref.Installation, v.Ref.ID, v.Ref))
	now := s.Clock.Now()
	known, there := s.logs.GetIfPresent(key)
	if !there || known.issue != id || now.Sub(known.since) >= logKnownFor {
		known = knownLog{issue: id, since: now}
	}
	pages, err := s.readLog(ctx, client, v.Ref, known.pages)
	if errors.Is(err, errListMoved) {
		zerolog.Ctx(ctx).Debug().Stringer("issue", v.Ref).Msg("events are gone from the log; it is read from the beginning")
		known.since = now
		pages, err = s.readLog(ctx, client, v.Ref, nil)
	}
	if err != nil {
		return err
	}
	known.pages = pages
	s.logs.Set(key, known)
	s.add(v, pages, s.settledPages(listPages(pages, logPage.list)))
	return nil
}

// readLog reads the pages of a log that have to be read.
func (s *Store) readLog(ctx context.Context, client *github.Client, ref Ref, known []logPage) ([]logPage, error) {
	pages, err := readPages(known, s.settledPages(listPages(known, logPage.list)), logPage.list, func(number int, before logPage) (logPage, error) {
		return readLogPage(ctx, client, ref, number, before)
	})
	if err != nil {
		return nil, fmt.Errorf("read the events of %s: %w", ref, err)
	}
	for i, p := range pages {
		pages[i].sum = sha256.Sum256(slices.Concat(lastSum(pages[:i]), p.digest[:]))
	}
	return pages, nil
}

// readLogPage reads a page of a log, on the condition that it is not as it was before.
func readLogPage(ctx context.Context, client *github.Client, ref Ref, number int, before logPage) (logPage, error) {
	path := fmt.Sprintf("repos/%s/%s/issues/%d/events?per_page=%d&page=%d", ref.Owner, ref.Name, ref.Number, perPage, number)
	request, err := client.NewRequest(http.MethodGet, path, nil)
	if err != nil {
		return before, fmt.Errorf("ask for %s: %w", path, err)
	}
	events, list, unmodified, err := readPage[*github.IssueEvent](ctx, client, request, before.listPage)
	if err != nil || unmodified {
		return before, err
	}
	page := logPage{listPage: list}
	for i, e := range events {
		at := e.GetCreatedAt().Time
		if i == 0 {
			page.first = strconv.FormatInt(e.GetID(), 10)
		}
		if at.After(page.newest) {
			page.newest = at
		}
		kind, of := logEventKinds[e.GetEvent()]
		if !of || kind <= unlabeled && e.GetLabel().GetName() == "" {
			continue
		}
		who := e.GetActor()
		if kind == assigned || kind == unassigned {
			who = e.GetAssignee()
		}
		event := logEvent{
			id: e.GetID(), at: at.UnixMilli(), kind: kind,
			label: unique.Make(e.GetLabel().GetName()), login: unique.Make(who.GetLogin()),
			bot: who.GetType() == botType, via: e.GetPerformedViaGithubApp().GetID(),
		}
		if kind <= unlabeled {
			page.events = append(page.events, event)
		} else {
			page.others = append(page.others, event)
		}
	}
	page.events, page.others = slices.Clip(page.events), slices.Clip(page.others)
	page.digest = digestOf(page.events)
	return page, nil
}

// add adds what pages tell to a view, of which so many are settled.
func (s *Store) add(v *View, pages []logPage, settled int) {
	v.Settled = Settled{pages[:settled], s.cast}
	v.Changes = changesOf(s.cast, pages[settled:])
	for _, p := range pages {
		for _, e := range p.others {
			switch at := e.time(); e.kind {
			case assigned, unassigned:
				v.Assignments = append(v.Assignments, Assignment{ID: e.id, Added: e.kind == assigned, To: e.login.Value(), At: at})
			case reopened:
				v.Reopened = at
			case unlocked:
				v.Unlocked = at
			case unblocked:
				v.Unblocked = at
			case renamed:
				v.Renamed = append(v.Renamed, Renaming{By: e.login.Value(), At: at})
			}
		}
	}
}
