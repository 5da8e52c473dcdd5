package issues

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/google/go-github/v62/github"
)

// Two pull requests that change the same file get into each other's way: one has to be rebased once the other is merged. So the issue
// whose work is older goes first. Whose that is follows from the first of its open pull requests; the order is the same for
// everybody, so that no two issues wait for each other.

// Bounds of what is compared.
const (
	// filePages is how many pages of a pull request's files count.
	filePages = 3
	// othersCompared is how many pull requests of other issues are compared, the newest first.
	othersCompared = 50
	// filesNamed is how many files of an overlap are named, and overlapsNamed how many pull requests.
	filesNamed, overlapsNamed = 5, 5
	// filesKept bounds the lists of files that are kept, usually a kilobyte each.
	filesKept = 1000
)

// overlaps observes that a pull request of the issue changes a file that an older open one of another issue changes too, or that the issue is
// going to change one.
func overlaps(ctx context.Context, r *reading) error {
	own, err := r.pulls.open(ctx)
	if err != nil {
		return err
	}
	found, err := compare(ctx, r, own)
	if err != nil {
		return err
	}
	for _, overlap := range found {
		r.observe("files-overlap", time.Time{}, overlap)
	}
	if len(found) == 0 {
		r.observe("files-clear", time.Time{}, "")
	}
	return nil
}

func compare(ctx context.Context, r *reading, own []*github.PullRequest) (found []string, err error) {
	if len(own) == 0 && r.ask.Planned == nil {
		return nil, nil
	}
	mine := changed{}
	oldest := math.MaxInt // the number of the first of the issue's pull requests; one that is yet to be opened comes after all others
	for _, p := range own {
		oldest = min(oldest, p.GetNumber())
		files, err := r.pulls.lists.files(ctx, headOf(p))
		if err != nil {
			return nil, err
		}
		mine.add(files)
	}
	all, err := r.pulls.lists.open(ctx)
	if err != nil {
		return nil, err
	}
	firsts := firstPullRequests(all)
	older := slices.DeleteFunc(others(all, r.view.Ref.Number), func(h head) bool {
		first := slices.ContainsFunc(h.issues, func(n int) bool { return firsts[n] < oldest })
		return !first || slices.ContainsFunc(own, func(p *github.PullRequest) bool { return p.GetNumber() == h.number })
	})
	if len(own) == 0 && len(older) > 0 {
		planned, err := r.ask.Planned(ctx)
		if err != nil {
			return nil, err
		}
		mine.add(planned)
	}
	for _, h := range older {
		if mine.nothing() || len(found) == overlapsNamed {
			break
		}
		files, err := r.pulls.lists.files(ctx, h)
		if err != nil {
			return nil, err
		}
		if shared := slices.DeleteFunc(slices.Clone(files), func(f string) bool { return !mine.has(f) }); len(shared) > 0 {
			found = append(found, fmt.Sprintf("#%d: %s", h.number, someFiles(shared)))
		}
	}
	return found, nil
}

// changed is a set of files, and of folders with all that is in them.
type changed struct {
	files   map[string]bool
	folders []string // with the slash at the end
}

func (c *changed) add(names []string) {
	for _, name := range names {
		if strings.HasSuffix(name, "/") {
			c.folders = append(c.folders, name)
			continue
		}
		if c.files == nil {
			c.files = map[string]bool{}
		}
		c.files[name] = true
	}
}

func (c *changed) nothing() bool { return len(c.files)+len(c.folders) == 0 }

func (c *changed) has(file string) bool {
	return c.files[file] || slices.ContainsFunc(c.folders, func(folder string) bool { return strings.HasPrefix(file, folder) })
}

// firstPullRequests tells for each issue the number of the first of its open pull requests. Numbers are given in the order in which pull requests
// are opened.
func firstPullRequests(all []head) map[int]int {
	firsts := map[int]int{}
	for _, h := range all {
		for _, n := range h.issues {
			if first, known := firsts[n]; !known || h.number < first {
				firsts[n] = h.number
			}
		}
	}
	return firsts
}

