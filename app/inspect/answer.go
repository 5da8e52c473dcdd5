package inspect

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/colony-app/colony/advice"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/github/ratelimit"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/reconcile"
	"github.com/colony-app/colony/statemachine"
)

// Legality is what the answer comes to.
type Legality string

// What it can come to.
const (
	Legal    Legality = "legal"
	NotLegal Legality = "not legal"
	NotKnown Legality = "not known"
)

// Answer is what would become of the move.
type Answer struct {
	// Answer and Why are left out where no state was named.
	Answer Legality `json:"answer,omitempty"`
	// Issue is "owner/name#number".
	Issue     string         `json:"issue"`
	Closed    bool           `json:"closed"`
	Lifecycle string         `json:"lifecycle"`
	Mode      lifecycle.Mode `json:"mode"`
	ModeBy    string         `json:"mode_by"`
	From      string         `json:"from"`
	To        string         `json:"to,omitempty"`
	// As is the login, Kind in which capacity it acts there, and Roles the roles that the settings give it.
	As    string              `json:"as"`
	Kind  lifecycle.ActorKind `json:"kind"`
	Roles []string            `json:"roles"`
	// Why says why, in words for people.
	Why string `json:"why,omitempty"`
	// Guards are the guards that refuse it or whose answer is not known; if it is allowed, the guards that grant it.
	Guards []Guard `json:"guards"`
	// Conditions are what it also depends on, and Then is what Colony would do about it if it is not allowed.
	Conditions []string `json:"conditions"`
	Then       string   `json:"then"`
	// ByCommand says that a command with a reason would be granted.
	ByCommand bool `json:"by_command"`
	// Next are the moves that the actor can make, from where the issue would be.
	Next []Next `json:"next"`

	life *statemachine.Table
	who  lifecycle.Actor
}

// Guard is a guard of the move.
type Guard struct {
	Name string `json:"name"`
	Why  string `json:"why"`
	Link string `json:"link"`
}

// Next is a move that is there as well.
type Next struct {
	To         string   `json:"to"`
	Why        string   `json:"why"`
	Conditions []string `json:"conditions"`
}

func (a *Answer) by(who lifecycle.Actor) {
	a.who, a.As, a.Kind, a.Roles = who, who.Login, who.Kind, append([]string{}, who.Roles...)
	a.Guards, a.Conditions, a.Next = []Guard{}, []string{}, []Next{}
}

// unknown says that something could not be read. What GitHub limits is no answer.
func (a *Answer) unknown(err error) error {
	if _, limited := errors.AsType[*ratelimit.Error](err); limited {
		return err
	}
	a.Answer = NotKnown
	a.Why = fmt.Sprintf("It cannot be read which permission %s has: %v.", a.As, issues.InWords(err))
	return nil
}

func (a *Answer) tell(asked reconcile.Asked) {
	a.From, a.ByCommand = asked.From, asked.ByCommand
	next := asked.Next
	pair, _ := a.life.Pair(asked.From, asked.To)
	switch {
	case asked.Unknown:
		a.Answer, a.Why = NotKnown, "Colony cannot read what a guard needs"
		if asked.Because != "" {
			a.Why += ": " + asked.Because
		}
		a.Why += "."
		a.Guards = guardsOf(asked.Guards)
		a.Then = "Colony would leave the issue as it is, and try again."
	case asked.Verdict == lifecycle.Legal:
		a.Answer, a.Why = Legal, sentence(pair.Why)
		granting := slices.Clone(a.life.Guards.Of(a.who, asked.From, asked.To))
		a.Guards = guardsOf(slices.DeleteFunc(granting, func(g lifecycle.Guard) bool { return len(g.Commands) > 0 }))
		a.Conditions = append(a.Conditions, advice.Unguarded(a.life, a.who, pair)...)
		next = a.life.Next(a.who, asked.To)
	default:
		a.Answer, a.Why = NotLegal, a.whyNot(asked)
		a.Guards = guardsOf(asked.Guards)
		a.Then = a.then(asked)
	}
	a.Next = NextOf(a.life, a.who, next)
}

// NextOf says of moves why they are there, and on what they depend.
func NextOf(life *statemachine.Table, who lifecycle.Actor, pairs []lifecycle.Pair) []Next {
	all := []Next{}
	for _, p := range pairs {
		all = append(all, Next{To: p.To, Why: p.Why, Conditions: append([]string{}, advice.Conditions(life, who, p)...)})
	}
	return all
}

func guardsOf(guards []lifecycle.Guard) []Guard {
	all := []Guard{}
	for _, g := range guards {
		all = append(all, Guard{Name: g.Name, Why: g.Why, Link: g.Link})
	}
	return all
}

func sentence(text string) string { return strings.TrimSuffix(text, ".") + "." }

