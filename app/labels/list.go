package labels

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/policy"
	"github.com/colony-app/colony/statemachine"
)

// Listed is what a repository has of Colony's labels.
type Listed struct {
	Repository string `json:"repository"`
	Lifecycle  string `json:"lifecycle"`
	// Mode says how far Colony goes there: where it writes nothing, no label is missing.
	Mode lifecycle.Mode `json:"mode"`
	From string         `json:"from"` // where the lifecycle comes from

	decided policy.Decision

	// There, Missing and Differing are together what the lifecycle in force needs, with the intake.
	There     []string    `json:"there"`
	Missing   []string    `json:"missing"`
	Differing []Differing `json:"differing"`
	LeftOver  []LeftOver  `json:"left_over"`
	// Adopted are labels under names that the lifecycle adopts.
	Adopted []Adopted `json:"adopted,omitempty"`
	// Doubts are the reasons not to delete anything that is left over.
	Doubts []string `json:"doubts,omitempty"`
}

// Well reports whether a repository has what its lifecycle needs, and nothing else of Colony's.
func (l Listed) Well() bool {
	if !l.Mode.Writes() {
		return len(l.LeftOver) == 0
	}
	return len(l.Missing)+len(l.Differing)+len(l.LeftOver)+len(l.Adopted) == 0
}

// Adopted is a label that means the same as another one, under a name that the lifecycle lists as previously.
type Adopted struct {
	Label string `json:"label"`
	Now   string `json:"now"` // what it is called now
	// Both says that the label of that name is there as well.
	Both bool `json:"both,omitempty"`
	// Open is how many open issues and pull requests carry it.
	Open issues.Count `json:"open"`
}

// Differing is a label whose colour or description is another one than the lifecycle wants.
type Differing struct {
	Label string `json:"label"`
	Says  string `json:"says"`
}

// LeftOver is a label that no lifecycle in force uses.
type LeftOver struct {
	Label string `json:"label"`
	// Of are the lifecycles that come with Colony and have it.
	Of []string `json:"of,omitempty"`
	// Open is how many open issues and pull requests carry it, and Link where GitHub lists them.
	Open issues.Count `json:"open"`
	Link string       `json:"link"`
	// Stamped says that it holds the time from which Colony checks the repository.
	Stamped bool `json:"stamped,omitempty"`
}

type examined struct {
	repo   issues.Repository
	policy policy.Effective
	mode   policy.Decision
	set    issues.LabelSet
}

func (k *Keeper) examine(ctx context.Context, repo issues.Repository) (*examined, error) {
	e := &examined{repo: repo}
	var err error
	if e.policy, err = k.policies.Get(ctx, repo); err != nil {
		return nil, fmt.Errorf("read the rules of %s: %w", repo, err)
	}
	e.mode = k.reconciler.Decided(repo, e.policy.Policy)
	e.set, err = k.labels.Examine(ctx, repo, e.policy.Table(), k.former())
	return e, err
}

// former are the labels of the lifecycles that were in force before.
func (k *Keeper) former() (marks []lifecycle.Mark) {
	for _, life := range k.options.Former {
		marks = append(marks, life.Labels()...)
	}
	return marks
}

// otherRules says that the lifecycle of this process is not in force; empty if nothing speaks against it.
func (e *examined) otherRules() string {
	if e.set.Judged != issues.JudgedByOther {
		return ""
	}
	return "Colony judges this repository by other rules than this configuration gives: " +
		"run this with the configuration of that Colony (--config); if you have just changed it, wait until that Colony has taken it over"
}

// doubts are the reasons to take no label for one that no one needs. Then another lifecycle is in force than this process believes, or will be
// as soon as someone corrects a file.
func (e *examined) doubts() (why []string) {
	if other := e.otherRules(); other != "" {
		why = append(why, other)
	}
	for _, file := range e.policy.InvalidFiles {
		why = append(why, fmt.Sprintf("%s has an error, so which labels it needs is not known: correct %s", file.Path, file))
	}
	return why
}

