package commands_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/colony-app/colony/commands"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

var (
	maintainer = commands.Requester{Actor: lifecycle.Actor{Login: "mona", Kind: lifecycle.Operator}, Right: commands.MayForce}
	triager    = commands.Requester{Actor: lifecycle.Actor{Login: "tara", Kind: lifecycle.Operator}, Right: commands.MayMove}
	reader     = commands.Requester{Actor: lifecycle.Actor{Login: "rita", Kind: lifecycle.Author}, Right: commands.MayRead}
	anyBot     = commands.Requester{Actor: lifecycle.Actor{Login: "dev[bot]", Kind: lifecycle.Executor}, Right: commands.MayMove}
	reviewBot  = commands.Requester{Actor: lifecycle.Actor{Login: "rev[bot]", Kind: lifecycle.Executor, Roles: []string{"reviewer"}}, Right: commands.MayMove}
)

// run runs a comment on an issue.
func run(l *statemachine.Table, standing statemachine.Standing, requester commands.Requester, text string) commands.Result {
	return commands.Run(commands.Env{Lifecycle: l, Standing: standing, Now: second(50)}, requester, commands.Parse(text))
}

// path renders moves; a forced one has a "!".
func path(moves []commands.Move) string {
	var words []string
	for _, m := range moves {
		word := m.From + ">" + m.To
		if m.Forced {
			word += "!"
		}
		words = append(words, word)
	}
	return strings.Join(words, " ")
}

// reviewed is an issue in review whose changes a bot requested that often.
func reviewed(times int) statemachine.Standing {
	var moves []statemachine.Move
	for range times {
		for _, to := range []string{"changes-requested", "in-development", "in-review"} {
			moves = append(moves, statemachine.Move{To: to, By: anyBot.Actor})
		}
	}
	return trail("in-review", moves...)
}

