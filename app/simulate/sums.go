package simulate

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/reconcile/replay"
)

// sums adds up what simulations of issues come to. However many there are, it keeps counts and a few examples. Several can call issue
// and compare, and what it adds up does not depend on the order.
type sums struct {
	Report // without what report fills in

	web  string
	each func(replay.Outcome)
	mu   sync.Mutex // of issue and compare

	found, added, removed groups
	leftOut               map[replay.LeftOut]int
	differ                int
}

func newSums(web string, each func(replay.Outcome)) *sums {
	return &sums{
		Report: Report{Rules: map[string]int{}, Counts: map[replay.Kind]int{}, LeftOut: []LeftOut{}, NotChecked: []NotChecked{}, Broken: []NotChecked{}},
		web:    web, each: each, leftOut: map[replay.LeftOut]int{}, found: groups{}, added: groups{}, removed: groups{},
	}
}

type groups map[Reason]*group

type group struct {
	count, issues int
	examples      []Example
}

// examplesKept bounds the examples of one group: the latest are kept.
const examplesKept = mostExamples

func (g groups) add(web string, ref issues.Ref, findings []replay.Finding) {
	touched := map[Reason]bool{}
	for _, f := range findings {
		key := Reason{Kind: f.Kind, Reason: f.Reason, From: f.From, To: f.To, By: string(f.By.Kind)}
		of := g[key]
		if of == nil {
			of = &group{}
			g[key] = of
		}
		of.count++
		if !touched[key] {
			of.issues++
			touched[key] = true
		}
		of.examples = append(of.examples, exampleOf(web, ref, f))
		slices.SortFunc(of.examples, latestFirst)
		of.examples = of.examples[:min(len(of.examples), examplesKept)]
	}
}

func latestFirst(a, b Example) int {
	return cmp.Or(b.At.Compare(a.At), cmp.Compare(a.Repository, b.Repository), cmp.Compare(a.Issue, b.Issue), cmp.Compare(a.event, b.event), cmp.Compare(a.comment, b.comment))
}

func exampleOf(web string, ref issues.Ref, f replay.Finding) Example {
	e := Example{
		Kind: f.Kind, Reason: f.Reason, From: f.From, To: f.To, Repository: ref.Repository.String(), Issue: ref.Number, At: f.At.UTC(), By: f.By.Login,
		event: f.EventID, comment: f.CommentID,
	}
	e.Link = fmt.Sprintf("%s/%s/%s/issues/%d", web, ref.Owner, ref.Name, ref.Number)
	switch {
	case f.CommentID != 0:
		e.Link += fmt.Sprintf("#issuecomment-%d", f.CommentID)
	case f.EventID != 0:
		e.Link += fmt.Sprintf("#event-%d", f.EventID)
	}
	return e
}

// reasons are the groups, in the order of the kinds, the largest first.
func (g groups) reasons() []Reason {
	reasons := make([]Reason, 0, len(g))
	for key, of := range g {
		key.Count, key.Issues = of.count, of.issues
		reasons = append(reasons, key)
	}
	slices.SortFunc(reasons, func(a, b Reason) int {
		return cmp.Or(
			cmp.Compare(rank(a.Kind), rank(b.Kind)), cmp.Compare(b.Count, a.Count), cmp.Compare(a.Reason, b.Reason), cmp.Compare(a.From, b.From),
			cmp.Compare(a.To, b.To), cmp.Compare(a.By, b.By),
		)
	})
	return reasons
}

// rank is the place of a kind in the order in which a report tells of them.
func rank(kind replay.Kind) int {
	return slices.IndexFunc(replay.KindSpecs(), func(s replay.KindSpec) bool { return s.Kind == kind })
}

// examples are the most telling: of each group the latest, groups in the order of reasons, then of each the one before, until there are
// enough. What Colony merely finishes teaches little, so it fills what is left.
func (g groups) examples() []Example {
	reasons := g.reasons()
	examples := []Example{}
	take := func(finishes bool) {
		for round := range examplesKept {
			for _, reason := range reasons {
				key := reason
				key.Count, key.Issues = 0, 0
				of := g[key]
				if (reason.Kind == replay.Finishes) == finishes && round < len(of.examples) && len(examples) < mostExamples {
					e := of.examples[round]
					e.Of = of.count
					examples = append(examples, e)
				}
			}
		}
	}
	take(false)
	take(true)
	slices.SortStableFunc(examples, func(a, b Example) int { return cmp.Compare(rank(a.Kind), rank(b.Kind)) })
	return examples
}

func (s *sums) issue(o replay.Outcome) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.each != nil {
		s.each(o)
	}
	s.Issues++
	s.Moves += o.Legal
	s.Cost.Reads += o.Cost.Reads
	s.Cost.Writes += o.Cost.Writes
	for what := range o.LeftOut {
		s.leftOut[what]++
	}
	s.found.add(s.web, o.Ref, o.Findings)
}

// compare adds what differs between two replays of the same issue.
func (s *sums) compare(before, after replay.Outcome) {
	s.mu.Lock()
	defer s.mu.Unlock()
	added, removed := only(after.Findings, before.Findings), only(before.Findings, after.Findings)
	if len(added)+len(removed) > 0 {
		s.differ++
	}
	s.added.add(s.web, after.Ref, added)
	s.removed.add(s.web, after.Ref, removed)
}

// only returns the findings that others do not have as well. Where both say the same of an event, the state that the issue is in might differ:
// that is reported.
func only(findings, others []replay.Finding) []replay.Finding {
	type same struct {
		kind             replay.Kind
		reason, from, to string
		event, comment   int64
		at               int64
	}
	key := func(f replay.Finding) same {
		return same{f.Kind, f.Reason, f.From, f.To, f.EventID, f.CommentID, f.At.Unix()}
	}
	there := map[same]int{}
	for _, f := range others {
		there[key(f)]++
	}
	var left []replay.Finding
	for _, f := range findings {
		there[key(f)]--
		if there[key(f)] < 0 {
			left = append(left, f)
		}
	}
	return left
}

func (s *simulator) report() *Report {
	t, r := s.sums, s.sums.Report
	r.Mode, r.Since, r.Until, r.Complete = s.Mode, s.since, s.now, len(r.NotChecked) == 0
	r.Reasons, r.Examples = t.found.reasons(), t.found.examples()
	for _, spec := range replay.KindsIn(s.Mode) {
		r.Counts[spec.Kind] = 0
	}
	for _, reason := range r.Reasons {
		r.Counts[reason.Kind] += reason.Count
	}
	meanings := replay.LeftOutSpecs()
	for _, what := range slices.Sorted(maps.Keys(t.leftOut)) {
		r.LeftOut = append(r.LeftOut, LeftOut{What: what, Meaning: meanings[what], Issues: t.leftOut[what]})
	}
	if s.Compare {
		r.Changes = &Changes{
			Issues: t.differ, Added: t.added.reasons(), Removed: t.removed.reasons(), AddedExamples: t.added.examples(), RemovedExamples: t.removed.examples(),
		}
	}
	return &r
}
