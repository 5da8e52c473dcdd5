package cli

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// The JSON form, for programs: its names do not change when those of the Go types do.
type (
	lifecycleJSON struct {
		Name       string            `json:"name"`
		Summary    string            `json:"summary"`
		Initial    string            `json:"initial"`
		Intake     string            `json:"intake,omitempty"`
		TakesIn    string            `json:"takes_in,omitempty"`
		BadRequest string            `json:"bad_request"`
		Final      bool              `json:"terminal_is_final"`
		Force      forceJSON         `json:"force"`
		States     []stateJSON       `json:"states"`
		Roles      []roleJSON        `json:"roles"`
		Commands   []commandJSON     `json:"commands"`
		Limits     []limitJSON       `json:"limits"`
		TimeOuts   []timeOutJSON     `json:"time_outs"`
		Triggers   []triggerJSON     `json:"triggers"`
		Scales     []scaleJSON       `json:"scales"`
		Priority   []lifecycle.Words `json:"priority"`
		Waiting    []string          `json:"waiting"`
		Reflection *reflectionJSON   `json:"reflection,omitempty"`
		Breaker    *breakerJSON      `json:"breaker,omitempty"`
		Guards     []guardJSON       `json:"guards"`
		Pairs      []pairJSON        `json:"pairs"`
	}
	stateJSON struct {
		Name        string                `json:"name"`
		Type        lifecycle.StateType   `json:"type"`
		Recovery    lifecycle.Recovery    `json:"recovery,omitempty"`
		Label       string                `json:"label,omitempty"`
		Previously  []string              `json:"previously,omitempty"`
		Color       string                `json:"color,omitempty"`
		Description string                `json:"description,omitempty"`
		Meaning     string                `json:"meaning"`
		Glyph       string                `json:"glyph,omitempty"`
		Closes      lifecycle.CloseReason `json:"closes,omitempty"`
		Recommended string                `json:"recommended,omitempty"` // a state, or a command with a slash
		// Sealed says that title and text stay those that were approved.
		Sealed bool `json:"sealed,omitempty"`
	}
	roleJSON struct {
		Name     string      `json:"name"`
		WorksIn  []string    `json:"works_in"`
		Requests []string    `json:"requests"`
		Claims   []claimJSON `json:"claims"`
		// Reasons holds, by target, the reason that a request stands for.
		Reasons map[string]string `json:"reasons,omitempty"`
	}
	claimJSON struct {
		From string `json:"from"`
		To   string `json:"to"`
	}
	commandJSON struct {
		Verb    string            `json:"verb"`
		From    lifecycle.Words   `json:"from,omitempty"`
		To      string            `json:"to"`
		Instead map[string]string `json:"instead,omitempty"`
		// Otherwise is where it leads if the previous state is not known or cannot be returned to.
		Otherwise string               `json:"otherwise,omitempty"`
		By        lifecycle.Commanders `json:"by,omitempty"` // operators unless told
		// FreshStart says that it closes the open pull requests.
		FreshStart bool             `json:"fresh_start,omitempty"`
		Target     lifecycle.Demand `json:"target,omitempty"`
		Reason     lifecycle.Demand `json:"reason,omitempty"`
		Help       string           `json:"help"`
	}
	// forceJSON is what the command may do that goes round the table: by the settings and into every state, unless told.
	forceJSON struct {
		Off  bool     `json:"off,omitempty"`
		By   string   `json:"by,omitempty"`
		Into []string `json:"into,omitempty"`
	}
	limitJSON struct {
		Count   string   `json:"count"`
		To      string   `json:"to"`
		From    []string `json:"from,omitempty"`
		AtMost  int      `json:"at_most"` // 0: only counted
		Instead string   `json:"instead,omitempty"`
		Why     string   `json:"why,omitempty"`
		// OnPullRequest says that Colony says so on the open pull requests too.
		OnPullRequest bool `json:"on_pull_request,omitempty"`
	}
	timeOutJSON struct {
		In    []string `json:"in"`
		After string   `json:"after"`
		To    string   `json:"to"`
		Why   string   `json:"why"`
	}
	triggerJSON struct {
		On         lifecycle.Fact   `json:"on"`
		In         []string         `json:"in"`
		Unless     []lifecycle.Fact `json:"unless,omitempty"`
		To         string           `json:"to,omitempty"` // without it the issue stays, and a comment says why
		Why        string           `json:"why"`
		AsksPerson bool             `json:"asks_person"`
		Holds      bool             `json:"holds,omitempty"` // the issue is not moved when there is capacity
		// Since is from when on the fact counts, where the row says so.
		Since lifecycle.Since `json:"since,omitempty"`
	}
	breakerJSON struct {
		Refusals int    `json:"refusals"`
		Within   string `json:"within"`
	}
	scaleJSON struct {
		Name    string   `json:"name"`
		Labels  []string `json:"labels"` // by level, from 0
		High    int      `json:"high"`
		Color   string   `json:"color"`
		Meaning string   `json:"meaning"`
	}
	reflectionJSON struct {
		In     []string `json:"in"`
		Words  string   `json:"words"`
		Within string   `json:"within"`
	}
	// guardJSON has its conditions as lifecycle files write them: "moved-by: people".
	guardJSON struct {
		Name       string           `json:"name"`
		Why        string           `json:"why"`
		Link       string           `json:"link,omitempty"`
		From       []string         `json:"from,omitempty"`
		To         []string         `json:"to"`
		Commands   []string         `json:"commands,omitempty"`
		Of         lifecycle.Askers `json:"of,omitempty"`
		Roles      []string         `json:"roles,omitempty"`
		Requires   []string         `json:"requires,omitempty"`
		Forbids    []string         `json:"forbids,omitempty"`
		Unless     []string         `json:"unless,omitempty"`
		NeedsHuman bool             `json:"needs_human,omitempty"`
	}
	pairJSON struct {
		From         string           `json:"from"`
		To           string           `json:"to"`
		Kind         lifecycle.Kind   `json:"kind"`
		Why          string           `json:"why"`
		Source       string           `json:"source"`
		OnlyPrevious bool             `json:"only_previous,omitempty"`
		Reason       lifecycle.Demand `json:"reason,omitempty"`
	}
)

