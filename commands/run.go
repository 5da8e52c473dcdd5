package commands

import (
	"slices"
	"strings"
	"time"

	"github.com/colony-app/colony/commands/wording"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// Env is what the commands of one comment are run on.
type Env struct {
	Lifecycle *statemachine.Table
	Standing  statemachine.Standing
	// Unordered says that it is not known yet who ordered the moves of the standing, so no limit counts them. Only the moves are wanted then:
	// a refusal has no text.
	Unordered bool
	// Orders tells by which command a move of Colony's was made, by the id of the move's event. Run adds the moves that it
	// decides on, so that the comments run after this one can tell of them.
	Attributions map[int64]MoveAttribution
	// NeedsHuman and Halted are for `status`.
	NeedsHuman, Halted bool
	// Withheld is a move that Colony would make where the issue is, and does not because it only warns. It is for `status` and `why`.
	Withheld *statemachine.Automatic
	// Question is the address of the question that the issue waits for; empty if that is not known.
	Question string
	// Labels are the labels of the issue, for its levels on the scales.
	Labels []string
	// SubIssues is how many of its sub-issues are closed.
	SubIssues wording.Progress
	// Reasons are why Colony made moves without being asked, by the ids of their events, as far as that is known. They are needed only for
	// Status and History.
	Reasons map[int64]Reason
	// Blockers is what holds the issue up in its state, named such that everybody who can read the issue is allowed to read it.
	Blockers []statemachine.Blocker
	// Stuck is that of advice.Request.
	Stuck bool
	Now   time.Time
	// Rule says what becomes of what a command asks for from where the issue is then. Nil: as Lifecycle does if no guard is asked.
	Rule func(statemachine.Standing, statemachine.Ask) statemachine.Ruling
	// Waiting is what waits to be taken in the repository. It is needed only for Next.
	Waiting Waiting
	// Capacities is how full states are. It is needed only for Next and Status.
	Capacities []Capacity
	// Home is the issue, and Targets what was found out about the issues that link commands name; see Home.Named.
	Home    Home
	Targets map[Reference]Target
}

// Reason is why Colony made a move, what caused that, and where it can be seen; each can be empty.
type Reason struct{ Why, About, Link string }

// Requester is who wrote a comment.
type Requester struct {
	Actor lifecycle.Actor
	Right Right
}

// Answer is how the commands of one comment went, as its reaction tells.
type Answer int

// The answers. Where the commands of one comment went differently, the highest is given.
const (
	Accepted Answer = iota
	NotPermitted
	Refused
)

// Move is one move that a command makes.
type Move struct {
	From, To string
	// Forced moves override the workflow, inside the bracket of the mark Forced.
	Forced bool
	// Led says how a command that was not granted led there: BadRequest or Exhausted, as the same label would have. Empty: it was granted.
	Led statemachine.MoveKind
}

// Result is what the commands of one comment come to. Nothing of it has been written yet.
type Result struct {
	Answer Answer
	// Moves are to be made one after the other.
	Moves []Move
	// Links are to be made or taken away, one after the other; there are none unless all commands were accepted.
	Links []Link
	// PutBack is the state of the issue if a command asks for it and its label is not there: someone deleted it from the repository where Colony
	// restores nothing. It is empty otherwise, and of no interest where there are moves.
	PutBack string
	said
	// NeedsHuman says that a move was refused such that Colony asks for a person.
	NeedsHuman bool
	// Reached lists the limits that led issues elsewhere.
	Reached []lifecycle.Limit
	// Unread says that it could not be read whether a guard grants a move, and refused it for that.
	Unread bool
	// Legal says that a person made a move that is allowed, so no one is needed for what was before.
	Legal bool
	// FreshStart is the verb of a command that starts the work again and was accepted, so that the issue's open pull requests are to be closed; empty
	// if there was none.
	FreshStart string
	// Standing is where the issue is once the moves are made.
	Standing statemachine.Standing
}

type said struct {
	// Replies are blocks of Markdown for one comment; none if there is nothing to say.
	Replies []string
	// Recorded is what the replies say for programs.
	Recorded []wording.RecordedMove
	answers  int // to what was asked, said or left out
}

// Run runs the commands of one comment in their order; each is decided by what the one before left. It decides, and writes nothing.
func Run(env Env, requester Requester, invocations []Invocation) Result {
	r := run(env, requester, invocations, map[string]bool{})
	r.onlyIfAccepted()
	r.saysNotPermitted(env, len(r.Moves) > 0)
	return r
}

// saysNotPermitted has a comment answered as refused that moved the issue, where another of its commands was not permitted: the receipt of who
// lacks the permission says that nothing was run.
func (r *Result) saysNotPermitted(env Env, moved bool) {
	if r.Answer == NotPermitted && moved {
		r.Answer = Refused
		r.Replies = append(r.Replies, wording.NotPermitted(statemachine.AccessOf(env.Lifecycle)))
	}
}

// run keeps in explained for which states the reply says what is allowed, and whether it speaks of an uncertain command.
func run(env Env, requester Requester, invocations []Invocation, explained map[string]bool) Result {
	if env.Attributions == nil {
		env.Attributions = map[int64]MoveAttribution{}
	}
	r := Result{Standing: env.Standing}
	for _, invocation := range invocations {
		e := &execution{Env: env, Requester: requester, Invocation: invocation, explained: explained, result: &r}
		e.run()
	}
	return r
}

type execution struct {
	Env
	Requester
	Invocation
	spec      Spec
	explained map[string]bool
	result    *Result
}

func (e *execution) run() {
	spec, ok := Find(e.Lifecycle, e.Verb)
	switch {
	case e.Verb == Doubtful:
		e.doubtful()
	case e.Verb == Excess:
		e.answer(Refused)
		e.record(wording.Excess(MaxInvocations, e.Line))
	case !ok:
		e.unknownVerb()
	case spec.Needs > e.Right:
		e.answer(NotPermitted)
	default:
		e.spec = spec
		spec.run(e)
	}
}

// doubtful says once in a comment that a command in it is not run, and why.
func (e *execution) doubtful() {
	e.answer(Refused)
	if !e.explained[Doubtful] {
		e.reply(wording.Doubtful())
	}
	e.explained[Doubtful] = true
}

func (e *execution) unknownVerb() {
	suggestion, _ := lifecycle.Closest(e.Verb, verbs(Registry(e.Lifecycle)))
	e.refuse(wording.UnknownVerb(e.Verb, suggestion))
}

func (e *execution) answer(a Answer) { e.result.Answer = max(e.result.Answer, a) }

// mostAnswers is how many answers one comment gets: who asks for more asks for what no one reads.
const mostAnswers = 8

// reply adds an answer, unless the comment has it already, or has enough.
func (e *execution) reply(block string) {
	e.result.answers++
	switch replies := e.result.Replies; {
	case slices.Contains(replies, block):
		e.result.answers--
	case e.result.answers <= mostAnswers:
		e.record(block)
	case e.result.answers == mostAnswers+1:
		e.record(wording.NoMoreAnswers(mostAnswers))
	}
}

// record adds what has to be reported in any case.
func (e *execution) record(block string) { e.result.Replies = append(e.result.Replies, block) }

func (e *execution) refuse(block string) {
	e.answer(Refused)
	e.reply(block)
}

// refuseMove refuses a move, and makes the one that the request leads to instead. It tells what is allowed once for each state, however many moves
// from there a comment asks for.
func (e *execution) refuseMove(to string, r statemachine.Ruling) {
	from := e.state()
	e.lead(r)
	if e.Unordered {
		e.answer(Refused)
		return
	}
	too := false
	if r.Verdict != lifecycle.Guarded {
		too, e.explained[e.state()] = e.explained[e.state()], true
	}
	how := wording.Telling{Question: e.Question, Stuck: e.stuck(), Forced: e.Verb == Force}
	refusal := wording.Explain(e.Lifecycle, e.result.Standing, e.Actor, from, to, r, how)
	e.refuse(refusal.Render(too))
	e.result.Recorded = append(e.result.Recorded, refusal.Record())
}

// stuck is Env.Stuck where that was read; false once a command of the comment moved the issue.
func (e *execution) stuck() bool { return e.Stuck && e.state() == e.Standing.State }

// lead makes the move that a request leads to which is not granted.
func (e *execution) lead(r statemachine.Ruling) {
	e.result.NeedsHuman = e.result.NeedsHuman || r.AsksPerson || r.Guards.NeedsHuman
	if r.LedTo == "" {
		return
	}
	e.make(Move{From: e.state(), To: r.LedTo, Led: r.Kind})
	if r.Verdict == lifecycle.LimitReached {
		e.result.Reached = append(e.result.Reached, r.Limit)
	}
}

// state is the state the issue is in at this point of the comment.
func (e *execution) state() string { return e.result.Standing.State }

// target reads the state a command names, and refuses a word that names no state.
func (e *execution) target(word string) (string, bool) {
	if name, ok := stateNamed(e.Lifecycle, word); ok {
		return name, true
	}
	names := e.Lifecycle.StateNames()
	suggestion, _ := lifecycle.Closest(unmarked(word), names)
	e.refuse(wording.UnknownState(word, suggestion, names))
	return "", false
}

// wanted reads the state to which a command is to move the issue. A bot that names a state that does not exist makes a bad request, as with any other
// state that it is not allowed to ask for.
func (e *execution) wanted(word string) (string, bool) {
	if _, isState := stateNamed(e.Lifecycle, word); isState || e.Actor.Kind != lifecycle.Executor {
		return e.target(word)
	}
	names := e.Lifecycle.StateNames()
	suggestion, _ := lifecycle.Closest(unmarked(word), names)
	from := e.state()
	r := e.rule(word, "")
	e.lead(r)
	e.refuse(wording.UnknownRequest(e.Lifecycle, e.result.Standing, e.Actor, word, suggestion, r))
	e.result.Recorded = append(e.result.Recorded, wording.Explain(e.Lifecycle, e.result.Standing, e.Actor, from, word, r, wording.Telling{}).Record())
	return "", false
}

// stateNamed accepts a state's name in any case, and its label, as such or as people write it in Markdown.
func stateNamed(l *statemachine.Table, word string) (string, bool) {
	for _, written := range []string{word, unmarked(word)} {
		if s, ok := l.State(strings.ToLower(written)); ok {
			return s.Name, true
		}
		if s, ok := l.StateOf(written); ok {
			return s.Name, true
		}
	}
	return "", false
}

// straight are the quotation marks that some keyboards write, as the others write them.
var straight = strings.NewReplacer("“", `"`, "”", `"`, "„", `"`, "‘", "'", "’", "'")

// unmarked returns a name without the pairs of marks around it, and without punctuation after it: comments of Colony show states as code, and
// people copy what they see.
func unmarked(word string) string {
	const marks, punctuation = "`*_\"'", ".,:;!?"
	word = strings.TrimRight(straight.Replace(word), punctuation)
	for n := len(word); n > 1 && word[0] == word[n-1] && strings.IndexByte(marks, word[0]) >= 0; n = len(word) {
		word = strings.TrimRight(word[1:n-1], punctuation)
	}
	return word
}

// words splits what follows the verb: the state that it begins with, or else its first word, and the rest as written.
func (e *execution) words() (first, rest string) { return cutState(e.Lifecycle, e.Rest) }

// wordsOfLabel is how many words a label can have: it has 50 characters at most.
const wordsOfLabel = 25

// cutState splits the longest name or label of a state off a text, or else its first word.
func cutState(l *statemachine.Table, written string) (first, rest string) {
	all := strings.SplitN(written, " ", wordsOfLabel+1)
	begins := 1
	for n := range all {
		if _, isState := stateNamed(l, strings.Join(all[:n+1], " ")); isState {
			begins = n + 1
		}
	}
	return strings.Join(all[:begins], " "), strings.TrimSpace(strings.Join(all[begins:], " "))
}