func TestRun(t *testing.T) {
	life := colonyLifecycle(t)
	const ok, no, bad = commands.Accepted, commands.NotPermitted, commands.Refused
	start := func(state string) statemachine.Standing { return trail(state) }
	blocked := func(before string) statemachine.Standing { return trail(before, byOlivia("failure-blocked")) }
	paused := func(before string) statemachine.Standing { return trail(before, byOlivia("paused")) }
	blockedWhilePaused := trail("in-review", byOlivia("paused"), byOlivia("failure-blocked"))
	settled := trail("in-review", statemachine.Move{To: "paused", Kind: statemachine.Settled})

	tests := map[string]struct {
		standing statemachine.Standing
		asker    commands.Requester
		text     string
		answer   commands.Answer
		moves    string
		human    bool
		legal    bool
		says     string // a part of the replies; empty if there is none
	}{
		"move":                                     {start("in-review"), triager, "/colony:move merge-pending", ok, "in-review>merge-pending", false, true, ""},
		"move by a label, any case":                {start("in-review"), triager, "/colony:move COLONY:Merge-Pending", ok, "in-review>merge-pending", false, true, ""},
		"move in capitals":                         {start("in-review"), triager, "/COLONY:MOVE MERGE-PENDING", ok, "in-review>merge-pending", false, true, ""},
		"move with words after it":                 {start("in-review"), triager, "/colony:move merge-pending looks good", ok, "in-review>merge-pending", false, true, ""},
		"move to where it is":                      {start("in-review"), triager, "/colony:move in-review", ok, "", false, false, ""},
		"move against the table":                   {start("in-review"), triager, "/colony:move new", bad, "", true, false, "did not move the issue from `in-review` to `new`"},
		"move out of the end":                      {start("done"), maintainer, "/colony:move new", bad, "", true, false, "`done` is final"},
		"move without a label":                     {start("in-review"), triager, "/colony:move unlabeled", bad, "", true, false, "did not move the issue from `in-review` to `unlabeled`:** the lifecycle has no such move"},
		"move from without a label":                {start("unlabeled"), triager, "/colony:move new", ok, "unlabeled>new", false, true, ""},
		"move to nowhere":                          {start("in-review"), triager, "/colony:move", bad, "", false, false, "needs a state. Write it like this: `/colony:move <state> [reason]`"},
		"move to a mistyped state":                 {start("in-review"), triager, "/colony:move merge-pendign", bad, "", false, false, "Did you mean `merge-pending`?"},
		"move to a state unheard of":               {start("in-review"), triager, "/colony:move @octocat", bad, "", false, false, "`@octocat` is not a state."},
		"move to a mark":                           {start("in-review"), triager, "/colony:move colony:needs-human", bad, "", false, false, "is not a state"},
		"move by a reader":                         {start("in-review"), reader, "/colony:move merge-pending", no, "", false, false, ""},
		"move by a bot":                            {start("in-review"), anyBot, "/colony:move changes-requested", ok, "in-review>changes-requested", false, false, ""},
		"move by a bot against its role":           {start("in-review"), anyBot, "/colony:move done", bad, "in-review>failure-blocked", true, false, "the role `reviewer` may not make that move"},
		"move by a bot to a state unheard of":      {start("in-review"), anyBot, "/colony:move reviewed", bad, "in-review>failure-blocked", true, false, "`reviewed` is not a state."},
		"move by a bot out of a pause, unheard of": {paused("in-review"), anyBot, "/colony:move reviewed", bad, "", false, false, "`reviewed` is not a state."},
		"a command after a bad request":            {start("in-review"), anyBot, "/colony:move done\n\n/colony:move changes-requested", bad, "in-review>failure-blocked", true, false, "did not move the issue from `failure-blocked` to `changes-requested`"},
		"move by a bot beyond a limit":             {reviewed(5), reviewBot, "/colony:move changes-requested", bad, "in-review>failure-blocked", true, false, "the limit of 5 review cycles is reached"},
		"move by a person beyond a limit":          {reviewed(5), triager, "/colony:move changes-requested", ok, "in-review>changes-requested", false, true, ""},
		"move by a bound bot":                      {start("in-review"), reviewBot, "/colony:move human-review-ready", ok, "in-review>human-review-ready", false, false, ""},
		"move by a bound bot elsewhere":            {start("analyzing"), reviewBot, "/colony:move ready-for-dev", bad, "analyzing>failure-blocked", true, false, "the role `reviewer` may not make that move"},
		"move by a bot to where work fails":        {start("in-review"), anyBot, "/colony:move failure-blocked", ok, "in-review>failure-blocked", true, false, ""},
		"claim by a bot":                           {start("ready-for-dev"), anyBot, "/colony:move in-development", ok, "ready-for-dev>in-development", false, false, ""},
		"move by a bot out of a pause":             {paused("in-review"), anyBot, "/colony:move in-review", bad, "", false, false, "bots have no work in `paused`"},
		"help by anybody":                          {start("new"), reader, "/colony", ok, "", false, false, "`/colony:force <state> <reason>`"},
		"status by anybody":                        {start("new"), reader, "/colony:status", ok, "", false, false, "`rita` cannot move it"},
		"history by anybody":                       {start("new"), reader, "/colony:history", ok, "", false, false, "log shows no move."},
		"why by anybody":                           {start("new"), reader, "/colony:why analyzing", ok, "", false, false, "`rita` cannot move this issue from `new` to `analyzing`, but people who may edit labels can"},
		"why not":                                  {start("in-review"), triager, "/colony:why new", ok, "", false, false, "`in-review` → `analyzing` → `new`"},
		"why nothing":                              {start("new"), triager, "/colony:why", ok, "", false, false, "A bot in the role `analyzer` can move it to `analyzing`"},
		"why a mistyped state":                     {start("new"), triager, "/colony:why analysing", bad, "", false, false, "Did you mean `analyzing`?"},
		"pause":                                    {start("in-development"), triager, "/colony:pause", ok, "in-development>paused", false, true, ""},
		"pause with a reason":                      {start("in-development"), triager, "/colony:pause new hardware comes", ok, "in-development>paused", false, true, ""},
		"pause twice":                              {paused("in-development"), triager, "/colony:pause", ok, "", false, false, ""},
		"pause what cannot be":                     {start("new"), triager, "/colony:pause", bad, "", true, false, "did not move the issue from `new` to `paused`"},
		"pause by a reader":                        {start("in-development"), reader, "/colony:pause", no, "", false, false, ""},
		"pause by a bot":                           {start("in-development"), anyBot, "/colony:pause", bad, "in-development>failure-blocked", true, false, "the role `developer` may not make that move"},
		"resume":                                   {paused("in-review"), triager, "/colony:resume", ok, "paused>in-review", false, true, ""},
		"resume with a reason":                     {paused("in-review"), triager, "/colony:resume the vendor answered", ok, "paused>in-review", false, true, ""},
		"resume elsewhere":                         {paused("in-review"), triager, "/colony:resume Analyzing the plan changed", ok, "paused>analyzing", false, true, ""},
		"resume elsewhere, mistyped":               {paused("in-review"), triager, "/colony:resume analyzign", bad, "", false, false, "Did you mean `analyzing`?"},
		"resume what is not paused":                {start("in-review"), triager, "/colony:resume", bad, "", false, false, "works only in `paused`"},
		"resume to where it is":                    {start("in-review"), triager, "/colony:resume in-review", ok, "", false, false, ""},
		"resume to the pause":                      {paused("in-review"), triager, "/colony:resume paused", bad, "", false, false, "it is in `paused`, and `/colony:resume` leads out of that"},
		"resume to the pause, so what can be done": {paused("in-review"), triager, "/colony:resume paused", bad, "", false, false, "/colony:move <state>"},
		"retry to the block":                       {blocked("in-review"), triager, "/colony:retry failure-blocked", bad, "", false, false, "leads out of that"},
		"resume after a move elsewhere":            {start("in-review"), triager, "/colony:resume analyzing", bad, "", false, false, "works only in `paused`"},
		"resume from before the log":               {start("paused"), triager, "/colony:resume", bad, "", false, false, "does not say which state"},
		"resume from before the horizon":           {settled, triager, "/colony:resume", bad, "", false, false, "/colony:move <state>"},
		"resume from before, with a name":          {settled, triager, "/colony:resume in-review", ok, "paused>in-review", false, true, ""},
		"resume by a bot":                          {paused("in-review"), anyBot, "/colony:resume", bad, "", false, false, "bots have no work in `paused`"},
		"retry":                                    {blocked("in-review"), triager, "/colony:retry", ok, "failure-blocked>in-review", false, true, ""},
		"retry, instead":                           {blocked("in-development"), triager, "/colony:retry", ok, "failure-blocked>ready-for-dev", false, true, ""},
		"retry, not instead":                       {blocked("in-development"), triager, "/colony:retry in-development", ok, "failure-blocked>in-development", false, true, ""},
		"retry with no way back":                   {blocked("needs-clarification"), triager, "/colony:retry", ok, "failure-blocked>ready-for-dev", false, true, ""},
		"retry from before the log":                {start("failure-blocked"), triager, "/colony:retry", ok, "failure-blocked>ready-for-dev", false, true, ""},
		"retry a target out of reach":              {blocked("in-review"), triager, "/colony:retry needs-clarification", bad, "", true, false, "Colony did not move the issue"},
		"retry what is paused":                     {paused("in-review"), triager, "/colony:retry", bad, "", false, false, "works only in `failure-blocked`"},
		"retry after a block in a pause":           {blockedWhilePaused, triager, "/colony:retry", ok, "failure-blocked>in-review", false, true, ""},
		"block":                                    {start("in-review"), triager, "/colony:block it burns", ok, "in-review>failure-blocked", false, true, ""},
		"block twice":                              {blocked("in-review"), triager, "/colony:block", ok, "", false, false, ""},
		"block what is paused":                     {paused("in-review"), triager, "/colony:block", ok, "paused>failure-blocked", false, true, ""},
		"reimplement":                              {start("human-review-ready"), triager, "/colony:reimplement", ok, "human-review-ready>ready-for-dev", false, true, ""},
		"reimplement too early":                    {start("analyzing"), triager, "/colony:reimplement", bad, "", false, false, "works only in `in-development`, "},
		"reimplement, there already":               {start("ready-for-dev"), triager, "/colony:reimplement", ok, "", false, false, ""},
		"reimplement takes no state":               {start("in-review"), triager, "/colony:reimplement new ideas", ok, "in-review>ready-for-dev", false, true, ""},
		"reanalyze":                                {start("merge-pending"), triager, "/colony:reanalyze", ok, "merge-pending>analyzing", false, true, ""},
		"reanalyze the end":                        {start("done"), triager, "/colony:reanalyze", bad, "", true, false, "`done` is final"},
		"force":                                    {start("done"), maintainer, "/colony:force planning the customer is back", ok, "done>planning!", false, true, "Reason: the customer is back"},
		"force a legal move":                       {start("in-review"), maintainer, "/colony:force merge-pending now", ok, "in-review>merge-pending!", false, true, "forced this issue from `in-review`"},
		"force with less":                          {start("done"), triager, "/colony:force planning because", no, "", false, false, ""},
		"force by a bot":                           {start("done"), anyBot, "/colony:force planning because", no, "", false, false, ""},
		"force without a reason":                   {start("done"), maintainer, "/colony:force planning", bad, "", false, false, "needs a state and a reason"},
		"force without a visible reason":           {start("done"), maintainer, "/colony:force planning \u200b\u2060", bad, "", false, false, "needs a state and a reason"},
		"force without anything":                   {start("done"), maintainer, "/colony:force", bad, "", false, false, "needs a state and a reason"},
		"force to where it is":                     {start("done"), maintainer, "/colony:force done because", ok, "", false, false, ""},
		"force to no label":                        {start("done"), maintainer, "/colony:force unlabeled because", bad, "", false, false, "Colony did not move the issue"},
		"force to a mistyped state":                {start("done"), maintainer, "/colony:force planing because", bad, "", false, false, "Did you mean `planning`?"},
		"a mistyped verb":                          {start("new"), triager, "/colony:pasue", bad, "", false, false, "Did you mean `/colony:pause`?"},
		"a mistyped verb by a reader":              {start("new"), reader, "/colony:stauts", bad, "", false, false, "Did you mean `/colony:status`?"},
		"a verb unheard of":                        {start("new"), triager, "/colony:deploy", bad, "", false, false, "`deploy` is not a command. `/colony:help` lists"},
		"below HTML that is not closed":            {start("in-review"), triager, "<details>\n\n/colony:move done\n\n/colony:pause", bad, "", false, false, "did not run a command in this comment"},
		"above such HTML":                          {start("in-review"), triager, "/colony:pause\n\n<details>\n\n/colony:move done", bad, "in-review>paused", false, true, "did not run a command in this comment"},
		"one after the other":                      {start("in-development"), triager, "/colony:move in-review\n\n/colony:pause", ok, "in-development>in-review in-review>paused", false, true, ""},
		"back and forth":                           {start("in-development"), triager, "/colony:pause\n\n/colony:resume", ok, "in-development>paused paused>in-development", false, true, ""},
		"a refused one does not stop":              {start("in-review"), triager, "/colony:move new\n\n/colony:pause", bad, "in-review>paused", false, true, "Colony did not move the issue"},
		"a refused one comes last":                 {start("in-review"), triager, "/colony:pause\n\n/colony:move unlabeled", bad, "in-review>paused", true, true, "did not move the issue from `paused` to `unlabeled`"},
		"permitted and not":                        {start("in-review"), triager, "/colony:pause\n\n/colony:force new because", bad, "in-review>paused", false, true, "did not force the issue:** you lack the permission"},
		"not permitted and refused":                {start("in-review"), reader, "/colony:pause\n\n/colony:stauts", bad, "", false, false, "Did you mean"},
		"force, then on":                           {start("done"), maintainer, "/colony:force new again\n\n/colony:move analyzing", ok, "done>new! new>analyzing", false, true, "forced"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			r := run(life, test.standing, test.asker, test.text)
			got := []any{r.Answer, path(r.Moves), r.NeedsHuman, r.Legal}
			if diff := cmp.Diff([]any{test.answer, test.moves, test.human, test.legal}, got); diff != "" {
				t.Errorf("answer, moves, needs a human, legal (-want +got):\n%s", diff)
			}
			said := strings.Join(r.Replies, "\n")
			if !strings.Contains(said, test.says) || test.says == "" && said != "" {
				t.Errorf("replies\n%s\nlack %q", said, test.says)
			}
			if want := test.standing.State; len(r.Moves) > 0 {
				if last := r.Moves[len(r.Moves)-1]; r.Standing.State != last.To || r.Moves[0].From != want {
					t.Errorf("the moves %s do not lead from %s to %s", path(r.Moves), want, r.Standing.State)
				}
			}
		})
	}
}

