package audit

import (
	"cmp"
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/colony-app/colony/advice"
	"github.com/colony-app/colony/app"
	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/commands/wording"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// Status is how many open issues there are in each state, and which of them wait for a person.
type Status struct {
	Read         time.Time          `json:"read"`
	Repositories []RepositoryStatus `json:"repositories"`
	// Waiting are the issues that wait for a person, the one that has waited for the longest time first.
	Waiting []Finding `json:"waiting"`
	// Unread is what could not be read.
	Unread []Finding `json:"unread"`
	Audited
}

// RepositoryStatus is how many open issues a repository has in each state.
type RepositoryStatus struct {
	Repository string  `json:"repository"`
	States     []Count `json:"states"`
}

// Count is how many open issues are in a state, in the order of the lifecycle.
type Count struct {
	State string `json:"state"`
	Open  int    `json:"open"`
}

// ReadStatus reads the lists of open issues, and the logs that can say more than the lists. It changes nothing. What was read before an error
// holds.
func ReadStatus(ctx context.Context, c config.Config, options app.Options, scope app.Scope) (*Status, error) {
	s := &Status{Repositories: []RepositoryStatus{}, Waiting: []Finding{}, Unread: []Finding{}}
	a, err := newAuditor(ctx, c, options, s.finding)
	if err != nil {
		return nil, err
	}
	s.Read = a.Reconciler.Clock.Now().UTC()
	a.open = s.count
	err = a.run(ctx, scope)
	s.Audited = a.seen
	slices.SortStableFunc(s.Waiting, Older)
	slices.SortFunc(s.Repositories, func(a, b RepositoryStatus) int { return strings.Compare(a.Repository, b.Repository) })
	return s, err
}

// finding takes over what is about waiting for a person, and what could not be read.
func (s *Status) finding(f Finding) {
	waits := slices.ContainsFunc(advice.NeedSpecs(), func(n advice.NeedSpec) bool { return string(n.Need) == string(f.Irregular) })
	switch {
	case waits:
		s.Waiting = append(s.Waiting, f)
	case f.Irregular == NotChecked:
		s.Unread = append(s.Unread, f)
	}
}

func (s *Status) count(repo string, life *statemachine.Table, states []lifecycle.State) {
	at := slices.IndexFunc(s.Repositories, func(r RepositoryStatus) bool { return r.Repository == repo })
	if at < 0 {
		r := RepositoryStatus{Repository: repo}
		for _, state := range life.States {
			if state.Label != "" {
				r.States = append(r.States, Count{State: state.Name})
			}
		}
		at, s.Repositories = len(s.Repositories), append(s.Repositories, r)
	}
	for _, state := range states {
		for i := range s.Repositories[at].States {
			if c := &s.Repositories[at].States[i]; c.State == state.Name {
				c.Open++
			}
		}
	}
}

// Sum is how many open issues of all repositories are in each state, the fullest first.
func (s *Status) Sum() []Count {
	sums := map[string]int{}
	for _, r := range s.Repositories {
		for _, c := range r.States {
			sums[c.State] += c.Open
		}
	}
	var all []Count
	for state, n := range sums {
		if n > 0 {
			all = append(all, Count{state, n})
		}
	}
	slices.SortFunc(all, func(a, b Count) int { return cmp.Or(cmp.Compare(b.Open, a.Open), cmp.Compare(a.State, b.State)) })
	return all
}

// WriteText prints it for people.
func (s *Status) WriteText(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s in %s, %s\n", wording.Counted(s.Issues, "open issue", "open issues"), wording.Counted(s.Audited.Repositories, "repository", "repositories"), s.Read.Format("2006-01-02 15:04 MST"))
	for _, c := range s.Sum() {
		fmt.Fprintf(&b, "  %5d  %s\n", c.Open, c.State)
	}
	if len(s.Repositories) > 1 {
		for _, r := range s.Repositories {
			var parts []string
			for _, c := range r.States {
				if c.Open > 0 {
					parts = append(parts, fmt.Sprintf("%d %s", c.Open, c.State))
				}
			}
			if len(parts) > 0 {
				fmt.Fprintf(&b, "%s: %s\n", r.Repository, strings.Join(parts, ", "))
			}
		}
	}
	fmt.Fprintf(&b, "%s for a person\n", wording.Counted(len(s.Waiting), "issue waits", "issues wait"))
	for _, f := range slices.Concat(s.Waiting, s.Unread) {
		fmt.Fprintf(&b, "%s\n", f)
	}
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("print the status: %w", err)
	}
	return nil
}

// WriteCSV prints it as a table: first a line for each state of each repository, then one for each reason why an issue waits. The columns
// that do not belong to a line are empty.
func (s *Status) WriteCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	rows := [][]string{{"repository", "state", "open", "issue", "need", "since", "age_seconds", "by", "who", "do", "title", "url"}}
	for _, r := range s.Repositories {
		for _, c := range r.States {
			rows = append(rows, []string{r.Repository, c.State, strconv.Itoa(c.Open), "", "", "", "", "", "", "", "", ""})
		}
	}
	for _, f := range s.Waiting {
		since := ""
		if !f.Since.IsZero() {
			since = f.Since.UTC().Format(time.RFC3339)
		}
		rows = append(rows, []string{
			f.Repository, f.State, "", strconv.Itoa(f.Issue), string(f.Irregular), since, strconv.FormatInt(f.Age, 10), f.By, strings.Join(f.Who, " or "), f.Do, cell(f.Title), f.URL,
		})
	}
	if err := out.WriteAll(rows); err != nil {
		return fmt.Errorf("write the table: %w", err)
	}
	return nil
}

// cell is what someone wrote, such that a spreadsheet does not take it for a formula.
func cell(text string) string {
	if strings.ContainsAny(text[:min(1, len(text))], "=+-@") {
		return "'" + text
	}
	return text
}
