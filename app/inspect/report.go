package inspect

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/colony-app/colony/advice"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/reconcile"
	"github.com/colony-app/colony/statemachine"
)

// Issue is the standing of an issue, and the reasons for it.
type Issue struct {
	// Issue is "owner/name#number".
	Issue  string `json:"issue"`
	Title  string `json:"title"`
	URL    string `json:"url"`
	Closed bool   `json:"closed"`

	Lifecycle string         `json:"lifecycle"`
	Mode      lifecycle.Mode `json:"mode"`
	ModeBy    string         `json:"mode_by"`

	State     string              `json:"state"`
	StateType lifecycle.StateType `json:"state_type"`
	// Since is the time from which the issue is in the state, and By who moved it there. They are left out if the log does not tell.
	Since *time.Time       `json:"since,omitempty"`
	By    *lifecycle.Actor `json:"by,omitempty"`

	// Trail lists the moves, oldest first.
	Trail []Move `json:"trail"`
	// Refused lists what was asked for and not granted, oldest first, as far back as Colony checks.
	Refused []Refusal `json:"refused"`
	// Allowed are the moves that a person with triage access can make from here.
	Allowed []Next `json:"allowed"`
	// MoveTakes is the least permission in the repository with which a person's command moves the issue.
	MoveTakes string `json:"move_takes"`
	// Limits are those of the lifecycle, with how often the issue has made the moves: in its life, or since a person last intervened.
	Limits []Limit `json:"limits"`

	// MustAct says who has to act for the issue to go on; empty if no one has to.
	MustAct []advice.Party `json:"must_act"`
	// Attention says why the issue waits for a person, the most pressing reason first; empty if it does not.
	Attention []Attention `json:"attention"`
	// PersonLabels are the labels on the issue that ask for a person.
	PersonLabels []string `json:"person_labels"`
	// Read is when the issue was read from GitHub.
	Read time.Time `json:"read"`
}

// Move is one step of the trail.
type Move struct {
	From string                `json:"from"`
	To   string                `json:"to"`
	Kind statemachine.MoveKind `json:"kind"`
	At   time.Time             `json:"at"`
	By   lifecycle.Actor       `json:"by"`
	// Command is the verb of the command that asked for it, without "/colony:"; left out if none did.
	Command string `json:"command,omitempty"`
	// Reason is what the one who asked for the move wrote, or what a bot's request means.
	Reason string `json:"reason,omitempty"`
	// Why is why Colony made the move on its own, About what caused it, and Link where that can be seen.
	Why   string `json:"why,omitempty"`
	About string `json:"about,omitempty"`
	Link  string `json:"link,omitempty"`
	// URL is the address of the comment with the command.
	URL string `json:"url,omitempty"`
}

// Refusal is a change of labels that was not granted.
type Refusal struct {
	From string `json:"from"`
	// To is the state that was asked for, or the label if that names none; left out if a label was only removed.
	To      string            `json:"to,omitempty"`
	At      time.Time         `json:"at"`
	By      lifecycle.Actor   `json:"by"`
	Verdict lifecycle.Verdict `json:"verdict"`
	// Why says the verdict in words for people.
	Why string `json:"why"`
	// LedTo is where it led instead; left out if it was undone. Stood says that it was not, because Colony only warns there.
	LedTo string `json:"led_to,omitempty"`
	Stood bool   `json:"stood,omitempty"`
}

// Limit is a limit of the lifecycle, or a move that it only counts.
type Limit struct {
	Name string `json:"name"`
	// To and From are the states of the moves that count; if From is empty, those from everywhere.
	To   string   `json:"to"`
	From []string `json:"from"`
	// Count is how often the issue has made them, and AtMost how often it can; 0: it is only counted.
	Count  int `json:"count"`
	AtMost int `json:"at_most"`
	// Instead is where Colony leads the issue when it is reached; left out if it stays.
	Instead string `json:"instead,omitempty"`
	Why     string `json:"why,omitempty"`
}

// Attention is a reason why an issue waits for a person.
type Attention struct {
	Need advice.Need `json:"need"`
	// Meaning says the need in words for people.
	Meaning string           `json:"meaning"`
	Since   *time.Time       `json:"since,omitempty"`
	By      *lifecycle.Actor `json:"by,omitempty"`
	Who     []advice.Party   `json:"who"`
	// Action is what is recommended to do; left out if nothing is.
	Action *Action `json:"action,omitempty"`
}

// Action is one thing that a person can do.
type Action struct {
	To string `json:"to"`
	// Command is what to write in a comment.
	Command string `json:"command"`
	// Reason says that a reason has to follow the command.
	Reason bool `json:"reason"`
}