func printJSON(w io.Writer, life *statemachine.Table) error {
	out := lifecycleJSON{
		Name: life.Name, Summary: life.Summary, Initial: life.Initial, Intake: life.Intake, TakesIn: life.TakesIn, BadRequest: life.BadRequest,
		Final: life.Final, Force: forceJSON{Off: life.Force.Off, By: life.Force.By, Into: life.Force.Into},
		Roles: []roleJSON{}, Commands: []commandJSON{}, Pairs: []pairJSON{},
		Priority: append([]lifecycle.Words{}, life.Priority...), Waiting: words(life.Waiting),
	}
	for _, s := range life.States {
		out.States = append(out.States, stateJSON(s))
	}
	for _, r := range life.Roles {
		role := roleJSON{Name: r.Name, WorksIn: words(r.WorksIn), Requests: words(r.Requests), Claims: []claimJSON{}, Reasons: r.Reasons}
		for _, c := range r.Claims {
			role.Claims = append(role.Claims, claimJSON(c))
		}
		out.Roles = append(out.Roles, role)
	}
	for _, c := range life.Commands {
		out.Commands = append(out.Commands, commandJSON(c))
	}
	out.Guards = guardsJSON(life.Guards)
	for _, p := range life.Pairs {
		out.Pairs = append(out.Pairs, pairJSON(p))
	}
	out.byItself(life)
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(out); err != nil {
		return fmt.Errorf("write lifecycle %s as JSON: %w", life.Name, err)
	}
	return nil
}

func guardsJSON(guards []lifecycle.Guard) []guardJSON {
	all := []guardJSON{}
	for _, g := range guards {
		out := guardJSON{Name: g.Name, Why: g.Why, Link: g.Link, From: g.From, To: g.To, Commands: g.Commands, Of: g.Of, Roles: g.Roles, NeedsHuman: g.NeedsHuman}
		for _, c := range g.Requires {
			out.Requires = append(out.Requires, c.String())
		}
		for _, c := range g.Forbids {
			out.Forbids = append(out.Forbids, c.String())
		}
		for _, x := range g.Unless {
			out.Unless = append(out.Unless, x.String())
		}
		all = append(all, out)
	}
	return all
}

// byItself tells what moves issues without anybody asking, and in what order they are taken.
func (out *lifecycleJSON) byItself(life *statemachine.Table) {
	out.Limits, out.TimeOuts, out.Triggers, out.Scales = []limitJSON{}, []timeOutJSON{}, []triggerJSON{}, []scaleJSON{}
	for _, l := range life.Limits {
		out.Limits = append(out.Limits, limitJSON{l.Name, l.To, l.From, l.AtMost, l.Instead, l.Why, l.OnPullRequest})
	}
	for _, t := range life.TimeOuts {
		out.TimeOuts = append(out.TimeOuts, timeOutJSON{In: t.In, After: lifecycle.Span(t.After), To: t.To, Why: t.Why})
	}
	for _, t := range life.Triggers {
		out.Triggers = append(out.Triggers, triggerJSON{t.On, t.In, t.Unless, t.To, t.Why, t.AsksPerson, t.Holds, t.Since})
	}
	for _, s := range life.Scales {
		scale := scaleJSON{Name: s.Name, High: s.High, Color: s.Color, Meaning: s.Meaning}
		for level := range s.Levels {
			scale.Labels = append(scale.Labels, s.Label(level))
		}
		out.Scales = append(out.Scales, scale)
	}
	if r := life.Reflection; r != nil {
		out.Reflection = &reflectionJSON{In: r.In, Words: r.Words, Within: lifecycle.Span(r.Within)}
	}
	if b := life.Breaker; b != nil {
		out.Breaker = &breakerJSON{b.Refusals, lifecycle.Span(b.Within)}
	}
}

// words makes of no list an empty one: programs need not tell null from [].
func words(list []string) []string { return append([]string{}, list...) }
