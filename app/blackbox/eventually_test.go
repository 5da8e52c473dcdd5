package blackbox_test

import (
	"testing"
	"time"
)

// eventually tries until something is done. A GitHub that is not ours does not say when it has sent its webhooks, so
// there is nothing to wait on but the sight of them; the deadline bounds a wait for what is sure to come and is no
// assertion on time.
func eventually(t *testing.T, tick, deadline time.Duration, try func() (done bool, missing string)) {
	t.Helper()
	ticker := time.NewTicker(tick)
	defer ticker.Stop()
	end := time.NewTimer(deadline)
	defer end.Stop()
	for {
		done, missing := try()
		if done {
			return
		}
		select {
		case <-ticker.C:
		case <-end.C:
			t.Fatalf("after %s there is still missing: %s", deadline, missing)
		}
	}
}