// List compares the labels of a repository with what its lifecycle needs.
func (k *Keeper) List(ctx context.Context, repo issues.Repository) (Listed, error) {
	e, err := k.examine(ctx, repo)
	if err != nil {
		return Listed{}, err
	}
	l := Listed{
		Mode: e.mode.Mode, decided: e.mode,
		Repository: repo.String(), Lifecycle: e.policy.Lifecycle.Name, From: e.policy.From, Doubts: e.doubts(),
		There: names(e.set.There), Missing: names(e.set.Missing), Differing: []Differing{}, LeftOver: []LeftOver{},
	}
	for _, d := range e.set.Differing {
		l.Differing = append(l.Differing, Differing{d.Is.Label, difference(d)})
	}
	for _, a := range e.set.Adopted {
		adopted := Adopted{Label: a.Is.Label, Now: a.Want.Label, Both: a.Both}
		if adopted.Open, err = k.store.Carriers(ctx, repo, a.Is.Label, issues.Open); err != nil {
			return l, err
		}
		l.Adopted = append(l.Adopted, adopted)
	}
	for _, is := range e.set.LeftOver {
		left := LeftOver{Label: is.Label, Of: shippedWith(is.Label), Link: k.link(repo, is.Label), Stamped: is.Stamped}
		if left.Open, err = k.store.Carriers(ctx, repo, is.Label, issues.Open); err != nil {
			return l, err
		}
		l.LeftOver = append(l.LeftOver, left)
	}
	return l, nil
}

// link is where GitHub lists the open issues and pull requests with a label.
func (k *Keeper) link(repo issues.Repository, label string) string {
	return fmt.Sprintf("%s/%s/issues?q=%s", strings.TrimSuffix(k.config.GitHub.WebURL, "/"), repo, url.QueryEscape(fmt.Sprintf("is:open label:%q", label)))
}

// shippedWith names the lifecycles that come with Colony and have a label.
func shippedWith(label string) (lifecycles []string) {
	for _, name := range lifecycle.ShippedNames() {
		life, err := statemachine.Shipped(name)
		if err == nil && slices.ContainsFunc(life.Labels(), func(m lifecycle.Mark) bool { return lifecycle.SameLabel(m.Label, label) }) {
			lifecycles = append(lifecycles, name)
		}
	}
	return lifecycles
}

func names(marks []lifecycle.Mark) []string {
	list := make([]string, len(marks))
	for i, m := range marks {
		list[i] = m.Label
	}
	return list
}

func difference(d issues.Differing) string {
	var says []string
	if !strings.EqualFold(d.Is.Color, d.Want.Color) {
		says = append(says, fmt.Sprintf("colour %s instead of %s", d.Is.Color, d.Want.Color))
	}
	if d.Is.Description != d.Want.Description {
		says = append(says, fmt.Sprintf("description %q instead of %q", d.Is.Description, d.Want.Description))
	}
	return strings.Join(says, ", ")
}

// String is what a repository has, in lines.
func (l Listed) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: lifecycle %s, from %s\n", l.Repository, l.Lifecycle, l.From)
	line := func(what, format string, args ...any) {
		fmt.Fprintf(&b, "  %-9s  %s\n", what, fmt.Sprintf(format, args...))
	}
	needs := len(l.There) + len(l.Missing) + len(l.Differing)
	for _, a := range l.Adopted {
		if !a.Both {
			needs++
		}
	}
	line("there", "%d of the %d labels that it needs", len(l.There), needs)
	missing := l.Missing
	if !l.Mode.Writes() {
		line("mode", "%s (%s), so Colony makes no label here -> %s", l.Mode, l.decided.By, l.decided.Change)
		missing = nil
	}
	for _, label := range missing {
		line("missing", "%s", label)
	}
	for _, d := range l.Differing {
		line("differs", "%s: %s", printable(d.Label), printable(d.Says))
	}
	for _, a := range l.Adopted {
		line("old name", "%s, now %s: on %s (colony labels apply takes it over)", printable(a.Label), printable(a.Now), counted(a.Open, "open"))
	}
	for _, left := range l.LeftOver {
		says := printable(left.Label)
		if len(left.Of) > 0 {
			says += " (of lifecycle " + strings.Join(left.Of, ", ") + ")"
		}
		switch {
		case left.Stamped:
			says += ": its description says since when Colony judges this repository"
		case left.Open.N > 0:
			says += fmt.Sprintf(": on %s, %s", counted(left.Open, "open"), left.Link)
		default:
			says += ": on no open issue"
		}
		line("left over", "%s", says)
	}
	for _, doubt := range l.Doubts {
		line("note", "%s", printable(doubt))
	}
	return b.String()
}