// Colony lists the legal moves once for each state, however many commands of a comment ask for something else.
func TestLegalMovesAreListedOnce(t *testing.T) {
	life := colonyLifecycle(t)
	const legal = "From `in-review` people can move it to:"
	for name, test := range map[string]struct {
		text            string
		refused, paused int // how many moves are refused, and how often it lists what is legal from `paused`
	}{
		"one":                             {"/colony:move new", 1, 0},
		"two":                             {"/colony:move new\n\n/colony:move planning", 2, 0},
		"the same twice":                  {"/colony:move new\n\n/colony:move new", 2, 0},
		"something else in between":       {"/colony:move new\n\n/colony:status\n\n/colony:force unlabeled because", 2, 0},
		"in two states":                   {"/colony:move new\n\n/colony:pause\n\n/colony:move unlabeled", 2, 1},
		"in two states, and back":         {"/colony:move new\n\n/colony:pause\n\n/colony:move unlabeled\n\n/colony:resume\n\n/colony:move planning", 3, 1},
		"in two states, twice in the one": {"/colony:move new\n\n/colony:pause\n\n/colony:move unlabeled\n\n/colony:block\n\n/colony:retry\n\n/colony:move new", 3, 1},
	} {
		t.Run(name, func(t *testing.T) {
			said := strings.Join(run(life, trail("in-review"), maintainer, test.text).Replies, "\n\n")
			got := []int{
				strings.Count(said, "Colony did not move the issue"), strings.Count(said, legal),
				strings.Count(said, strings.ReplaceAll(legal, "in-review", "paused")),
			}
			if diff := cmp.Diff([]int{test.refused, 1, test.paused}, got); diff != "" {
				t.Errorf("refusals, lists, lists from paused (-want +got):\n%s\n%s", diff, said)
			}
		})
	}
	t.Run("by two Colonies", func(t *testing.T) {
		const id = 77
		text := "/colony:move new\n\n/colony:pause\n\n/colony:resume\n\n/colony:move planning"
		standing := trail("in-review", byColony("paused"), byColony("in-review"))
		orders := map[int64]commands.MoveAttribution{}
		for _, m := range standing.Trail {
			orders[m.ID] = commands.MoveAttribution{CommentID: id}
		}
		r := commands.Continue(commands.Env{Lifecycle: life, Standing: standing, Attributions: orders, Now: second(50)}, triager, id, commands.Parse(text), 3)
		if said := strings.Join(r.Replies, "\n\n"); len(r.Moves) > 0 || strings.Count(said, "Colony did not move the issue") != 2 || strings.Count(said, legal) != 1 {
			t.Errorf("moves %s, says:\n%s", path(r.Moves), said)
		}
	})
}

