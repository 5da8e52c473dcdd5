package board

import (
	"cmp"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/colony-app/colony/advice"
	"github.com/colony-app/colony/commands/wording"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
)

// perPage is how many issues a list shows at a time.
const perPage = 100

// Path is where the board shows the issue.
func (i *Issue) Path() string { return pathOf(Root, i.Ref.Owner, i.Ref.Name, i.Ref.Number) }

type summary struct {
	Name, Path    string
	Open, Waiting int
}

func showNeeds(v *visit) error {
	readable, err := v.viewer.among(v.r.Context(), v.Index.Repositories())
	if err != nil {
		return err
	}
	waiting := v.Index.Waiting(readable)
	page := struct {
		frame
		Rows                   []*Issue
		Total, Unread          int
		Pages, RepositoryPages pages
		Repositories           []summary
	}{
		frame: v.frame("Needs you"), Total: len(waiting),
		Pages: v.pages("page", len(waiting)), RepositoryPages: v.pages("repositories", len(readable)),
	}
	page.Tab, page.Live = "needs", Root+"/-/changes"
	page.Rows = waiting[page.Pages.start:page.Pages.To]
	page.Unread = v.Index.countUnread(readable)
	page.Repositories = v.Index.summaries(readable[page.RepositoryPages.start:page.RepositoryPages.To])
	v.show(http.StatusOK, "needs", page)
	return nil
}

// pages says which part of a list is shown, and where the others are; their addresses are empty where there are none.
type pages struct {
	From, To, Total int // From counts from 1
	Previous, Later string
	start           int
}

func (p pages) Many() bool { return p.Total > p.To-p.start }

// pages finds the part of a list that a request asks for with a parameter; the other parameters stay as they are.
func (v *visit) pages(parameter string, total int) pages {
	at, _ := strconv.Atoi(v.r.URL.Query().Get(parameter))
	at = min(max(1, at), max(1, (total+perPage-1)/perPage))
	p := pages{start: (at - 1) * perPage, To: min(total, at*perPage), Total: total}
	p.From = p.start + 1
	address := func(at int) string {
		query := url.Values{}
		for _, known := range []string{"page", "repositories"} {
			if is := v.r.URL.Query().Get(known); is != "" {
				query.Set(known, is)
			}
		}
		query.Set(parameter, strconv.Itoa(at))
		return Root + "?" + query.Encode()
	}
	if at > 1 {
		p.Previous = address(at - 1)
	}
	if p.To < total {
		p.Later = address(at + 1)
	}
	return p
}

// countUnread counts the issues of some repositories whose logs are yet to be read.
func (x *Index) countUnread(of []issues.Repository) (n int) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	for _, repo := range of {
		if r := x.repositories[issues.NameKey(repo.Owner, repo.Name)]; r != nil {
			for _, i := range r.issues {
				n += boolean(i.unread != nil && !i.unread.left)
			}
		}
	}
	return n
}

// summaries count the open issues of some repositories, and those of them that wait for a person.
func (x *Index) summaries(of []issues.Repository) []summary {
	now := x.clock.Now()
	x.mu.RLock()
	defer x.mu.RUnlock()
	var all []summary
	for _, repo := range of {
		r := x.repositories[issues.NameKey(repo.Owner, repo.Name)]
		if r == nil {
			continue
		}
		s := summary{Name: repo.String(), Path: pathOf(Root, repo.Owner, repo.Name)}
		for _, i := range r.issues {
			s.Open += boolean(!i.Closed)
			_, waits := i.waits(now)
			s.Waiting += boolean(waits)
		}
		all = append(all, s)
	}
	return all
}

// perColumn is how many issues a column shows.
const perColumn = 50

type column struct {
	State, Type, Meaning, Glyph string
	Rows                        []*Issue
	Count, More                 int
	AtMost                      int // the capacity; 0: there is no limit
	Full                        bool
}

// closedEarly is the column of the issues that were closed in the middle of their lifecycle.
const closedEarly = "closed-early"

