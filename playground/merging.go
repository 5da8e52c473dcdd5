package playground

import (
	"bytes"
	"maps"
	"slices"
	"time"
)

// mergeBase is the commit from which two histories went apart: of the commits that both have, the one furthest on. Nil if they have none in common.
func mergeBase(a, b *commit) *commit {
	ours := map[*commit]bool{}
	for c := range a.history() {
		ours[c] = true
	}
	var best *commit
	for c := range b.history() {
		if ours[c] && (best == nil || c.depth > best.depth) {
			best = c
		}
	}
	return best
}

// merged is the tree of two commits put together, and the files in which they conflict: the files that both changed, and not alike. git looks at
// lines; here a file is changed as a whole.
func merged(onto, tip *commit) (files map[string][]byte, conflicts []string) {
	before := map[string][]byte{}
	if base := mergeBase(onto, tip); base != nil {
		before = base.files
	}
	files = maps.Clone(onto.files)
	names := slices.Collect(maps.Keys(before))
	for name := range tip.files {
		if _, old := before[name]; !old {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		theirs, has := tip.files[name]
		if same(before, name, tip.files) || same(onto.files, name, tip.files) {
			continue
		}
		if !same(before, name, onto.files) {
			conflicts = append(conflicts, name)
			continue
		}
		if has {
			files[name] = theirs
		} else {
			delete(files, name)
		}
	}
	return files, conflicts
}

// same is whether a file is the same in two trees, or in neither.
func same(a map[string][]byte, name string, b map[string][]byte) bool {
	one, hasOne := a[name]
	other, hasOther := b[name]
	return hasOne == hasOther && bytes.Equal(one, other)
}

// judgement is what GitHub found out about the merging of two commits, and when it knows.
type judgement struct {
	tip, onto *commit
	known     time.Time
}

// LagMergeability makes GitHub take a while to find out whether a pull request can be merged: until d after the first
// question that follows a push to either branch, mergeable is null and mergeable_state "unknown", as
// https://docs.github.com/rest/pulls/pulls#get-a-pull-request says. Webhooks never ask.
func (p *Playground) LagMergeability(d time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.mergeabilityLag = d
}

// mergeability is mergeable and mergeable_state of a pull request. To be asked is what makes GitHub find out.
func (p *Playground) mergeability(i *issue, asked bool) (mergeable any, state string) {
	onto := i.repo.branches[i.pull.base]
	if i.state != "open" || onto == nil {
		return nil, "unknown"
	}
	j := &i.pull.judged
	if j.tip != i.pull.tip || j.onto != onto {
		if !asked {
			return nil, "unknown"
		}
		*j = judgement{i.pull.tip, onto, p.clock.Now().Add(p.mergeabilityLag)}
	}
	if p.clock.Now().Before(j.known) {
		return nil, "unknown"
	}
	_, conflicts := merged(onto, i.pull.tip)
	switch {
	case len(conflicts) > 0:
		return false, "dirty"
	case i.pull.draft:
		return true, "draft"
	case i.repo.unstable(i.pull.tip):
		return true, "unstable"
	default:
		return true, "clean"
	}
}
