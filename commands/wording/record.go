package wording

import (
	"encoding/json"
	"regexp"
	"slices"
	"time"

	"github.com/colony-app/colony/lifecycle"
)

// RecordSchema is the version of a Record. It grows when a field changes its meaning or goes away, not when one is added.
const RecordSchema = 1

// Record is what a comment of Colony's says, for programs: it is hidden in the comment, behind its marker.
type Record struct {
	Schema   int            `json:"schema"`
	Verdicts []RecordedMove `json:"verdicts"`
}

// Recorded is what became of a move.
type Recorded string

// What can have become of a move.
const (
	RefusedMove   Recorded = "refused"   // Colony undid it, or did not make it
	StoodMove     Recorded = "stood"     // Colony would have undone it, and only warns
	AutomaticMove Recorded = "automatic" // Colony made it on its own, or for the reason that a bot's request implies
	ForcedMove    Recorded = "forced"    // Colony made it and overrode the workflow
)

// RecordedMove is one move that a comment is about.
type RecordedMove struct {
	Outcome Recorded `json:"outcome"`
	// Verdict is why it was refused, in the words of statemachine.Verdict; empty if it was not.
	Verdict lifecycle.Verdict `json:"verdict,omitempty"`
	// From and To are states, or To is the label that names none. To is empty if a label was only taken off.
	From string `json:"from"`
	To   string `json:"to,omitempty"`
	// LedTo is where it led instead.
	LedTo string `json:"led_to,omitempty"`
	// Actor is the login of who asked for it, Kind in which capacity, and Roles the roles of a bot.
	Actor string              `json:"actor,omitempty"`
	Kind  lifecycle.ActorKind `json:"kind,omitempty"`
	Roles []string            `json:"roles,omitempty"`
	// Guards are the guards that refuse it, by name.
	Guards []string `json:"guards,omitempty"`
	// Allowed are the states that the actor can move the issue to now.
	Allowed []string `json:"allowed,omitempty"`
	// Events are the ids of the label events that it is made of; none for a command.
	Events []int64 `json:"events,omitempty"`
	// Why and About are why Colony made it, and what caused that; Link is where that can be seen.
	Why   string `json:"why,omitempty"`
	About string `json:"about,omitempty"`
	Link  string `json:"link,omitempty"`
	// Causes lists all that asked for it, if they were few; see statemachine.Observation.Cause.
	Causes []string `json:"causes,omitempty"`
	// At is when Colony set out to make it, where the record is older than the move.
	At time.Time `json:"at,omitzero"`
}

// recorded renders what a comment says for programs; nothing if that is nothing.
func recorded(verdicts []RecordedMove) string {
	if len(verdicts) == 0 {
		return ""
	}
	text, err := json.Marshal(Record{RecordSchema, verdicts}) // it writes < and > such that nothing ends the HTML comment
	if err != nil {
		panic(err) // strings and numbers have JSON
	}
	return "\n<!-- colony:record " + string(text) + " -->"
}

var record = regexp.MustCompile(`(?m)^<!-- colony:record (\{.*\}) -->$`)

// RecordOf returns what a comment of Colony's says for programs; ok is false if it says nothing, or in a version that is not known.
func RecordOf(comment string) (r Record, ok bool) {
	m := record.FindStringSubmatch(comment)
	if len(m) == 0 || json.Unmarshal([]byte(m[1]), &r) != nil || r.Schema != RecordSchema {
		return Record{}, false
	}
	return r, true
}

// Refuses reports whether a comment of Colony's is about moves that were refused, or that remain although they are not allowed. Before there were
// records, the marker of a refusal was that of Colony's own moves as well.
func Refuses(comment string) bool {
	r, ok := RecordOf(comment)
	if !ok {
		return len(Markers(comment)[Explains]) > 0
	}
	return RefusesAny(r.Verdicts)
}

// RefusesAny reports whether one of some moves was refused, or would have been if Colony did not only warn.
func RefusesAny(moves []RecordedMove) bool {
	return slices.ContainsFunc(moves, func(m RecordedMove) bool { return m.Outcome == RefusedMove || m.Outcome == StoodMove })
}

// AsksPerson reports whether a comment of Colony's is of no more use once a person made an allowed move: refusals, and what it asked about.
func AsksPerson(comment string) bool {
	markers := Markers(comment)
	return Refuses(comment) || len(markers[Halts])+len(markers[Asks])+len(markers[Explains]) > 0
}

// Record is what programs read about a refusal.
func (r Refusal) Record(events ...int64) RecordedMove {
	m := RecordedMove{
		Outcome: RefusedMove, Verdict: r.Verdict, From: r.From, To: r.To, LedTo: r.LedTo, Actor: r.Who.Login, Kind: r.Who.Kind, Events: events,
	}
	if r.Stood {
		m.Outcome, m.LedTo = StoodMove, ""
	}
	if r.IsExecutor() {
		m.Roles = r.Roles
	}
	m.Guards = r.Guards.Names()
	for _, p := range r.Next {
		m.Allowed = append(m.Allowed, p.To)
	}
	return m
}

// RecordForced is what programs read about a move that overrides the workflow.
func RecordForced(by lifecycle.Actor, from, to, reason string) RecordedMove {
	return RecordedMove{Outcome: ForcedMove, From: from, To: to, Actor: by.Login, Kind: by.Kind, Why: clean(reason)}
}
