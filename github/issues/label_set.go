package issues

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/lifecycle"
)

// Judging is by which table the stamp of a repository says that it is judged.
type Judging int

// What a stamp can say.
const (
	NotJudged     Judging = iota // there is no stamp that counts
	JudgedByTable                // by the table that was asked about
	JudgedByOther                // by another table
)

// LabelSet is what a repository has of Colony's labels, compared with a table.
type LabelSet struct {
	There     []lifecycle.Mark // the labels of the table that are as it wants them
	Missing   []lifecycle.Mark
	Differing []Differing
	// Adopted are labels that mean the same as labels of the table under other names. Labels that can be renamed are not missing.
	Adopted []Adopted
	// LeftOver are the labels that can only be Colony's and are not in the table, by name.
	LeftOver []LeftOver
	Judged   Judging
}

// Differing is a label of a table whose colour or description is another one.
type Differing struct{ Is, Want lifecycle.Mark }

// LeftOver is a label of another lifecycle, or of another version of it.
type LeftOver struct {
	lifecycle.Mark
	// Stamped says that its description holds the time from which Colony judges the repository.
	Stamped bool
}

// Examine compares the labels of a repository with a table. Former are labels that another table had and that nothing in their names
// says to be Colony's. It changes nothing.
func (l *LabelProvisioner) Examine(ctx context.Context, repo Repository, table Table, former []lifecycle.Mark) (LabelSet, error) {
	have, err := l.list(ctx, l.store.client(repo), repo)
	if err != nil {
		return LabelSet{}, err
	}
	set := LabelSet{Adopted: table.adoptions(have)}
	for _, want := range table.Marks {
		is, ok := have[strings.ToLower(want.Label)]
		switch {
		case !ok && table.adopted(have, want.Label) != nil:
		case !ok:
			set.Missing = append(set.Missing, want)
		case differs(markOf(is), want):
			set.Differing = append(set.Differing, Differing{Is: markOf(is), Want: want})
		default:
			set.There = append(set.There, markOf(is))
		}
	}
	set.LeftOver = table.leftOver(have, former)
	_, set.Judged = l.judging(have, table)
	return set, nil
}

// leftOver lists the labels of a repository that can only be Colony's and are not in the table, by name.
func (t Table) leftOver(have map[string]*github.Label, former []lifecycle.Mark) (left []LeftOver) {
	before := Table{Marks: former}
	for name, label := range have {
		if !t.has(name) && !t.adopts(name) && (IsColonys(name) || before.has(name)) {
			_, stamped := readStamp(label.GetDescription())
			left = append(left, LeftOver{markOf(label), stamped})
		}
	}
	slices.SortFunc(left, func(a, b LeftOver) int { return strings.Compare(strings.ToLower(a.Label), strings.ToLower(b.Label)) })
	return left
}

// IsColonys reports whether the name of a label alone says that it is Colony's: no one else's labels begin so.
func IsColonys(label string) bool {
	return lifecycle.LabelBegins(label, lifecycle.DefaultLabelPrefix)
}

func markOf(label *github.Label) lifecycle.Mark {
	return lifecycle.Mark{Label: label.GetName(), Color: label.GetColor(), Description: label.GetDescription()}
}

// differs reports whether a label is another than a table wants. The description of the mark Forced holds the stamp, so only the code that handles
// the stamp compares it.
func differs(is, want lifecycle.Mark) bool {
	return !strings.EqualFold(is.Color, want.Color) || is.Description != want.Description && want.Label != lifecycle.Forced
}

// Create makes a label that a table wants. One that someone else made in between stays as it is. The mark Forced gets no stamp: judging begins with
// JudgedSince.
func (l *LabelProvisioner) Create(ctx context.Context, repo Repository, want lifecycle.Mark) error {
	return l.ensure(ctx, l.store.client(repo), repo, nil, want)
}

// Repair gives a label the colour and the description that a table wants, and writes nothing else than what differs: the stamp in the description of
// the mark Forced can be newer than what was read.
func (l *LabelProvisioner) Repair(ctx context.Context, repo Repository, d Differing) error {
	edit := &github.Label{}
	if !strings.EqualFold(d.Is.Color, d.Want.Color) {
		edit.Color = &d.Want.Color
	}
	if d.Is.Description != d.Want.Description && d.Want.Label != lifecycle.Forced {
		edit.Description = &d.Want.Description
	}
	if _, _, err := l.store.client(repo).Issues.EditLabel(ctx, repo.Owner, repo.Name, url.PathEscape(d.Is.Label), edit); err != nil {
		return fmt.Errorf("repair label %s in %s: %w", d.Is.Label, repo, err)
	}
	return nil
}

// Delete deletes a label. GitHub takes it off every issue, without a trace in their logs. One that is gone already is no error.
func (l *LabelProvisioner) Delete(ctx context.Context, repo Repository, label string) error {
	_, err := l.store.client(repo).Issues.DeleteLabel(ctx, repo.Owner, repo.Name, url.PathEscape(label))
	if err != nil && !isStatus(err, http.StatusNotFound) {
		return fmt.Errorf("delete label %s of %s: %w", label, repo, err)
	}
	return nil
}
