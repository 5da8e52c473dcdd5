package worker

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/reconcile"
)

// OnboardingState is what one installation's onboarding shows of itself.
type OnboardingState struct {
	Installation int64 `json:"installation"`
	// Done is how many repositories have their labels, Of how many there are.
	Done  int       `json:"done"`
	Of    int       `json:"of"`
	Began time.Time `json:"began"`
	// EndsAbout is when it ends if it goes on as it did; zero while nothing is done.
	EndsAbout time.Time `json:"ends_about,omitzero"`

	// Name tells it from others of the installation. Seen is when it was reported last.
	Name string    `json:"name"`
	Seen time.Time `json:"seen"`
}

// shownFor is how long an onboarding is shown after its last report. A step waits for minutes, or for the end of an hour of
// GitHub's.
const shownFor = 2 * time.Hour

// onboardings are the onboardings that are under way, as far as this process knows: its own, and what other replicas reported. The zero value is
// ready. It is safe for concurrent use.
type onboardings struct {
	mu sync.Mutex
	by map[string]OnboardingState // by name
}

// take takes over how far an onboarding is. One that has ended is forgotten.
func (o *onboardings) take(state OnboardingState) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.by == nil {
		o.by = map[string]OnboardingState{}
	}
	if state.Done >= state.Of {
		delete(o.by, state.Name)
		return
	}
	o.by[state.Name] = state
}

// list returns the onboardings under way, the oldest first.
func (o *onboardings) list(now time.Time) []OnboardingState {
	o.mu.Lock()
	defer o.mu.Unlock()
	var all []OnboardingState
	for name, state := range o.by {
		if now.Sub(state.Seen) > shownFor {
			delete(o.by, name)
			continue
		}
		all = append(all, state)
	}
	slices.SortFunc(all, func(a, b OnboardingState) int {
		return cmp.Or(a.Began.Compare(b.Began), cmp.Compare(a.Installation, b.Installation), cmp.Compare(a.Name, b.Name))
	})
	return all
}

// of reports whether an installation is being onboarded.
func (o *onboardings) of(installation int64, now time.Time) bool {
	return slices.ContainsFunc(o.list(now), func(s OnboardingState) bool { return s.Installation == installation })
}

// requestLabels asks to bring the labels of a repository in order, unless an onboarding does that. The queue never takes it for one that it had
// before: what was in order then might not be in order now.
func (o *onboarder) requestLabels(ctx context.Context, repo issues.Repository) (asked bool, err error) {
	if o.shown.of(repo.Installation, o.clock.Now()) {
		return false, nil
	}
	id := "labels/" + rand.Text()
	err = o.Publish(ctx, id, reconcile.Request{Kind: reconcile.KindRepository, Ref: issues.Ref{Repository: repo}, Cause: reconcile.CauseLabels, Delivery: id})
	return err == nil, err
}

// Onboardings tells how far the onboardings are that are under way.
func (o *onboarder) Onboardings() []OnboardingState { return o.shown.list(o.clock.Now()) }

// onboarding names an onboarding: one delivery can ask for several.
func (i *Item) onboarding() string {
	if len(i.Added) == 0 {
		return i.Delivery
	}
	return fmt.Sprintf("%s/%d", i.Delivery, i.Added[0].ID)
}

// note shows how far an onboarding is, here and on the other replicas.
func (o *onboarder) note(item *Item) {
	p := item.Onboarding
	state := OnboardingState{Installation: item.Installation, Done: p.Done, Of: p.Of, Began: p.Began, Name: item.onboarding(), Seen: o.clock.Now().UTC()}
	if p.Done > 0 {
		state.EndsAbout = state.Seen.Add(state.Seen.Sub(p.Began) / time.Duration(p.Done) * time.Duration(max(0, p.Of-p.Done))).Truncate(time.Second)
	}
	o.show(state)
}

func (o *onboarder) end(item *Item) {
	o.show(OnboardingState{Installation: item.Installation, Name: item.onboarding()})
}

func (o *onboarder) show(state OnboardingState) {
	o.shown.take(state)
	o.peers.Tell(wordOnboarding, state)
}

// showStep logs each tenth of an onboarding.
func (o *onboarder) showStep(item *Item) {
	o.note(item)
	if p := item.Onboarding; p.Of >= 10 && p.Done < p.Of && p.Done*10/p.Of > (p.Done-1)*10/p.Of {
		o.log.Info().Int64("installation", item.Installation).Int("done", p.Done).Int("repositories", p.Of).Dur("since", o.clock.Since(p.Began)).
			Msg("an onboarding goes on")
	}
}
