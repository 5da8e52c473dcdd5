package board

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/colony-app/colony/github/issues"
)

// record is what replicas tell each other of an issue: what the index keeps of it, or that it is gone. Its JSON is on the wire between versions:
// keys can be added, but never removed or changed.
type record struct {
	issues.Ref

	Gone bool `json:"gone,omitempty"`
	Issue
	Needs    []Need    `json:"needs,omitempty"`
	Stays    []stay    `json:"stays,omitempty"`
	Refusals []refusal `json:"refusals,omitempty"`
}

// Record is what is reported to other replicas of an issue that was observed.
func (i *Issue) Record() ([]byte, error) {
	return encode(record{Ref: i.Ref, Issue: *i, Needs: i.needs, Stays: i.stays, Refusals: i.refusals})
}

// RecordGone is what is reported to other replicas of what Forget forgets.
func RecordGone(ref issues.Ref) ([]byte, error) { return encode(record{Ref: ref, Gone: true}) }

func encode(r record) ([]byte, error) {
	text, err := json.Marshal(r)
	if err != nil {
		return nil, fmt.Errorf("tell other replicas of %s: %w", r.Ref, err)
	}
	return text, nil
}

// Heed takes note of what another replica tells. unknown is the repository if its issues have to be listed. Then nothing was known of it, or its
// lifecycle is not the one that the other replica uses.
func (x *Index) Heed(text []byte) (unknown issues.Repository, isUnknown bool, err error) {
	var told record
	if err := json.Unmarshal(text, &told); err != nil {
		return issues.Repository{}, false, fmt.Errorf("read what another replica tells of an issue: %w", err)
	}
	if told.Gone {
		x.Forget(told.Ref)
		return issues.Repository{}, false, nil
	}
	i := &told.Issue
	i.Ref, i.needs, i.stays, i.refusals, i.seen = told.Ref, told.Needs, told.Stays, told.Refusals, x.clock.Now()
	x.mu.Lock()
	defer x.mu.Unlock()
	r := x.at(i.Ref.Repository)
	if before := r.issues[i.Ref.Number]; before == nil || !before.isNewerThan(i) {
		x.keep(r, i)
	}
	if r.life != nil {
		if _, known := r.life.State(i.State); known {
			return r.named, false, nil
		}
	}
	if now := x.clock.Now(); now.Sub(r.doubted) > doubtAgain {
		r.doubted = now
		return r.named, true, nil
	}
	return r.named, false, nil
}

// doubtAgain is the least time between two lists of a repository because of what another replica reports. That replica might use another version
// of a lifecycle for long.
const doubtAgain = 10 * time.Minute
