package demo

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/commands"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/reconcile"
	"github.com/colony-app/colony/statemachine"
)

// witnessed is what went on in a story, as GitHub and Colony's log show it afterwards.
type witnessed struct {
	standings []statemachine.Standing
	byItself  []automatic
	ran       map[string]bool // verbs, by whether they were accepted
	refused   map[string]bool
	said      string // all that Colony wrote
}

// automatic is a move as Colony's log shows it.
type automatic struct {
	Message, Verdict, From, To string
	Why                        string `json:"reason"`
}

// clients lets the store of issues read as somebody who may read.
type clients struct{ hands hands }

func (c clients) NewInstallationClient(int64) (*github.Client, error) { return c.hands.of(onlooker) }

func (s *stage) witness(t *testing.T, journal []byte) *witnessed {
	t.Helper()
	w := &witnessed{ran: map[string]bool{}, refused: map[string]bool{}}
	for line := range bytes.Lines(journal) {
		var move automatic
		if err := json.Unmarshal(line, &move); err != nil {
			t.Fatalf("the log has the line %q: %v", line, err)
		}
		if move.Message == reconcile.VerdictMessage && move.Verdict == string(reconcile.VerdictMoved) {
			w.byItself = append(w.byItself, move)
		}
	}
	client, err := s.hands.of(onlooker)
	if err != nil {
		t.Fatal(err)
	}
	cast := &issues.Actors{AppID: AppID, Executors: bindings(s.People)}
	cast.SetSelf(colonyBot)
	store := issues.NewStore(clients{s.hands}, cast)
	repo, err := store.Repository(t.Context(), issues.Repository{Owner: Owner, Name: Repository})
	if err != nil {
		t.Fatal(err)
	}
	all, _, err := client.Issues.ListByRepo(t.Context(), Owner, Repository, &github.IssueListByRepoOptions{State: "all", ListOptions: github.ListOptions{PerPage: 100}})
	if err != nil {
		t.Fatal(err)
	}
	for _, issue := range all {
		view, err := store.Load(t.Context(), issues.Ref{Repository: repo, Number: issue.GetNumber()})
		if err != nil {
			t.Fatal(err)
		}
		w.standings = append(w.standings, whose(s.life, view, w.hear(t, store, view.Ref)))
	}
	return w
}

// whose is where an issue stands, with the one behind each of Colony's moves that a command made: guards ask for it.
func whose(life *statemachine.Table, view issues.View, written []commands.CommandComment) statemachine.Standing {
	life = life.GuardedByLog()
	log := view.History(monday)
	orders, _ := commands.AttributeMoves(life, life.Fold(log), written)
	log.Ordered = func(id int64) (lifecycle.Actor, bool) { return orders[id].By, true }
	return life.Fold(log)
}

