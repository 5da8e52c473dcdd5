package app_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/bench/acme"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/policy"
	"github.com/colony-app/colony/reconcile"
)

// journal keeps Colony's log.
type journal struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (j *journal) Write(line []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.Write(line)
}

// verdicts returns the audit lines so far.
func (w *world) verdicts() []map[string]any {
	w.t.Helper()
	w.journal.mu.Lock()
	defer w.journal.mu.Unlock()
	var all []map[string]any
	for line := range bytes.Lines(w.journal.text.Bytes()) {
		var fields map[string]any
		w.Must(json.Unmarshal(line, &fields))
		if fields["message"] == reconcile.VerdictMessage {
			all = append(all, fields)
		}
	}
	return all
}

// told renders audit lines for a comparison.
func told(lines []map[string]any) []string {
	all := []string{}
	for _, l := range lines {
		all = append(all, fmt.Sprintf("#%v %v: %v→%v by %v (%v), %v, on %v, %v writes",
			l["issue"], l["verdict"], l["from"], l["to"], l["actor"], l["role"], l["reason"], l["trigger"], l["writes"]))
	}
	return all
}

// measuresItsVerdicts asserts that the metrics tell what the audit lines tell.
func (w *world) measuresItsVerdicts(lines []map[string]any) {
	w.t.Helper()
	got, counts, waits := w.metrics(), map[string]float64{}, map[string]uint64{}
	for _, l := range lines {
		kind := l["verdict"].(string)
		counts[fmt.Sprintf("from=%v mode=enforce role=%v to=%v verdict=%v", l["from"], l["role"], l["to"], kind)]++
		if l["role"] != "colony" && l["writes"].(float64) > 0 {
			waits[kind]++
		}
	}
	for labels, n := range counts {
		if have := acme.Value(got, "colony_verdicts_total", strings.Fields(labels)...); have != n {
			w.t.Errorf("colony_verdicts_total has %v of %s, want %v", have, labels, n)
		}
	}
	for _, m := range got["colony_put_right_seconds"].GetMetric() {
		kind := m.GetLabel()[0].GetValue()
		if n := m.GetHistogram().GetSampleCount(); n != waits[kind] {
			w.t.Errorf("of %d that are %s it is said how long they took, want %d", n, kind, waits[kind])
		}
		delete(waits, kind)
	}
	if len(waits) > 0 {
		w.t.Errorf("it is not said how long these took: %v", waits)
	}
}

func withJournal(t *testing.T, change ...func(*config.Config)) *world {
	t.Helper()
	w := newWorldWithoutColony(t, change...)
	w.journal = &journal{}
	w.makeLabels()
	w.start()
	w.install()
	return w
}

