package worker

import (
	"math"
	"sync"

	"github.com/colony-app/colony/github/ratelimit"
	"github.com/colony-app/colony/reconcile"
)

// costs learns how many points requests of a kind need, and how many those of a class use. It is safe for concurrent use.
type costs struct {
	mu   sync.Mutex
	most map[string]float64          // by kind and cause
	mean map[ratelimit.Class]float64 // of the last
}

func newCosts() *costs {
	return &costs{most: map[string]float64{}, mean: map[ratelimit.Class]float64{}}
}

// forgets is the part by which what a dear request cost is forgotten with each that was cheaper: as many as that would fit are
// held for nothing, and given back at their end.
const forgets = 1.0 / 16

func costKey(item *Item) string { return string(item.Kind) + " " + item.Cause }

func (c *costs) learn(item *Item, spent int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	known, ok := c.most[costKey(item)]
	if !ok {
		known = ratelimit.PointsOfReconciliation
	}
	c.most[costKey(item)] = max(float64(spent), known-(known-float64(spent))*forgets)
	class := item.caller().Class
	if known, ok = c.mean[class]; !ok {
		known = float64(spent)
	}
	c.mean[class] = known - (known-float64(spent))*forgets
}

// of returns about how many points so many requests of a class use.
func (c *costs) of(class ratelimit.Class, requests int) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	mean, ok := c.mean[class]
	if !ok {
		mean = ratelimit.PointsOfReconciliation
	}
	return int(math.Ceil(mean * float64(requests)))
}

// expected returns how many points a request is likely to need. A step of a sweep that was cut needs more than the one before.
func (c *costs) expected(item *Item) int {
	switch {
	case item.Kind == reconcile.KindSweep:
		return int(math.Ldexp(ratelimit.PointsOfReconciliation, item.Sweep.Needs(item.ID == 0)))
	case item.Kind == reconcile.KindInstallation, item.Kind == reconcile.KindRepository: // it might have to make all labels
		return ratelimit.PointsOfProvisioning
	case item.Needs > 0:
		return item.Needs
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if known, ok := c.most[costKey(item)]; ok {
		return max(1, int(math.Ceil(known)))
	}
	return ratelimit.PointsOfReconciliation
}