// hear reads what was said on an issue: which commands were accepted, and which refused.
func (w *witnessed) hear(t *testing.T, store *issues.Store, ref issues.Ref) (written []commands.CommandComment) {
	t.Helper()
	comments, err := store.Comments(t.Context(), ref, time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range comments {
		if c.By.Kind == lifecycle.Colony {
			w.said += c.Body + "\n"
			continue
		}
		invocations := commands.Parse(c.Body)
		if len(invocations) == 0 {
			continue
		}
		receipt, _, err := store.Receipt(t.Context(), ref, c)
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range invocations {
			w.ran[i.Verb] = w.ran[i.Verb] || receipt.Content == accepted
			w.refused[i.Verb] = w.refused[i.Verb] || receipt.Content == refused
		}
		right := commands.MayForce
		if receipt.Content == issues.ThumbsDown {
			right = commands.MayRead
		}
		written = append(written, commands.CommandComment{
			CommentID: c.ID, Requester: commands.Requester{Actor: c.By, Right: right}, Invocations: invocations, At: c.Created, Done: receipt.At,
		})
	}
	return written
}

// lacks lists what a lifecycle has and the story does not show.
func (w *witnessed) lacks(life *statemachine.Table) []string {
	lacks := w.lacksMoves(life)
	lacks = append(lacks, w.lacksAutomation(life)...)
	lacks = append(lacks, w.lacksCommands(life)...)
	lacks = append(lacks, w.lacksGuards(life)...)
	return append(lacks, w.lacksRefusals(life)...)
}

// lacksMoves looks for the moves of the table, but for those that are short for several forward ones, and for what executors may
// ask for.
func (w *witnessed) lacksMoves(life *statemachine.Table) []string {
	var lacks []string
	for _, p := range life.Pairs {
		if !isShort(life, p) && !w.moved(p.From, p.To, nil) {
			lacks = append(lacks, fmt.Sprintf("the %s move %s -> %s", p.Kind, p.From, p.To))
		}
	}
	for _, r := range life.Roles {
		pairs := slices.Clone(r.Claims)
		for _, from := range r.WorksIn {
			for _, to := range r.Requests {
				if _, legal := life.Pair(from, to); legal {
					pairs = append(pairs, lifecycle.Claim{From: from, To: to})
				}
			}
		}
		for _, p := range pairs {
			if !w.moved(p.From, p.To, []string{r.Name}) {
				lacks = append(lacks, fmt.Sprintf("the role %s moving an issue %s -> %s", r.Name, p.From, p.To))
			}
		}
	}
	return lacks
}

// moved reports whether an issue was moved so, by an executor of these roles if there are any.
func (w *witnessed) moved(from, to string, roles []string) bool {
	return slices.ContainsFunc(w.standings, func(s statemachine.Standing) bool {
		return slices.ContainsFunc(s.Trail, func(m statemachine.Move) bool {
			return m.Kind == statemachine.Moved && m.From == from && m.To == to && (roles == nil || slices.Equal(m.By.Roles, roles))
		})
	})
}

// isShort reports whether a forward move stands for two others.
func isShort(life *statemachine.Table, p lifecycle.Pair) bool {
	return p.Kind == lifecycle.Forward && slices.ContainsFunc(life.States, func(s lifecycle.State) bool {
		first, there := life.Pair(p.From, s.Name)
		second, on := life.Pair(s.Name, p.To)
		return there && on && first.Kind == lifecycle.Forward && second.Kind == lifecycle.Forward
	})
}

func (w *witnessed) lacksAutomation(life *statemachine.Table) []string {
	var lacks []string
	for _, a := range w.byItself { // in the trail, or in a comment that asks a person
		why := strings.TrimSuffix(a.Why, ".")
		if !strings.Contains(w.said, fmt.Sprintf("`%s` → `%s`: %s", a.From, a.To, why)) && !strings.Contains(w.said, fmt.Sprintf("from `%s` to `%s`:** %s", a.From, a.To, why)) {
			lacks = append(lacks, fmt.Sprintf("the reason for the move from %s to %s: %s", a.From, a.To, a.Why))
		}
	}
	demand := func(what, from, to, why string) {
		if !slices.ContainsFunc(w.byItself, func(a automatic) bool {
			return (from == "" || a.From == from) && a.To == to && a.Why == why
		}) {
			lacks = append(lacks, what)
		}
	}
	for _, t := range life.Triggers {
		if t.Holds {
			continue // it shows only where a repository says how many issues may be in a state, which no story does
		}
		for _, from := range t.In {
			if t.To == "" {
				if !strings.Contains(w.said, fmt.Sprintf("Colony leaves this issue in `%s`:** %s", from, t.Why)) {
					lacks = append(lacks, fmt.Sprintf("the question after %s in %s", t.On, from))
				}
				continue
			}
			demand(fmt.Sprintf("the trigger %s in %s", t.On, from), from, t.To, t.Why)
		}
	}
	for _, t := range life.TimeOuts {
		demand(fmt.Sprintf("the time-out after %s in %s", t.After, t.In), "", t.To, t.Why)
	}
	for _, l := range life.Limits {
		if !strings.Contains(w.said, l.Name+": ") {
			lacks = append(lacks, "the status telling the count of "+l.Name)
		}
		if l.AtMost > 0 && !strings.Contains(w.said, fmt.Sprintf("the limit of %d %s", l.AtMost, l.Name)) {
			demand("the limit of "+l.Name, "", l.Instead, l.Why)
		}
	}
	return lacks
}

func (w *witnessed) lacksCommands(life *statemachine.Table) []string {
	var lacks []string
	for _, c := range life.Commands {
		if !w.ran[c.Verb] {
			lacks = append(lacks, "/colony:"+c.Verb)
		}
		if c.Reason == lifecycle.Required && !w.refused[c.Verb] {
			lacks = append(lacks, "/colony:"+c.Verb+" without the reason that it needs")
		}
	}
	if life.Final && !w.refused["force"] {
		lacks = append(lacks, "/colony:force being refused in a terminal state")
	}
	return lacks
}

// lacksGuards looks for what guards refuse, and for edits that break a seal.
func (w *witnessed) lacksGuards(life *statemachine.Table) []string {
	var lacks []string
	for _, g := range life.Guards {
		if !strings.Contains(w.said, fmt.Sprintf("the guard `%s` refuses it", g.Name)) {
			lacks = append(lacks, "the guard "+g.Name+" refusing a move")
		}
	}
	for _, s := range life.States {
		if s.Sealed && !strings.Contains(w.said, fmt.Sprintf("Colony moved this issue from `%s`", s.Name)) {
			lacks = append(lacks, "an edit of what was approved in "+s.Name)
		}
	}
	return lacks
}

// rejected reports whether there was such a rejection.
func (w *witnessed) rejected(such func(statemachine.Rejection) bool) bool {
	return slices.ContainsFunc(w.standings, func(s statemachine.Standing) bool { return slices.ContainsFunc(s.Rejections, such) })
}

func (w *witnessed) lacksRefusals(life *statemachine.Table) []string {
	type rejection = statemachine.Rejection
	by := func(kind lifecycle.ActorKind, verdict lifecycle.Verdict) func(rejection) bool {
		return func(r rejection) bool { return r.By.Kind == kind && r.Verdict == verdict }
	}
	var lacks []string
	demand := func(what string, such func(rejection) bool) {
		if !w.rejected(such) {
			lacks = append(lacks, what)
		}
	}
	demand("a person's move that is not in the table", by(lifecycle.Operator, lifecycle.NotInTable))
	demand("an executor's request that is not for its role", by(lifecycle.Executor, lifecycle.NotForRole))
	demand("an executor's bad request where executors act", func(r rejection) bool {
		return r.By.Kind == lifecycle.Executor && r.AsksPerson && r.LedTo == life.BadRequest
	})
	demand("an executor that comes late", func(r rejection) bool { return r.By.Kind == lifecycle.Executor && !r.AsksPerson && r.LedTo == "" })
	if slices.ContainsFunc(life.Pairs, func(p lifecycle.Pair) bool { return p.Reason == lifecycle.Required }) {
		demand("a label where a reason is needed", by(lifecycle.Operator, lifecycle.NeedsReason))
	}
	for _, p := range life.Pairs {
		if p.OnlyPrevious {
			demand("another way out of "+p.From+" than back", func(r rejection) bool {
				return r.From == p.From && r.Verdict == lifecycle.NotPrevious
			})
		}
	}
	for _, s := range life.States {
		if s.Type == lifecycle.Terminal {
			demand("an attempt to leave "+s.Name, func(r rejection) bool { return r.From == s.Name && r.By.Kind == lifecycle.Operator })
		}
	}
	return slices.Compact(lacks)
}
