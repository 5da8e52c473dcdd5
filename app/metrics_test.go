package app_test

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"

	"github.com/colony-app/colony/app"
	"github.com/colony-app/colony/bench/acme"
	"github.com/colony-app/colony/playground"
)

func (w *world) metrics() map[string]*dto.MetricFamily {
	w.t.Helper()
	parser := expfmt.NewTextParser(model.LegacyValidation)
	families, err := parser.TextToMetricFamilies(w.ask(http.MethodGet, "/metrics", "", "").Body)
	w.Must(err)
	return families
}

// stateLabels are the states of the lifecycle that the tests have, and what stands for everything else.
var stateLabels = regexp.MustCompile(`^(|unlabeled|new|planning|analyzing|in-review|done|paused|other)$`)

// labelValues are all that may stand in the labels of Colony's metrics; none of them depends on what people name, but for the states of lifecycles.
var labelValues = map[string]*regexp.Regexp{
	"because":   regexp.MustCompile(`^(sweep|labels|retry|issues|issue_comment|label|installation|installation_repositories|repository|other)$`),
	"outcome":   regexp.MustCompile(`^(done|put_off|gone|given_up|failed)$`),
	"why":       regexp.MustCompile(`^(github|graphql|points|content|background|reserve|share|wait)$`),
	"by":        regexp.MustCompile(`^(operator|executor|author|colony)$`),
	"verb":      regexp.MustCompile(`^(help|status|why|history|move|force|pause|resume|retry|block|reimplement|reanalyze|unknown)$`),
	"answer":    regexp.MustCompile(`^(accepted|refused|not_permitted|taken|unsigned|forged|unreadable|too_large|busy|full|failed)$`),
	"condition": regexp.MustCompile(`^(waiting|running|delayed|dead|done|left)$`),
	"reading":   regexp.MustCompile(`^(edits|pull-requests|reviews|checks|dependencies|dependency-cycles|sub-issues)$`),
	"budget":    regexp.MustCompile(`^(github|graphql|points|content|background)$`),
	"mode":      regexp.MustCompile(`^(off|observe|warn|enforce)$`),
	"verdict":   regexp.MustCompile(`^(finished|refused|moved|blocked|asked|closed|halted|command|command-refused|forced)$`),
	"from":      stateLabels,
	"to":        stateLabels,
	"role":      regexp.MustCompile(`^(operator|executor|author|colony)$`),
	"method":    regexp.MustCompile(`^(GET|POST|PATCH|PUT|DELETE)$`),
	"route":     regexp.MustCompile(`^(other|/api/v1/[a-z.]+(/\{owner\}/\{repo\}/\{number\}(/allowed)?)?)$`),
	"class":     regexp.MustCompile(`^[245]xx$`),
	"status":    regexp.MustCompile(`^(0|[1-5]\d{2})$`),
}

func TestMetricsShowWhatHappened(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.open("ada", "")
	i.Label("olivia", "colony:in-review")
	w.Settle()
	i.Label("olivia", "colony:new")
	w.Settle()
	i.ColonySays("from `in-review` to `new`")
	for _, command := range []struct{ body, reaction string }{
		{"/colony:pause", "+1"}, {"/colony:olivia", "confused"}, {"/colony:move widgets", "confused"},
	} {
		id := i.Comment("olivia", command.body)
		w.Settle()
		i.ColonyReacts(id, command.reaction)
		if command.reaction == "confused" {
			i.ColonySays("")
		}
	}
	id := i.Comment("rita", "/colony:resume")
	w.Settle()
	i.ColonyReacts(id, "-1")
	w.github.Fault(playground.Fault{Kind: playground.FaultStatus, Status: http.StatusUnprocessableEntity, Actor: "colony[bot]", Path: regexp.MustCompile(`/events$`), Times: 1})
	i.Label("olivia", "colony:done")
	w.Settle()
	w.Sweep()
	w.github.Fault(playground.Fault{Kind: playground.FaultSecondaryLimit, Actor: "colony[bot]", Times: 1})
	status := i.Comment("tara", "/colony:status")
	w.Quiet()

	got := w.metrics()
	for name, want := range map[string]float64{
		"colony_refusals_total by=operator":                      1,
		"colony_commands_total answer=accepted verb=pause":       1,
		"colony_commands_total answer=refused verb=unknown":      1,
		"colony_commands_total answer=refused verb=move":         1,
		"colony_commands_total answer=not_permitted verb=resume": 1,
		"colony_looks_total because=issues outcome=given_up":     1,
		"colony_put_offs_total why=github":                       1,
		"colony_queue_dead_total":                                1,
		"colony_queue_tasks condition=dead":                      1,
		"colony_queue_tasks condition=delayed":                   1,
		"colony_queue_tasks condition=waiting":                   0,
		"colony_limited_installations budget=github":             1,
		"colony_limited_installations budget=content":            0,
		"colony_sweep_held_back_total":                           0,
		"colony_github_calls_total method=GET status=422":        1,
		"colony_github_calls_total method=POST status=403":       0,
		"colony_breaker_trips_total":                             0,
	} {
		words := strings.Fields(name)
		if _, ok := got[words[0]]; !ok {
			t.Errorf("/metrics lacks %s", words[0])
		}
		if n := acme.Value(got, words[0], words[1:]...); n != want {
			t.Errorf("%s is %v, want %v: %v", name, n, want, got[words[0]].GetMetric())
		}
	}
	for _, name := range []string{"colony_sweeps_total", "colony_sweep_issues_total", "colony_queue_published_total"} {
		if acme.Value(got, name) == 0 {
			t.Errorf("%s is 0", name)
		}
	}
	w.boundedAndDocumented(got)
	w.clock.Advance(2 * time.Minute)
	w.Settle()
	i.ColonySays("")
	i.ColonyReacts(status, "+1")
}

// boundedAndDocumented asserts that every metric is in the list of the documents and has no label that people can name.
func (w *world) boundedAndDocumented(got map[string]*dto.MetricFamily) {
	w.t.Helper()
	documented := map[string][]string{}
	for _, m := range app.ListMetrics() {
		slices.Sort(m.Labels)
		documented[m.Name] = m.Labels
	}
	for name, family := range got {
		if _, ok := documented[name]; !ok {
			w.t.Errorf("%s is in /metrics and in no document", name)
		}
		for _, m := range family.GetMetric() {
			var labels []string
			for _, l := range m.GetLabel() {
				labels = append(labels, l.GetName())
				if allowed := labelValues[l.GetName()]; allowed == nil || !allowed.MatchString(l.GetValue()) {
					w.t.Errorf("%s has the label %s=%q", name, l.GetName(), l.GetValue())
				}
			}
			slices.Sort(labels)
			if diff := cmp.Diff(documented[name], labels); diff != "" {
				w.t.Errorf("labels of %s (-documented +got):\n%s", name, diff)
			}
		}
	}
}

func TestEveryMetricSaysWhatItIs(t *testing.T) {
	t.Parallel()
	known := app.ListMetrics()
	if len(known) < 15 {
		t.Fatalf("%d metrics", len(known))
	}
	for _, m := range known {
		if len(strings.Fields(m.Help)) < 2 || !strings.HasPrefix(m.Name, "colony_") {
			t.Errorf("%s: %q", m.Name, m.Help)
		}
	}
}
