package app_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/colony-app/colony/bench/acme"
	"github.com/colony-app/colony/playground"
)

// readsByKind counts Colony's reads since calls were last forgotten: all, those that GitHub did not answer with "not modified", and pages of a
// timeline.
func (w *world) readsByKind() (all, modified, timeline int) {
	for _, c := range w.github.Calls() {
		if c.Actor != "colony[bot]" || c.Method != http.MethodGet {
			continue
		}
		all++
		if c.Status != http.StatusNotModified {
			modified++
		}
		if strings.HasSuffix(c.Path, "/timeline") {
			timeline++
		}
	}
	return all, modified, timeline
}

// In a state with triggers on pull requests, an issue costs the same however long its timeline is. One question tells which pull requests name it.
// Where GitHub does not answer that, Colony reads the end of the timeline, and the pages on which a pull request names the issue.
func TestALongTimelineCostsWhatAShortOneCosts(t *testing.T) {
	t.Parallel()
	for name, lacking := range map[string][]playground.Feature{"question": nil, "lists": {playground.GraphQL}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			comparesTimelines(t, lacking)
		})
	}
}

func comparesTimelines(t *testing.T, lacking []playground.Feature) {
	t.Helper()
	w := newWorldWithoutColony(t, acme.Follows)
	w.Must(w.github.Lack(lacking...))
	w.makeLabels()
	w.start()
	w.install()
	reads := map[string][3]int{}
	for name, events := range map[string]int{"short": 10, "long": 450} {
		i := w.OpenIn("colony:in-review", "")
		w.Settle()
		i.Fixed()
		w.Settle()
		i.Age(events)
		w.clock.Advance(100 * time.Hour)
		for _, label := range []string{"colony:merge-pending", "colony:in-review", "colony:merge-pending"} { // the first reads all of it
			w.clock.Advance(time.Minute)
			w.github.ResetCalls()
			i.Label("olivia", label)
			w.Settle()
		}
		all, modified, timeline := w.readsByKind()
		if read := timeline > 0; read == (lacking == nil) {
			t.Errorf("%s: %d pages of a timeline were read", name, timeline)
		}
		reads[name] = [3]int{all, modified, timeline}
	}
	short, long := reads["short"], reads["long"]
	if long[1] != short[1] {
		t.Errorf("a long timeline took %d calls that are not free, a short one %d", long[1], short[1])
	}
	if pages := 2 * short[2]; long[2] > pages || long[0] > short[0]+short[2] {
		t.Errorf("a long timeline took %d reads, %d of them of timelines; a short one %d and %d", long[0], long[2], short[0], short[2])
	}
}
