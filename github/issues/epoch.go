package issues

import (
	"context"
	"fmt"
	"regexp"
	"time"

	"github.com/colony-app/colony/lifecycle"
)

// Epoch holds the times from which Colony knows a repository.
type Epoch struct {
	// Labels is the time from which the present table applies to labels. What changed before remains as it is.
	Labels time.Time
	// Commands is the time from which commands are run, no matter which table was in force when they were written.
	Commands time.Time
}

// stamp is what the description of the mark Forced ends with: the time from which Colony judges the repository, and by which table. With the mark's
// own text it stays within GitHub's 100 characters (https://docs.github.com/rest/issues/labels#create-a-label).
type stamp struct {
	since Epoch
	as    string // the fingerprint of the table
}

// String renders the stamp in words, because people read it in every label picker.
func (s stamp) String() string {
	return fmt.Sprintf(" Here since %s; rules %s since %s.", stampTime(s.since.Commands), s.as, stampTime(s.since.Labels))
}

func stampTime(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// stampForms are the forms of a stamp, the present one first. Descriptions of former Colonies hold the others, and remain readable permanently. A
// form without a time of its own for the labels has that of the commands; the oldest knew one table only.
var stampForms = []struct {
	form *regexp.Regexp
	// The groups of the form; 0: it has no such group.
	commands, labels, as int
}{
	{regexp.MustCompile(` Here since (\S+Z); rules ([a-z2-7]+) since (\S+Z)\.$`), 1, 3, 2},
	{regexp.MustCompile(` Since (\S+Z)(?:, labels (\S+Z))? \(([a-z2-7]+)\)\.$`), 1, 2, 3},
	{regexp.MustCompile(` Labels judged since (\S+Z)\.$`), 1, 0, 0},
}

// readStamp reads the stamp in a description; ok is false if the description has no stamp.
func readStamp(description string) (s stamp, ok bool) {
	for _, f := range stampForms {
		m := f.form.FindStringSubmatch(description)
		if m == nil {
			continue
		}
		m[0] = "" // a group that the form does not have
		commands, err := time.Parse(time.RFC3339, m[f.commands])
		if err != nil {
			return stamp{}, false
		}
		s = stamp{since: Epoch{Labels: commands, Commands: commands}, as: m[f.as]}
		if m[f.labels] != "" {
			if s.since.Labels, err = time.Parse(time.RFC3339, m[f.labels]); err != nil {
				return stamp{}, false
			}
		}
		return s, true
	}
	return stamp{}, false
}

// withoutStamp returns a description as it is without its stamp.
func withoutStamp(description string) string {
	for _, f := range stampForms {
		if at := f.form.FindStringIndex(description); at != nil {
			return description[:at[0]]
		}
	}
	return description
}

// renewed returns the stamp with which a table takes over. counts says that the times of this one hold. The error is ErrOtherTable for the
// stamp of another table, unless the caller is sure that this one is in force.
func (s stamp) renewed(counts bool, table Table, now time.Time, sure bool) (stamp, error) {
	switch {
	case counts && (s.as == "" || s.as == table.Fingerprint): // the former is by a Colony that knew one table only
	case counts && !sure:
		return stamp{}, ErrOtherTable
	case counts && s.as != noTable: // what has the time of this second, which is all that GitHub tells, can have been there under the table before
		s.since.Labels = now.Add(time.Second)
	default:
		s.since = Epoch{Labels: now, Commands: now}
	}
	s.as = table.Fingerprint
	return s, nil
}

// judging reads the stamp among the labels of a repository: its times, and whether it names a table.
func (l *LabelProvisioner) judging(have map[string]lifecycle.Mark, table Table) (Epoch, Judging) {
	known, ok := readStamp(have[lifecycle.Forced].Description)
	switch {
	case !ok || known.as == noTable || known.ahead(l.clock.Now()):
		return known.since, NotJudged
	case known.as == "" || known.as == table.Fingerprint:
		return known.since, JudgedByTable
	}
	return known.since, JudgedByOther
}

// Known tells the time from which Colony judges a repository by a table, without writing anything. The result ok is false if Colony does not judge
// it, or by another table.
func (l *LabelProvisioner) Known(ctx context.Context, repo Repository, table Table) (since Epoch, ok bool, err error) {
	have, err := l.list(ctx, l.store.client(repo), repo)
	if err != nil {
		return Epoch{}, false, err
	}
	since, by := l.judging(have, table)
	return since, by == JudgedByTable, nil
}
