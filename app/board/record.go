package board

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
)

// record is what replicas tell each other of an issue: what the index keeps of it, or that it is gone. Its JSON is on the wire between versions:
// keys can be added, but never removed or changed.
type record struct {
	issues.Ref

	Gone     bool      `json:"gone,omitempty"`
	Title    string    `json:"title,omitempty"`
	URL      string    `json:"url,omitempty"`
	State    string    `json:"state,omitempty"`
	Since    time.Time `json:"since,omitzero"`
	By       string    `json:"by,omitempty"`
	Who      []string  `json:"who,omitempty"`
	Labels   []string  `json:"labels,omitempty"`
	Closed   bool      `json:"closed,omitempty"`
	Updated  time.Time `json:"updated,omitzero"`
	Needs    []Need    `json:"needs,omitempty"`
	Stays    []past    `json:"stays,omitempty"`
	Refusals []past    `json:"refusals,omitempty"`
}

// past is a stay in a state, or a refusal.
type past struct {
	What string    `json:"what"`
	From time.Time `json:"from"`
	To   time.Time `json:"to,omitzero"`
}

// Record is what is reported to other replicas of an issue that was observed.
func (i *Issue) Record() ([]byte, error) {
	r := record{
		Ref: i.Ref, Title: i.Title, URL: i.URL, State: i.State, Since: i.Since, By: i.By, Who: i.Who, Labels: i.Labels, Closed: i.Closed,
		Updated: i.Updated, Needs: i.needs,
	}
	for _, s := range i.stays {
		r.Stays = append(r.Stays, past{s.state, s.entered, s.left})
	}
	for _, f := range i.refusals {
		r.Refusals = append(r.Refusals, past{What: string(f.verdict), From: f.at})
	}
	return encode(r)
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
	i := &Issue{
		Ref: told.Ref, Title: told.Title, URL: told.URL, State: told.State, Since: told.Since, By: told.By, Who: told.Who, Labels: told.Labels,
		Closed: told.Closed, Updated: told.Updated, needs: told.Needs, seen: x.clock.Now(),
	}
	for _, p := range told.Stays {
		i.stays = append(i.stays, stay{p.What, p.From, p.To})
	}
	for _, p := range told.Refusals {
		i.refusals = append(i.refusals, refusal{lifecycle.Verdict(p.What), p.From})
	}
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