// Where the log does not show what was before, what Colony says to write instead works, in every lifecycle: not every command that
// returns to a previous state takes another.
func TestWhatIsSaidToReturnToCanBeWritten(t *testing.T) {
	for _, name := range lifecycle.ShippedNames() {
		life, err := statemachine.Shipped(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range life.Commands {
			if c.To != lifecycle.Previous {
				continue
			}
			standing := trail("outside", statemachine.Move{To: c.From[0], Kind: statemachine.Settled})
			result := run(life, standing, triager, "/colony:"+c.Verb)
			if c.Otherwise != "" {
				if path(result.Moves) != c.From[0]+">"+c.Otherwise {
					t.Errorf("%s: %s leads %s", name, c.Verb, path(result.Moves))
				}
				continue
			}
			said := strings.Join(result.Replies, "\n")
			_, rest, _ := strings.Cut(said, "```\n")
			advice, _, _ := strings.Cut(rest, "\n```")
			for _, to := range life.NextAt(standing, triager.Actor) {
				asked := strings.Replace(advice, "<state>", to.To, 1)
				if r := run(life, standing, triager, asked); r.Answer != commands.Accepted || path(r.Moves) != c.From[0]+">"+to.To {
					t.Errorf("%s: %q is said to work, and is %v", name, asked, r.Answer)
				}
			}
			if !strings.Contains(advice, "<state>") {
				t.Errorf("%s: nothing is said to be written instead of %s:\n%s", name, c.Verb, said)
			}
		}
	}
}

// TestRunWritesNoIllegalMove tries every verb in every state for every asker: who may not, moves nothing but to where a bad request leads,
// and no move but a forced one goes round the table.
func TestRunWritesNoIllegalMove(t *testing.T) {
	life := colonyLifecycle(t)
	for _, spec := range commands.Registry(life) {
		for _, from := range life.StateNames() {
			for _, to := range append(life.StateNames(), "") {
				for _, requester := range []commands.Requester{maintainer, triager, reader, anyBot, reviewBot} {
					text := strings.TrimRight("/colony:"+spec.Verb+" "+to, " ") + " because"
					standing := trail("in-review", byOlivia("in-development"), byOlivia(from))
					before := slices.Clone(standing.Trail)
					r := run(life, standing, requester, text)
					if requester.Right < spec.Needs && (r.Answer != commands.NotPermitted || len(r.Replies)+len(r.Moves) > 0 || r.NeedsHuman) {
						t.Errorf("%s in %s by %s, who may not: %+v", text, from, requester.Actor.Login, r)
					}
					for _, m := range r.Moves {
						if m.Led != "" {
							if m.Led != statemachine.BadRequest || m.To != life.BadRequest || requester.Actor.Kind != lifecycle.Executor || r.Answer != commands.Refused {
								t.Errorf("%s in %s by %s leads %s: %s", text, from, requester.Actor.Login, path(r.Moves), m.Led)
							}
							if _, legal := life.Pair(m.From, m.To); !legal {
								t.Errorf("%s in %s leads round the table", text, from)
							}
							continue
						}
						if verdict := life.Judge(requester.Actor, m.From, m.To); verdict != lifecycle.Legal && !m.Forced || m.Forced && spec.Verb != "force" {
							t.Errorf("%s in %s by %s moves %s: %s", text, from, requester.Actor.Login, path(r.Moves), verdict)
						}
						if life.Label(m.To) == "" {
							t.Errorf("%s in %s by %s takes the state away", text, from, requester.Actor.Login)
						}
					}
					if r.Answer == commands.Refused && len(r.Replies) == 0 {
						t.Errorf("%s in %s by %s is refused without a word", text, from, requester.Actor.Login)
					}
					if diff := cmp.Diff(before, standing.Trail); diff != "" {
						t.Fatalf("%s changed the trail it was given:\n%s", text, diff)
					}
				}
			}
		}
	}
}

func TestRegistry(t *testing.T) {
	usage := map[string]string{}
	needs := map[string]commands.Right{}
	for _, spec := range commands.Registry(colonyLifecycle(t)) {
		if _, twice := usage[spec.Verb]; twice {
			t.Errorf("%s is there twice", spec.Verb)
		}
		usage[spec.Verb], needs[spec.Verb] = spec.Usage, spec.Needs
		if spec.Help == "" || !strings.HasSuffix(spec.Help, ".") {
			t.Errorf("the help of %s is no sentence: %q", spec.Verb, spec.Help)
		}
		if invocations := commands.Parse(spec.Usage); len(invocations) != 1 || invocations[0].Verb != spec.Verb {
			t.Errorf("the usage %q is not read as %s", spec.Usage, spec.Verb)
		}
	}
	for verb, want := range map[string]string{
		"help": "/colony:help", "force": "/colony:force <state> <reason>", "pause": "/colony:pause [reason]",
		"resume": "/colony:resume [state] [reason]", "retry": "/colony:retry [state] [reason]", "reanalyze": "/colony:reanalyze [reason]",
	} {
		if usage[verb] != want {
			t.Errorf("the usage of %s is %q, want %q", verb, usage[verb], want)
		}
	}
	for verb, want := range map[string]commands.Right{"status": commands.MayRead, "move": commands.MayMove, "retry": commands.MayMove, "force": commands.MayForce} {
		if needs[verb] != want {
			t.Errorf("%s is for %s, want %s", verb, needs[verb], want)
		}
	}
}

// TestStatusShowsTheRequester: the status shows a move that Colony made as the move of the person who requested it.
func TestStatusShowsTheRequester(t *testing.T) {
	life := colonyLifecycle(t)
	env := commands.Env{
		Lifecycle: life, Standing: trail("new", byOlivia("in-review"), byColony("paused")), Now: second(50), NeedsHuman: true,
		Attributions: map[int64]commands.MoveAttribution{2: {CommentID: 9, By: triager.Actor, Verb: "pause", Reason: "see @octocat"}},
	}
	r := commands.Run(env, reader, commands.Parse("/colony:status\n\n/colony:history"))
	for i, want := range [][]string{
		{"**`paused`**", "by `tara` with `/colony:pause`: see `@octocat`", "`new` → `in-review`, by `olivia`", "`colony:needs-human`"},
		{"`in-review` → `paused`, by `tara` with `/colony:pause`: see `@octocat`"},
	} {
		for _, words := range want {
			if !strings.Contains(r.Replies[i], words) {
				t.Errorf("%q is not in\n%s", words, r.Replies[i])
			}
		}
	}
}

// TestLongTrailsAreCut: status and history are read by people.
func TestLongTrailsAreCut(t *testing.T) {
	var moves []statemachine.Move
	for range 40 {
		moves = append(moves, byOlivia("in-review"), byOlivia("changes-requested"), byOlivia("in-development"))
	}
	r := run(colonyLifecycle(t), trail("in-development", moves...), reader, "/colony:status\n\n/colony:history")
	for i, want := range []struct {
		lines int
		left  string
	}{{5, "… 115 older moves"}, {50, "… 70 older moves"}} {
		if lines := strings.Count(r.Replies[i], " → "); lines != want.lines || !strings.Contains(r.Replies[i], want.left) {
			t.Errorf("%d moves, want %d and %q, in\n%s", lines, want.lines, want.left, r.Replies[i])
		}
	}
}

// The commands after the first twenty are left out: the twenty run, and the answer says so, also where there is no other answer.
func TestCommandsBeyondTheLimitAreToldOf(t *testing.T) {
	twenty := strings.Repeat("/colony:pause\n\n/colony:resume\n\n", commands.MaxInvocations/2)
	start := trail("in-review")
	if r := run(colonyLifecycle(t), start, triager, twenty); r.Answer != commands.Accepted || len(r.Moves) != commands.MaxInvocations || len(r.Replies) > 0 {
		t.Errorf("of twenty: answer %d, %d moves, %q", r.Answer, len(r.Moves), r.Replies)
	}
	r := run(colonyLifecycle(t), start, triager, twenty+"/colony:pause\n/colony:help")
	if r.Answer != commands.Refused || len(r.Moves) != commands.MaxInvocations || r.Standing.State != "in-review" {
		t.Errorf("of more: answer %d, %d moves, in %s", r.Answer, len(r.Moves), r.Standing.State)
	}
	if said := strings.Join(r.Replies, "\n"); !strings.Contains(said, "at most 20 commands") || !strings.Contains(said, "from line 41 on") || strings.Contains(said, "All ") {
		t.Errorf("of more: %q", r.Replies)
	}
	many := run(colonyLifecycle(t), start, triager, strings.Repeat("/colony:why new\n/colony:why done\n/colony:nonsense\n/colony:move done\n", 6))
	if last := many.Replies[len(many.Replies)-1]; !strings.Contains(last, "from line 21 on") {
		t.Errorf("after many answers: %q", last)
	}
}

// One comment cannot make Colony write a book: what was answered once is not answered again, and there is an end to it. What records a
// forced move is never left out.
func TestAnswersOfOneCommentAreFew(t *testing.T) {
	const most = 8
	life := colonyLifecycle(t)
	ask := func(lines ...string) commands.Result {
		env := commands.Env{Lifecycle: life, Standing: statemachine.Standing{State: "in-review"}, Now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
		return commands.Run(env, maintainer, commands.Parse(strings.Join(lines, "\n")))
	}
	if r := ask(slices.Repeat([]string{"/colony:status"}, 20)...); len(r.Replies) != 1 {
		t.Errorf("%d answers to the same question", len(r.Replies))
	}
	var whys []string
	for _, state := range life.StateNames() {
		whys = append(whys, "/colony:why "+state)
	}
	r := ask(append(whys, "/colony:force done it is done", "/colony:help")...)
	if len(r.Replies) != most+2 || !strings.Contains(r.Replies[most], "at most 8") || !strings.Contains(r.Replies[most+1], "it is done") {
		t.Errorf("%d answers: %q", len(r.Replies), r.Replies[min(len(r.Replies), most):])
	}
	if r.Answer != commands.Accepted || len(r.Moves) != 1 {
		t.Errorf("answer %d, moves %v", r.Answer, r.Moves)
	}
}

// Where commands take more than labels, someone with triage access learns what a label does, and that a reason takes a command.
func TestWhyNamesTheLabelToWhoCannotCommand(t *testing.T) {
	colibri, err := statemachine.Shipped("colibri")
	if err != nil {
		t.Fatal(err)
	}
	life := colibri.With(statemachine.Options{Access: statemachine.Access{ToMove: "write"}})
	tara := commands.Requester{Actor: triager.Actor, Right: commands.MayRead}
	for to, want := range map[string]string{
		"gather":    "The label `colony:gather` does it: a command takes write access.",
		"cancelled": "`tara` cannot move this issue from `init` to `cancelled`, but people with write access can",
	} {
		result := commands.Run(commands.Env{Lifecycle: life, Standing: trail("init")}, tara, commands.Parse("/colony:why "+to))
		if said := strings.Join(result.Replies, "\n"); !strings.Contains(said, want) {
			t.Errorf("%s: %q is not in\n%s", to, want, said)
		}
	}
}
