package issues

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/google/go-github/v62/github"
	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/jonboulle/clockwork"
	"github.com/maypok86/otter/v2"
)

// perPage is GitHub's largest page.
const perPage = 100

// ErrGone says that there is no such issue any more, or not for Colony: deleted, transferred, or out of reach.
var ErrGone = errors.New("the issue is gone")

// ErrMoved says that the issue was transferred: it is somewhere else now.
var ErrMoved = fmt.Errorf("it was transferred: %w", ErrGone)

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

// Load reads an issue and its log, in two calls as long as the log fits one page. The issue is read first: should
// something happen in between, the log is the newer of the two, and what is decided from it can be written twice
// without harm. The error is ErrGone if there is no such issue in this repository.
func (s *Store) Load(ctx context.Context, ref Ref) (View, error) {
	client, err := s.client(ref.Repository)
	if err != nil {
		return View{}, err
	}
	request, err := client.NewRequest(http.MethodGet, fmt.Sprintf("repos/%s/%s/issues/%d", ref.Owner, ref.Name, ref.Number), nil)
	if err != nil {
		return View{}, fmt.Errorf("read issue %s: %w", ref, err)
	}
	full := &related{}
	response, err := client.Do(ctx, request, full)
	if err != nil {
		return View{}, fmt.Errorf("read issue %s: %w", ref, asNotFound(err))
	}
	issue := &full.Issue
	if moved(issue, response, ref) {
		return View{}, fmt.Errorf("read issue %s: it is %s now: %w", ref, issue.GetURL(), ErrMoved)
	}
	v := View{
		Ref: ref, NodeID: issue.GetNodeID(), Title: issue.GetTitle(), Body: issue.GetBody(),
		Author: s.cast.Actor(issue.GetUser(), nil), Association: issue.GetAuthorAssociation(),
		Created: issue.GetCreatedAt().Time, Updated: issue.GetUpdatedAt().Time,
		PullRequest: issue.IsPullRequest(), Closed: issue.GetState() == "closed", Locked: issue.GetLocked(),
		Reactions: issue.GetReactions().GetTotalCount(),
	}
	for _, a := range issue.Assignees {
		v.Assignees = append(v.Assignees, a.GetLogin())
	}
	if full.SubIssues != nil {
		v.SubIssues = &Progress{Done: full.SubIssues.Completed, Total: full.SubIssues.Total}
	}
	if full.Dependencies != nil {
		v.BlockedBy = &full.Dependencies.TotalBlockedBy
	}
	for _, l := range issue.Labels {
		v.Labels = append(v.Labels, l.GetName())
	}
	if v.PullRequest {
		return v, nil
	}
	err = s.log(ctx, client, &v, issue.GetID())
	return v, err
}

// byID is the address by id that GitHub redirects to:
// https://docs.github.com/rest/using-the-rest-api/best-practices-for-using-the-rest-api#follow-redirects.
var byID = regexp.MustCompile(`/repositories/(\d+)/issues/\d+$`)

// moved reports whether GitHub redirected us to an issue of another repository or number. A repository that was renamed is the
// same one, as its id tells; the issue itself tells only the name of its repository.
func moved(issue *github.Issue, response *github.Response, ref Ref) bool {
	if issue.GetNumber() != ref.Number {
		return true
	}
	if id := byID.FindStringSubmatch(response.Request.URL.Path); id != nil && ref.ID != 0 {
		return id[1] != strconv.FormatInt(ref.ID, 10)
	}
	repo := strings.ToLower(issue.GetRepositoryURL())
	return repo != "" && !strings.HasSuffix(repo, strings.ToLower("/repos/"+ref.Owner+"/"+ref.Name))
}

// Comments reads the comments that were written or changed since a time, oldest first.
func (s *Store) Comments(ctx context.Context, ref Ref, since time.Time) ([]Comment, error) {
	client, err := s.client(ref.Repository)
	if err != nil {
		return nil, err
	}
	var comments []Comment
	options := &github.IssueListCommentsOptions{Since: &since, ListOptions: github.ListOptions{PerPage: perPage}}
	for {
		batch, response, err := client.Issues.ListComments(ctx, ref.Owner, ref.Name, ref.Number, options)
		if err != nil {
			return nil, fmt.Errorf("read the comments of %s: %w", ref, asNotFound(err))
		}
		for _, c := range batch {
			comments = append(comments, Comment{
				ID: c.GetID(), NodeID: c.GetNodeID(), By: s.cast.Actor(c.GetUser(), nil), Body: c.GetBody(),
				Created: c.GetCreatedAt().Time, Updated: c.GetUpdatedAt().Time, Reactions: c.GetReactions().GetTotalCount(),
			})
		}
		if response.NextPage == 0 {
			return comments, nil
		}
		options.Page = response.NextPage
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