func TestEachVerdictHasOneLineWithAllItsFields(t *testing.T) {
	t.Parallel()
	w := withJournal(t, onDisk(t), func(c *config.Config) { c.Follow = policy.Follow{lifecycle.ReadComments} })
	i := w.open("ada", "")
	i.Label("olivia", "colony:new")
	w.Settle()
	i.Swap("olivia", "colony:new", "colony:merge-pending")
	w.Settle()
	i.Label("olivia", "colony:new")
	w.Settle()
	i.ColonySays("from `merge-pending` to `new`")
	for _, body := range []string{"/colony:pause", "/colony:move widgets", "/colony:force new because it was a mistake"} {
		id := i.Comment("mona", body)
		w.Settle()
		if body == "/colony:move widgets" {
			i.ColonySays("widgets")
			i.ColonyReacts(id, "confused")
			continue
		}
		i.ColonyReacts(id, "+1")
		if strings.HasPrefix(body, "/colony:force") {
			i.ColonySays("forced this issue")
		}
	}
	i.ColonyReacts(i.CommentAndSettle("rita", "/colony:pause"), "-1")
	i.Label("dev[bot]", "colony:in-review")
	w.Settle()
	i.ColonySays("dev")
	i.Label("olivia", "colony:analyzing")
	w.Settle()
	i.Label("olivia", "colony:needs-clarification")
	w.Settle()
	w.clock.Advance(time.Minute)
	i.Comment("ada", "It is blue.")
	w.Settle()

	want := told(w.verdicts())
	if diff := cmp.Diff([]string{
		"#1 finished: unlabeled→new by olivia (operator), , on issues.labeled, 0 writes",
		"#1 finished: new→merge-pending by olivia (operator), , on issues.labeled, 0 writes",
		"#1 refused: merge-pending→new by olivia (operator), not-in-table, on issues.labeled, 3 writes",
		"#1 command: merge-pending→paused by mona (operator), pause: accepted, on command, 4 writes",
		"#1 command-refused: paused→paused by mona (operator), move: refused, on command, 2 writes",
		"#1 forced: paused→new by mona (operator), force: accepted, on command, 6 writes",
		"#1 command-refused: new→new by rita (author), pause: not_permitted, on command, 1 writes",
		"#1 refused: new→in-review by dev[bot] (executor), not-for-role, on issues.labeled, 4 writes",
		"#1 finished: failure-blocked→analyzing by olivia (operator), , on issues.labeled, 3 writes",
		"#1 finished: analyzing→needs-clarification by olivia (operator), , on issues.labeled, 1 writes",
		"#1 moved: needs-clarification→analyzing by  (colony), The author answered, on fact, 3 writes",
	}, want); diff != "" {
		t.Errorf("the lines (-want +got):\n%s", diff)
	}
	names := []string{"level", "message"}
	for _, f := range reconcile.AuditFields() {
		names = append(names, f.Name)
	}
	slices.Sort(names)
	for _, line := range w.verdicts() {
		var have []string
		for name := range line {
			have = append(have, name)
		}
		slices.Sort(have)
		if !slices.Equal(have, names) {
			t.Errorf("a line has the fields %v, want %v", have, names)
		}
		if d := line["delivery"].(string); d == "" || strings.ContainsFunc(line["repo"].(string), func(r rune) bool { return r == ' ' }) {
			t.Errorf("the line does not say through what it came: %v", line)
		}
	}
	w.measuresItsVerdicts(w.verdicts())
	for _, d := range w.github.Deliveries() {
		w.Must(w.github.Redeliver(d.ID))
	}
	w.Sweep()
	if diff := cmp.Diff(want, told(w.verdicts())); diff != "" {
		t.Errorf("after deliveries that came twice and a sweep (-before +after):\n%s", diff)
	}
	w.restart(false)
	if diff := cmp.Diff(want, told(w.verdicts())); diff != "" {
		t.Errorf("after a restart (-before +after):\n%s", diff)
	}
	i.Unlabel("olivia", "colony:analyzing")
	w.Settle()
	i.ColonySays("back in `analyzing`")
	if diff := cmp.Diff([]string{"#1 refused: analyzing→ by olivia (operator), not-in-table, on issues.unlabeled, 3 writes"}, told(w.verdicts()[len(want):])); diff != "" {
		t.Errorf("a refusal after a restart (-want +got):\n%s", diff)
	}
}

// Where Colony only warns, what it withholds has a line of its own, which says that it is not done.
func TestWhatIsOnlyWarnedOfIsNoVerdict(t *testing.T) {
	t.Parallel()
	w := withJournal(t, func(c *config.Config) { c.Mode = lifecycle.ModeWarn })
	i := w.open("ada", "")
	i.Label("olivia", "colony:merge-pending")
	w.Settle()
	i.Label("olivia", "colony:new")
	w.Settle()
	i.ColonySays("from `merge-pending` to `new`")
	want := []string{"#1 finished: unlabeled→merge-pending by olivia (operator), , on issues.labeled, 0 writes"}
	if diff := cmp.Diff(want, told(w.verdicts())); diff != "" {
		t.Errorf("the lines (-want +got):\n%s", diff)
	}
	if !bytes.Contains(w.journal.text.Bytes(), []byte(`"mode":"warn","verdict":"refused"`)) {
		t.Error("nothing says what Colony would do")
	}
}
