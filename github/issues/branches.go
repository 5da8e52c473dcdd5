package issues

import (
	"context"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/go-github/v62/github"
)

// Branches are the patterns by which a branch is named after the issue that it is for: {number} stands for the issue's number,
// and * for anything. The zero value names no issue.
type Branches struct {
	patterns []string
	matches  []*regexp.Regexp
}

// DefaultBranches are the patterns that hold where nothing else is configured.
var DefaultBranches = []string{"colony/{number}", "colony/{number}-*", "{number}-*"}

const numberMark = "{number}"

// ParseBranches reads patterns. Each has {number} once.
func ParseBranches(patterns []string) (Branches, error) {
	var b Branches
	for _, p := range patterns {
		if strings.Count(p, numberMark) != 1 || strings.ContainsAny(strings.Replace(p, numberMark, "", 1), "{} ") {
			return Branches{}, fmt.Errorf("%q does not name an issue: write {number} once, and * for anything", p)
		}
		form := strings.ReplaceAll(regexp.QuoteMeta(p), `\*`, `.*`)
		form = strings.Replace(form, regexp.QuoteMeta(numberMark), `([1-9]\d{0,8})`, 1)
		b.patterns, b.matches = append(b.patterns, p), append(b.matches, regexp.MustCompile(`^`+form+`$`))
	}
	return b, nil
}

// Issue returns the number of the issue that a branch is named after.
func (b Branches) Issue(branch string) (number int, ok bool) {
	for _, m := range b.matches {
		if found := m.FindStringSubmatch(branch); found != nil {
			number, err := strconv.Atoi(found[1])
			return number, err == nil
		}
	}
	return 0, false
}

// pullLists reads the lists of a repository's pull requests, each page once.
type pullLists struct {
	pulls
	client *github.Client
	repo   Repository
	read   map[string]heads
}

// namesakes lists the pull requests of branches that are named after an issue: of those that are open, and of the closed ones
// that changed last.
func (l *pullLists) namesakes(ctx context.Context, issue int) ([]int, error) {
	if len(l.Branches.matches) == 0 {
		return nil, nil
	}
	var numbers []int
	for _, list := range []struct {
		query string
		pages int
	}{
		{openPulls, openPages},
		{closedPulls, 1},
	} {
		all, err := l.pages(ctx, list.query, list.pages)
		if err != nil {
			return nil, err
		}
		for _, h := range all {
			if n, ok := l.Branches.Issue(h.branch); ok && n == issue {
				numbers = append(numbers, h.number)
			}
		}
	}
	return numbers, nil
}

// The lists of a repository's pull requests.
const (
	openPulls   = "state=open&sort=created&direction=desc"
	closedPulls = "state=closed&sort=updated&direction=desc"
)

// head is the newest commit of a pull request, its branch if that is one of the repository itself, and the branch that it leads to.
type head struct {
	number int
	branch string
	commit string
	base   string
	// issues are those that it says it is for, as of when GitHub had changed it last; see IssuesOf. To read a text takes a millisecond.
	issues  []int
	updated time.Time
}

// heads is what is kept of a list of pull requests. The lists are the same for all issues of a repository, and large: so they are
// kept as this, and asked for again with a condition (https://docs.github.com/rest/using-the-rest-api/best-practices-for-using-the-rest-api#use-conditional-requests-if-appropriate).
type heads struct {
	etag string
	list []head
	more bool
}

// headsKept bounds the lists that are kept, some kilobytes each.
const headsKept = 500

// recent reports whether something changed so shortly before an answer that it may have changed again within the same second.
func recent(at time.Time, response *github.Response) bool {
	answered, err := http.ParseTime(response.Header.Get("Date"))
	return err != nil || answered.Sub(at) < 2*time.Second
}

func (s pulls) in(client *github.Client, repo Repository) *pullLists {
	return &pullLists{s, client, repo, map[string]heads{}}
}

// open lists the repository's open pull requests, as many as are searched.
func (l *pullLists) open(ctx context.Context) ([]head, error) {
	return l.pages(ctx, openPulls, openPages)
}

// pages reads a list, so many pages of it at most.
func (l *pullLists) pages(ctx context.Context, query string, most int) (all []head, err error) {
	for page, more := 1, true; more && page <= most; page++ {
		var list []head
		if list, more, err = l.heads(ctx, fmt.Sprintf("%s&per_page=%d&page=%d", query, perPage, page)); err != nil {
			return nil, err
		}
		all = append(all, list...)
	}
	return all, nil
}

// heads reads a page of a list.
func (l *pullLists) heads(ctx context.Context, query string) (list []head, more bool, err error) {
	if read, known := l.read[query]; known {
		return read.list, read.more, nil
	}
	list, more, err = l.readHeads(ctx, query)
	if err == nil {
		l.read[query] = heads{list: list, more: more}
	}
	return list, more, err
}

func (l *pullLists) readHeads(ctx context.Context, query string) (list []head, more bool, err error) {
	repo := l.repo
	path := fmt.Sprintf("repos/%s/%s/pulls?%s", repo.Owner, repo.Name, query)
	key := fmt.Sprintf("%d/%s", repo.Installation, path)
	request, err := l.client.NewRequest(http.MethodGet, path, nil)
	if err != nil {
		return nil, false, fmt.Errorf("list the pull requests: %w", err)
	}
	kept, known := l.keptHeads.Get(key)
	if known && kept.etag != "" {
		request.Header.Set("If-None-Match", kept.etag)
	}
	var pulls []*github.PullRequest
	response, err := l.client.Do(ctx, request, &pulls)
	if known && isStatus(err, http.StatusNotModified) {
		return kept.list, kept.more, nil
	}
	if err != nil {
		return nil, false, fmt.Errorf("list the pull requests: %w", asNotFound(err))
	}
	now := heads{etag: response.Header.Get("ETag"), more: response.NextPage != 0}
	for _, p := range pulls {
		h := headOf(p)
		i := slices.IndexFunc(kept.list, func(k head) bool { return k.number == h.number && k.updated.Equal(h.updated) && k.base == h.base })
		if i >= 0 && !recent(h.updated, response) {
			h.issues = kept.list[i].issues
		} else {
			h.issues = l.Branches.issuesOf(repo, p)
		}
		if p.GetHead().GetRepo().GetID() == p.GetBase().GetRepo().GetID() {
			h.branch = p.GetHead().GetRef()
		}
		now.list = append(now.list, h)
	}
	l.keptHeads.Add(key, now)
	return now.list, now.more, nil
}