// Issue tells the standing of an issue. The error is ErrNoIssue or ErrNotAnIssue if there is nothing to tell.
func (i *Inspector) Issue(ctx context.Context, ref issues.Ref) (*Issue, error) {
	found, basis, err := i.Policy(ctx, ref.Repository)
	if err != nil {
		return nil, err
	}
	issue, err := i.read(ctx, ref, basis)
	if err != nil {
		return nil, err
	}
	view, standing, life := issue.View(), issue.Standing(), basis.Settings.Lifecycle
	state, _ := life.State(standing.State)
	operator := lifecycle.Actor{Kind: lifecycle.Operator}
	out := &Issue{
		Issue: ref.String(), Title: view.Title, URL: fmt.Sprintf("%s/%s/issues/%d", strings.TrimSuffix(i.Reconciler.Web, "/"), ref.Repository, ref.Number), Closed: view.Closed,
		Lifecycle: found.Lifecycle.Name, Mode: basis.Settings.Mode, ModeBy: found.ModeBy, State: standing.State, StateType: state.Type,
		Trail: []Move{}, Refused: refusalsOf(life, standing), Allowed: NextOf(life, operator, life.NextAt(standing, operator)), Limits: limitsOf(life, standing),
		MustAct: []advice.Party{}, Attention: []Attention{}, PersonLabels: personLabels(life, view.Labels), MoveTakes: statemachine.AccessOf(life).ToMove, Read: issue.Read().UTC(),
	}
	if !view.Closed {
		out.MustAct = append(out.MustAct, advice.Expected(life, standing.State, view.Author.Login)...)
	}
	steps, err := issue.Trail(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the trail of %s: %w", ref, err)
	}
	for _, s := range steps {
		out.Trail = append(out.Trail, moveOf(s, out.URL))
	}
	if _, known := standing.Since(); known && len(out.Trail) > 0 {
		last := out.Trail[len(out.Trail)-1]
		out.Since, out.By = &last.At, &last.By
	}
	if err := out.attention(ctx, issue); err != nil {
		return nil, fmt.Errorf("find out whether %s waits for a person: %w", ref, err)
	}
	return out, nil
}

func moveOf(s reconcile.Step, issue string) Move {
	m := Move{From: s.From, To: s.To, Kind: s.Kind, At: s.At.UTC(), By: s.Who, Command: s.Command, Reason: s.Reason, Why: s.Why, About: s.About, Link: s.Link}
	if s.CommentID != 0 {
		m.URL = fmt.Sprintf("%s#issuecomment-%d", issue, s.CommentID)
	}
	return m
}

func refusalsOf(life *statemachine.Table, standing statemachine.Standing) []Refusal {
	all := []Refusal{}
	for _, r := range standing.Rejections {
		all = append(all, Refusal{
			From: r.From, To: r.To, At: r.At.UTC(), By: r.By, Verdict: r.Verdict, Why: WhyNot(life, r), LedTo: r.LedTo, Stood: r.Stood,
		})
	}
	return all
}

func limitsOf(life *statemachine.Table, standing statemachine.Standing) []Limit {
	all := []Limit{}
	for _, l := range life.Limits {
		all = append(all, Limit{
			Name: l.Name, To: l.To, From: append([]string{}, l.From...), Count: life.Count(l, standing), AtMost: l.AtMost, Instead: l.Instead, Why: l.Why,
		})
	}
	return all
}

// personLabels lists those labels of an issue that ask for a person: Colony's mark, and states that do.
func personLabels(life *statemachine.Table, labels []string) []string {
	asking := []string{}
	for _, label := range labels {
		state, is := life.StateOf(label)
		if lifecycle.SameLabel(label, lifecycle.NeedsHuman) || is && state.Type == lifecycle.AwaitingHuman {
			asking = append(asking, label)
		}
	}
	return asking
}

// attention takes over why the issue waits for a person.
func (out *Issue) attention(ctx context.Context, issue *reconcile.Inspection) error {
	attention, err := issue.Attention(ctx)
	if err != nil {
		return err
	}
	ended, by, missing, err := issue.LacksReflection(ctx)
	if err != nil {
		return err
	}
	if missing {
		attention = append(attention, advice.Attention{
			Need: advice.NeedsReflection, Since: ended.At, By: by, Who: []advice.Party{{Kind: by.Kind, Login: by.Login}},
		})
	}
	for _, a := range attention {
		one := Attention{Need: a.Need, Meaning: a.Need.Meaning(), Who: append([]advice.Party{}, a.Who...), Action: actionOf(a.Action)}
		if !a.Since.IsZero() {
			one.Since = new(a.Since.UTC())
		}
		if a.By.Kind != "" {
			one.By = &a.By
		}
		out.Attention = append(out.Attention, one)
	}
	return nil
}

func actionOf(a *advice.Action) *Action {
	if a == nil {
		return nil
	}
	return &Action{To: a.To, Command: a.Command(), Reason: a.Reason}
}