func (a *Answer) whyNot(asked reconcile.Asked) string {
	if a.who.Kind == lifecycle.Author && asked.Verdict == lifecycle.NotForRole {
		return fmt.Sprintf("%s may neither edit labels in the repository nor move issues by command.", a.As)
	}
	if asked.Awaited != "" {
		return "Not yet: waits for " + asked.Awaited + "."
	}
	return WhyNot(a.life, statemachine.Rejection{By: a.who, Ruling: statemachine.Ruling{Verdict: asked.Verdict, Before: asked.Before}, From: asked.From, To: asked.To})
}

// then is what Colony would do about a move that is not allowed.
func (a *Answer) then(asked reconcile.Asked) string {
	switch {
	case asked.Verdict == lifecycle.Same:
		return ""
	case !a.Mode.Reads():
		return fmt.Sprintf("Colony would not see it: the mode is %s (%s).", a.Mode, a.ModeBy)
	case asked.Stood || !a.Mode.Undoes():
		return fmt.Sprintf("It would stand and not be undone: the mode is %s (%s).", a.Mode, a.ModeBy)
	case asked.Halted:
		return "The label would stay: Colony undoes no label changes on this issue until a person makes a legal move."
	case asked.LedTo != "":
		return fmt.Sprintf("Colony would move the issue to %s.", asked.LedTo)
	}
	return "Colony would undo it."
}

// whyNot is why a move was not granted, where that is the same for all issues.
var whyNot = map[lifecycle.Verdict]string{
	lifecycle.Same:        "The issue is there already.",
	lifecycle.NoEvent:     "No event put the label there: another label was renamed to it.",
	lifecycle.Transferred: "The issue was transferred: an approval in another repository does not count here.",
	lifecycle.IsClosed:    "The issue is closed: no bot works on it until someone reopens it.",
	lifecycle.NeedsReason: "The move needs a reason, which a label cannot give.",
}

// WhyNot says why a move was not granted, in a sentence for people.
func WhyNot(life *statemachine.Table, r statemachine.Rejection) string {
	if r.To == "" {
		return "An issue leaves its state only by moving to another one."
	}
	if says := whyNot[r.Verdict]; says != "" {
		return says
	}
	switch r.Verdict {
	case lifecycle.NotAState:
		return fmt.Sprintf("Lifecycle %s has no state with this label.", life.Name)
	case lifecycle.NotInTable:
		if life.IsEnd(r.From) {
			return fmt.Sprintf("%s is terminal: nothing leads out of it.", r.From)
		}
		return fmt.Sprintf("The table of lifecycle %s has no such move, for anyone.", life.Name)
	case lifecycle.Guarded:
		if len(r.Guards.Refusing) > 0 {
			return "The table has this move, and a guard refuses it: " + strings.Join(r.Guards.Names(), ", ") + "."
		}
		return "The table has this move, and a guard refuses it."
	case lifecycle.NotPrevious:
		return fmt.Sprintf("From %s the issue can only go back to where it came from, which is %s.", r.From, r.Before)
	case lifecycle.LimitReached:
		for _, limit := range life.Limits.Bounding(r.From, r.To) {
			return fmt.Sprintf("The limit %s is reached: the issue makes this move at most %s %s.", limit.Name, lifecycle.Times(limit.AtMost), limit.Since())
		}
		return "The limit of this move is reached."
	}
	if r.By.Kind == lifecycle.Author {
		return "An issue's author cannot move it; the author answers with comments."
	}
	return fmt.Sprintf("The table has this move, but not for this role. %s", whoMay(life, r.From, r.To))
}

func whoMay(life *statemachine.Table, from, to string) string {
	may := []string{"people with " + statemachine.AccessOf(life).ToMove + " access"}
	for _, r := range life.Roles {
		if life.Judge(lifecycle.Actor{Kind: lifecycle.Executor, Roles: []string{r.Name}}, from, to) == lifecycle.Legal {
			may = append(may, "the "+r.Name)
		}
	}
	return "It is for " + strings.Join(may, ", ") + "."
}

// WriteText prints the answer for people.
func (a *Answer) WriteText(w io.Writer) error {
	var b strings.Builder
	err := printed.ExecuteTemplate(&b, "answer", a)
	at := a.From
	if a.Answer == Legal {
		at = a.To
	}
	WriteNext(&b, at, a.As, a.Next)
	_, failed := io.WriteString(w, b.String())
	return cmp.Or(err, failed) //nolint:wrapcheck // the caller names the attempt
}

// WriteNext prints where someone can move an issue next.
func WriteNext(w io.Writer, from, as string, next []Next) {
	if len(next) == 0 {
		fmt.Fprintf(w, "next:  nothing is legal from %s, as %s.\n", from, as)
		return
	}
	width := 0
	for _, n := range next {
		width = max(width, len(n.To))
	}
	fmt.Fprintf(w, "Legal from %s, as %s:\n", from, as)
	for _, n := range next {
		fmt.Fprintf(w, "  %-*s  %s\n", width, n.To, strings.Join(append([]string{n.Why}, n.Conditions...), "; "))
	}
}
