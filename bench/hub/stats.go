package hub

import (
	"maps"
	"time"
)

// Stats counts what the hub was asked.
type Stats struct {
	Calls      int `json:"calls"`
	Reads      int `json:"reads"`
	Writes     int `json:"writes"`
	Unmodified int `json:"unmodified"` // reads answered with 304, which do not count against GitHub's limit
	Limited    int `json:"limited"`    // calls answered with 403 and Retry-After
	// LimitedFor is how long an installation had to wait that heeds these.
	LimitedFor time.Duration `json:"limited_for"`
	Repeated   int           `json:"repeated"`  // writes that changed nothing: a label that was there already, or was gone
	Bytes      int64         `json:"bytes"`     // of all answers' bodies
	InFlight   int           `json:"in_flight"` // the most calls at once
}

// Stats returns what was counted since the last call of ResetStats.
func (h *Hub) Stats() Stats {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.stats
}

// ResetStats counts from zero.
func (h *Hub) ResetStats() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.stats = Stats{}
}

// Unknown lists what was asked for and is not there, and how often.
func (h *Hub) Unknown() map[string]int {
	h.mu.Lock()
	defer h.mu.Unlock()
	all := maps.Clone(h.refused)
	for _, what := range h.playground.Unimplemented() {
		all[what] = 1
	}
	return all
}
