package issues

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

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
		is := have[strings.ToLower(want.Label)]
		if want.Label == lifecycle.Forced && is.Label != "" { // its description holds the stamp, so only the code that handles the stamp compares it
			want.Description = is.Description
		}
		switch {
		case is.Label == "" && table.adopted(have, want.Label) != "":
		case is.Label == "":
			set.Missing = append(set.Missing, want)
		case !looksAs(is, want):
			set.Differing = append(set.Differing, Differing{Is: is, Want: want})
		default:
			set.There = append(set.There, is)
		}
	}
	set.LeftOver = table.leftOver(have, former)
	_, set.Judged = l.judging(have, table)
	return set, nil
}

// leftOver lists the labels of a repository that can only be Colony's and are not in the table, by name.
func (t Table) leftOver(have map[string]lifecycle.Mark, former []lifecycle.Mark) (left []LeftOver) {
	before := Table{Marks: former}
	for name, label := range have {
		if !t.has(name) && !t.adopts(name) && (IsColonys(name) || before.has(name)) {
			_, stamped := readStamp(label.Description)
			left = append(left, LeftOver{label, stamped})
		}
	}
	slices.SortFunc(left, func(a, b LeftOver) int { return strings.Compare(strings.ToLower(a.Label), strings.ToLower(b.Label)) })
	return left
}

// IsColonys reports whether the name of a label alone says that it is Colony's: no one else's labels begin so.
func IsColonys(label string) bool {
	return lifecycle.LabelBegins(label, lifecycle.DefaultLabelPrefix)
}

// Create makes a label that a table wants. One that someone else made in between stays as it is. The mark Forced gets no stamp: judging begins with
// JudgedSince.
func (l *LabelProvisioner) Create(ctx context.Context, repo Repository, want lifecycle.Mark) error {
	return l.ensure(ctx, l.store.client(repo), repo, lifecycle.Mark{}, want)
}

// Repair gives a label the colour and the description that a table wants.
func (l *LabelProvisioner) Repair(ctx context.Context, repo Repository, d Differing) error {
	return l.ensure(ctx, l.store.client(repo), repo, d.Is, d.Want)
}

// Delete deletes a label. GitHub takes it off every issue, without a trace in their logs. One that is gone already is no error.
func (l *LabelProvisioner) Delete(ctx context.Context, repo Repository, label string) error {
	_, err := l.store.client(repo).Issues.DeleteLabel(ctx, repo.Owner, repo.Name, url.PathEscape(label))
	if err != nil && !isStatus(err, http.StatusNotFound) {
		return fmt.Errorf("delete label %s of %s: %w", label, repo, err)
	}
	return nil
}
