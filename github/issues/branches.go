package issues

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/go-github/v62/github"
)

// Branches are the patterns by which a branch is named after the issue that it is for: {number} matches the issue's number, and * anything. The zero
// value names no issue.
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

// namesakes lists the pull requests of branches that are named after an issue: of the open ones, and of the closed ones that changed last.
func (l *pullLists) namesakes(ctx context.Context, issue int) ([]int, error) {
	if len(l.Branches.matches) == 0 {
		return nil, nil
	}
	open, err := l.openNamesakes(ctx, issue, 1)
	if err != nil {
		return nil, err
	}
	closed, err := l.pages(ctx, closedPulls, 1, 1)
	return append(open, l.named(closed, issue)...), err
}

// openNamesakes lists the open ones, from a page on.
func (l *pullLists) openNamesakes(ctx context.Context, issue, from int) ([]int, error) {
	all, err := l.pages(ctx, openPulls, from, openPages)
	return l.named(all, issue), err
}

// named lists the pull requests whose branch is named after an issue.
func (l *pullLists) named(all []head, issue int) (numbers []int) {
	for _, h := range all {
		if n, ok := l.Branches.Issue(h.branch); ok && n == issue {
			numbers = append(numbers, h.number)
		}
	}
	return numbers
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
	// issues are the issues that it says it is for, as of when GitHub had changed it last; see IssuesOf. To read a text takes a millisecond.
	issues  []int
	updated time.Time
}

// heads is what is kept of a page of a list of pull requests. The lists are the same for all issues of a repository, and large: decoding a page
// and reading its texts takes 25 ms.
type heads struct {
	listPage
	heads []head
}

// headsKept bounds the lists that are kept, some kilobytes each.
const headsKept = 500

func (s pulls) in(client *github.Client, repo Repository) *pullLists {
	return &pullLists{s, client, repo, map[string]heads{}}
}

// open lists the repository's open pull requests, as many as are searched.
func (l *pullLists) open(ctx context.Context) ([]head, error) {
	return l.pages(ctx, openPulls, 1, openPages)
}

func (l *pullLists) pages(ctx context.Context, query string, from, to int) (all []head, err error) {
	for page := from; page <= to; page++ {
		found, err := l.page(ctx, fmt.Sprintf("%s&per_page=%d&page=%d", query, perPage, page))
		if err != nil {
			return nil, fmt.Errorf("list the pull requests: %w", err)
		}
		if all = append(all, found.heads...); !found.full {
			break
		}
	}
	return all, nil
}

func (l *pullLists) page(ctx context.Context, query string) (heads, error) {
	if read, known := l.read[query]; known {
		return read, nil
	}
	path := fmt.Sprintf("repos/%s/%s/pulls?%s", l.repo.Owner, l.repo.Name, query)
	key := fmt.Sprintf("%d/%s", l.repo.Installation, path)
	kept, _ := l.keptHeads.Get(key)
	pulls, list, unmodified, err := readPage[github.PullRequest](ctx, l.client, path, kept.listPage)
	if err != nil {
		return heads{}, err
	}
	if !unmodified {
		before := kept.heads
		kept = heads{listPage: list}
		for i := range pulls {
			kept.heads = append(kept.heads, l.head(&pulls[i], before))
		}
		l.keptHeads.Add(key, kept)
	}
	l.read[query] = kept
	return kept, nil
}

// head is what is of use of a pull request. What was known before of the same holds, unless it changed so lately that it can have changed again
// within the same second.
func (l *pullLists) head(p *github.PullRequest, before []head) head {
	h := headOf(p)
	i := slices.IndexFunc(before, func(k head) bool { return k.number == h.number && k.updated.Equal(h.updated) && k.base == h.base })
	if i >= 0 && l.Clock.Now().Sub(h.updated) > clocksDiffer {
		h.issues = before[i].issues
	} else {
		h.issues = l.Branches.issuesOf(l.repo, p)
	}
	if p.GetHead().GetRepo().GetID() == p.GetBase().GetRepo().GetID() {
		h.branch = p.GetHead().GetRef()
	}
	return h
}