func (c *column) add(i *Issue) {
	c.Count++
	if len(c.Rows) < perColumn {
		c.Rows = append(c.Rows, i)
	} else {
		c.More++
	}
}

func showRepository(v *visit) error {
	owner, name, err := v.repository()
	if err != nil {
		return err
	}
	repo, life, all, ok := v.Index.Issues(owner, name)
	if !ok {
		return missingError{}
	}
	page := struct {
		frame
		Lifecycle string
		Columns   []column
		Empty     []string
		Waits     []Wait
	}{frame: v.frame(repo.String()), Lifecycle: life.Name}
	page.about(repo, 0)
	page.Tab = "board"
	page.Waits = v.Waits(repo.ID)
	early := column{State: closedEarly, Meaning: "Closed before the end of the lifecycle: no bot works on it, and issues that depend on it wait."}
	for _, state := range life.States {
		c := column{State: state.Name, Type: string(state.Type), Meaning: state.Meaning, Glyph: state.Glyph}
		for _, d := range life.Dispatch {
			if d.To == state.Name {
				c.AtMost = d.AtMost
			}
		}
		for _, i := range all {
			switch {
			case i.State != state.Name:
			case !i.Closed || state.Type == lifecycle.Terminal:
				c.add(i)
			case state.Label != "":
				early.add(i)
			}
		}
		c.Full = c.AtMost > 0 && c.Count >= c.AtMost
		if c.Count == 0 && c.AtMost == 0 {
			page.Empty = append(page.Empty, state.Name)
			continue
		}
		page.Columns = append(page.Columns, c)
	}
	if early.Count > 0 {
		page.Columns = append(page.Columns, early)
	}
	v.show(http.StatusOK, "repository", page)
	return nil
}

// step is a move that a person with triage access can make now, if its conditions hold.
type step struct {
	To, When, Command string
}

func showIssue(v *visit) error {
	owner, name := v.r.PathValue("owner"), v.r.PathValue("repo")
	number, err := strconv.Atoi(v.r.PathValue("n"))
	if err != nil || number == 0 {
		return missingError{}
	}
	if err := v.viewer.mayRead(v.r.Context(), owner, name, number); err != nil {
		return err
	}
	i, life, ok := v.Index.Issue(owner, name, number)
	if !ok {
		return missingError{}
	}
	page := struct {
		frame
		Issue   *Issue
		Events  []event
		Next    []step
		Drawing drawing
		Unread  bool
		Meaning string
	}{frame: v.frame(i.Title), Issue: i}
	page.about(i.Ref.Repository, number)
	if state, known := life.State(i.State); known {
		page.Meaning = state.Meaning
	}
	story, err := v.story(v.r.Context(), i)
	switch {
	case issues.IsGone(err):
		v.Index.Forget(i.Ref)
		return missingError{}
	case err != nil:
		v.Log.Warn().Err(err).Str("issue", i.Ref.String()).Msg("the board could not read the trail of an issue")
		page.Unread = true
		v.show(http.StatusOK, "issue", page)
		return nil
	}
	page.Events = events(life, story)
	for _, n := range story.Allowed {
		p, _ := life.Pair(story.State, n.To)
		page.Next = append(page.Next, step{n.To, strings.Join(append([]string{cmp.Or(n.Why, string(p.Kind))}, n.Conditions...), "; "), wording.Typed(&advice.Action{To: n.To, Reason: p.Reason == lifecycle.Required})})
	}
	page.Drawing = draw(life, story)
	v.show(http.StatusOK, "issue", page)
	return nil
}

func showFlow(v *visit) error {
	owner, name, err := v.repository()
	if err != nil {
		return err
	}
	f, ok := v.Index.Flow(owner, name)
	if !ok {
		return missingError{}
	}
	page := struct {
		frame
		From   time.Time
		Charts []chart
	}{frame: v.frame("Flow of " + f.Repository.String()), From: f.Start, Charts: charts(f)}
	page.about(f.Repository, 0)
	page.Tab = "flow"
	v.show(http.StatusOK, "flow", page)
	return nil
}
