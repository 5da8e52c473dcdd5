package bench

import (
	"slices"
	"time"

	"github.com/colony-app/colony/bench/budget"
)

// Result is what one subject did in one scenario. Times are medians over the rounds.
type Result struct {
	Scenario string `json:"scenario"`
	Case     string `json:"case,omitempty"` // of the scenario, if it has several
	Subject  string `json:"subject"`
	Events   int    `json:"events"`

	CPU       float64 `json:"cpu_ms_per_event"`
	ToFloor   float64 `json:"cpu_to_floor,omitempty"`   // ratio to the floor's
	ToHandler float64 `json:"cpu_to_handler,omitempty"` // ratio to the handler's

	AckP50     float64 `json:"ack_p50_ms"`
	AckP99     float64 `json:"ack_p99_ms"`
	AckAll     float64 `json:"all_acknowledged_s"` // from the first webhook until the last is acknowledged
	AllDone    float64 `json:"all_done_s"`         // until everything is done
	Calls      float64 `json:"calls_per_event"`
	Writes     float64 `json:"writes_per_event"`
	Unmodified float64 `json:"unmodified_per_event"` // calls answered with 304, which do not count against GitHub's limit
	Bytes      float64 `json:"bytes_per_event"`      // of answers
	InFlight   int     `json:"calls_in_flight"`
	Peak       float64 `json:"peak_memory_mb"`

	Done    int `json:"done"`
	Lost    int `json:"lost"`
	Doubled int `json:"doubled"`
	Wrong   int `json:"wrong"`
	Refused int `json:"refused"` // webhooks that were not acknowledged
	// Repeated is how many writes changed nothing: a label that was there already, or was gone.
	Repeated int `json:"repeated"`

	// Example is an issue that did not come to its right end.
	Example string `json:"example,omitempty"`

	Extra map[string]float64 `json:"extra,omitempty"` // what only this scenario measures
	// Figures are those of a scenario that measures nothing else.
	Figures []budget.Figure `json:"figures,omitempty"`
}

// Right reports whether every event came to its right end. The others show what Colony is for, and need not be right.
func (r Result) Right() bool {
	return r.Subject != Colony || r.Lost+r.Doubled+r.Wrong == 0 && (r.Refused == 0 || r.Scenario == killed)
}

// median is the middle one of some numbers.
func median(of []float64) float64 {
	if len(of) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(of))
	if n := len(sorted); n%2 == 0 {
		return (sorted[n/2-1] + sorted[n/2]) / 2
	}
	return sorted[len(sorted)/2]
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