// others lists the pull requests of issues but for one, as many as are compared.
func others(all []head, but int) []head {
	found := slices.DeleteFunc(slices.Clone(all), func(h head) bool { return len(h.issues) == 0 || slices.Contains(h.issues, but) })
	slices.SortFunc(found, func(a, b head) int { return cmp.Compare(b.number, a.number) })
	return found[:min(len(found), othersCompared)]
}

func someFiles(files []string) string {
	named := strings.Join(files[:min(len(files), filesNamed)], ", ")
	if more := len(files) - filesNamed; more > 0 {
		named = fmt.Sprintf("%s and %d more", named, more)
	}
	return named
}

func headOf(p *github.PullRequest) head {
	return head{number: p.GetNumber(), commit: p.GetHead().GetSHA(), base: p.GetBase().GetRef(), updated: p.GetUpdatedAt().Time}
}

// files lists the files that a pull request changes (https://docs.github.com/rest/pulls/pulls#list-pull-requests-files), by both names
// where one was renamed. They depend on its newest commit and on the branch that it leads to, and are kept by these.
func (l *pullLists) files(ctx context.Context, h head) ([]string, error) {
	key := fmt.Sprintf("%d/%s/%d/%s/%s", l.repo.Installation, strings.ToLower(l.repo.String()), h.number, h.commit, h.base)
	if kept, known := l.keptFiles.Get(key); known {
		return kept, nil
	}
	var names []string
	options := &github.ListOptions{PerPage: perPage}
	for options.Page = 1; options.Page <= filePages; options.Page++ {
		batch, response, err := l.client.PullRequests.ListFiles(ctx, l.repo.Owner, l.repo.Name, h.number, options)
		if isStatus(err, http.StatusNotFound) || isStatus(err, http.StatusGone) {
			return nil, nil // it was deleted
		}
		if err != nil {
			return nil, fmt.Errorf("list the files of pull request #%d: %w", h.number, err)
		}
		for _, f := range batch {
			for _, name := range []string{f.GetFilename(), f.GetPreviousFilename()} {
				if name != "" {
					names = append(names, name)
				}
			}
		}
		if response.NextPage == 0 {
			break
		}
	}
	l.keptFiles.Add(key, names)
	return names, nil
}

// Overlapping lists the issues that might be concerned by what became of a pull request, whose number the reference has. They are the issues with an
// open pull request that changes a file which it changes too. An issue of waiting is also listed if it has any open pull request, and an issue of
// without if it has none.
func (s pulls) Overlapping(ctx context.Context, at Ref, waiting, without []int) ([]int, error) {
	lists := s.in(s.client(at.Repository), at.Repository)
	all, err := lists.open(ctx)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(all, func(h head) bool { return h.number == at.Number })
	var mine []string
	var itself []int
	if i >= 0 {
		itself = all[i].issues
		if mine, err = lists.files(ctx, all[i]); err != nil {
			return nil, err
		}
	}
	var found []int
	for _, h := range others(all, 0) {
		if h.number == at.Number {
			continue
		}
		concerned := slices.DeleteFunc(slices.Clone(h.issues), func(n int) bool { return slices.Contains(itself, n) || slices.Contains(found, n) })
		waits := slices.DeleteFunc(slices.Clone(concerned), func(n int) bool { return !slices.Contains(waiting, n) })
		if len(mine) > 0 && len(waits) < len(concerned) {
			files, err := lists.files(ctx, h)
			if err != nil {
				return nil, err
			}
			if slices.ContainsFunc(files, func(f string) bool { return slices.Contains(mine, f) }) {
				waits = concerned
			}
		}
		found = append(found, waits...)
	}
	for _, n := range without {
		if !slices.Contains(found, n) && !slices.ContainsFunc(all, func(h head) bool { return slices.Contains(h.issues, n) }) {
			found = append(found, n)
		}
	}
	return found, nil
}
