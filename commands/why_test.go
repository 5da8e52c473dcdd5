package commands_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/colony-app/colony/commands"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

func lifecycleNamed(t *testing.T, name string) *statemachine.Table {
	t.Helper()
	life, err := statemachine.Shipped(name)
	if err != nil {
		t.Fatal(err)
	}
	return life
}

// sentBack is where an issue of the lifecycle colony stands that a bot's review sent back so many times.
func sentBack(times int) statemachine.Standing {
	var moves []statemachine.Move
	for range times {
		for _, to := range []string{"changes-requested", "in-development", "in-review"} {
			moves = append(moves, statemachine.Move{To: to, By: anyBot.Actor})
		}
	}
	return trail("in-review", moves...)
}

func closed(s statemachine.Standing) statemachine.Standing {
	s.Closed = true
	return s
}

func TestWhyIsTrue(t *testing.T) {
	for name, test := range map[string]struct {
		life      string
		standing  statemachine.Standing
		asker     commands.Requester
		text      string
		says, not []string
	}{
		"out of an end that nothing leaves": {
			"prp", trail("implementing", byOlivia("failed")), maintainer, "/colony:why implementing",
			[]string{"`failed` is final", "not even `/colony:force`"},
			[]string{"/colony:force implementing"},
		},
		"out of an end that force leaves": {
			"colony", trail("in-review", byOlivia("done")), maintainer, "/colony:why new", []string{"```\n/colony:force new <reason>\n```"}, nil,
		},
		"to where no label leads": {
			"colony", trail("in-review"), maintainer, "/colony:why unlabeled", []string{"Nothing leads to `unlabeled`"}, []string{"/colony:force"},
		},
		"back to where it did not come from": {
			"autoralph", trail("in-review", byOlivia("paused")), triager, "/colony:why building",
			[]string{"an issue only goes back there if it came from there. This one came from `in-review`"},
			[]string{"no such move", "not in the table"},
		},
		"back to where it did not come from, asked by who may not": {
			"autoralph", trail("in-review", byOlivia("paused")), reader, "/colony:why building", []string{"This one came from `in-review`"}, []string{"people who may edit labels can"},
		},
		"back to where it came from": {
			"autoralph", trail("building", byOlivia("paused")), triager, "/colony:why building", []string{"`tara` can move this issue"}, nil,
		},
		"at a limit, for a bot": {
			"colony", sentBack(5), reviewBot, "/colony:why changes-requested",
			[]string{"`rev[bot]` cannot move this issue", "limit of 5 review cycles: 5 since a person last moved", "leads to `failure-blocked`"},
			[]string{"```"},
		},
		"at a limit, for a person": {
			"colony", sentBack(5), triager, "/colony:why changes-requested",
			[]string{"`tara` can move this issue", "limit of 5 review cycles: 5", "People are not limited"},
			nil,
		},
		"below the limit": {
			"colony", sentBack(4), reviewBot, "/colony:why changes-requested", []string{"`rev[bot]` can move this issue"}, []string{"limit"},
		},
		"with a reason": {
			"colibri", trail("analyze"), triager, "/colony:why cancelled", []string{"```\n/colony:cancel <reason>\n```"}, []string{"/colony:move cancelled"},
		},
		"along a way": {
			"colony", trail("in-review"), triager, "/colony:why new", []string{"`in-review` → `analyzing` → `new`", "```\n/colony:move analyzing\n```"}, nil,
		},
		"here": {
			"colony", trail("in-development", byOlivia("in-review")), triager, "/colony:why",
			[]string{
				"**`in-review`**: A reviewer is checking", "by `olivia`. It came from `in-development`.", "Colony moves it to `done` when this holds: The pull request was merged.",
				"Colony moves it to `failure-blocked` after 72h.", "A bot in the role `reviewer` can move it to `failure-blocked`, `changes-requested`, `human-review-ready`.",
				"leave it in `in-review`, or move it on",
			},
			[]string{"```"},
		},
		"here, by its name": {
			"colony", trail("in-review"), triager, "/colony:why in-review", []string{"**`in-review`**: A reviewer is checking"}, nil,
		},
		"here, asked by who may not": {
			"colony", trail("in-review"), reader, "/colony:why", []string{"`rita` cannot move it. People who may edit labels can."}, []string{"```"},
		},
		"here, asked by a bot": {
			"colony", trail("in-review"), reviewBot, "/colony:why", []string{"`rev[bot]` may move it to: `failure-blocked`, `changes-requested`, `human-review-ready`."}, []string{"```"},
		},
		"on a closed issue, for a bot": {
			"colony", closed(trail("ready-for-dev")), anyBot, "/colony:why in-development",
			[]string{"`dev[bot]` cannot move this issue", "the issue is closed, so no bot works on it"},
			[]string{"no such move", "```"},
		},
		"on a closed issue, for a bot, to where nobody can go": {
			"colony", closed(trail("in-review")), anyBot, "/colony:why new", []string{"the lifecycle has no such move"}, []string{"is closed"},
		},
		"where a guard reads facts": {
			"autoralph", trail("building"), triager, "/colony:why in-review",
			[]string{"`tara` can move this issue from `building` to `in-review`, if the condition below holds.**", "- `pull-request-open`"},
			nil,
		},
		"where a guard reads facts, asked by who may not": {
			"autoralph", trail("building"), reader, "/colony:why in-review", []string{"people who may edit labels can, if the condition below holds.**"}, nil,
		},
		"where a guard refuses it to a bot for what it is": {
			"prp", trail("planned"), anyBot, "/colony:why obsolete",
			[]string{"`dev[bot]` cannot move this issue", "the guard `delta-analysis` refuses it"},
			[]string{"can move this issue from", "```"},
		},
		"here, at the end for good": {
			"colibri", trail("verify", byOlivia("done")), maintainer, "/colony:why", []string{"open a new issue"}, []string{"/colony:force"},
		},
		"here, after a move of the same comment": {
			"colony", trail("in-review"), triager, "/colony:pause\n\n/colony:why", []string{"**`paused`**", "by `tara` with `/colony:pause`", "```\n/colony:resume\n```"}, nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := run(lifecycleNamed(t, test.life), test.standing, test.asker, test.text)
			said := strings.Join(r.Replies, "\n")
			if r.Answer != commands.Accepted || len(r.Replies) != 1 {
				t.Fatalf("answer %v: %q", r.Answer, r.Replies)
			}
			for _, words := range test.says {
				if !strings.Contains(said, words) {
					t.Errorf("%q is not in\n%s", words, said)
				}
			}
			for _, words := range test.not {
				if strings.Contains(said, words) {
					t.Errorf("%q is in\n%s", words, said)
				}
			}
		})
	}
}

// What `why` and refusals give people to write works as it stands, with a reason where they say so: in every lifecycle, from every
// state, wherever the issue came from.
func TestWhatIsSuggestedCanBeTyped(t *testing.T) {
	command := regexp.MustCompile("```\n(.+)\n```")
	typed := 0
	for _, name := range lifecycle.ShippedNames() {
		life := lifecycleNamed(t, name)
		places := life.StateNames()
		if life.Initial == lifecycle.Outside {
			places = append(places, lifecycle.Outside)
		}
		for _, from := range places {
			standings := []statemachine.Standing{trail(from)}
			for _, p := range life.Pairs {
				if p.To == from && p.From != from {
					standings = append(standings, trail(p.From, byOlivia(from)))
				}
			}
			for _, standing := range standings {
				next := life.NextAt(standing, triager.Actor)
				texts := []string{"/colony:why", "/colony:move " + from}
				for _, to := range life.StateNames() {
					texts = append(texts, "/colony:why "+to, "/colony:move "+to)
				}
				for _, text := range texts {
					said := strings.Join(run(life, standing, triager, text).Replies, "\n")
					match := command.FindStringSubmatch(said)
					if len(match) < 2 || strings.Contains(match[1], "<state>") {
						continue
					}
					requester := triager
					if strings.HasPrefix(match[1], "/colony:force") {
						requester = maintainer
					} else if len(next) == 0 {
						t.Errorf("%s: %q in %s suggests %q, and nothing leads out", name, text, from, match[1])
					}
					typed++
					r := run(life, standing, requester, strings.Replace(match[1], "<reason>", "because it is so", 1))
					if r.Answer != commands.Accepted || len(r.Moves) != 1 {
						t.Errorf("%s: %q in %s suggests %q, which is answered with %v and moves %s", name, text, from, match[1], r.Answer, path(r.Moves))
					}
				}
			}
		}
	}
	if typed < 1000 {
		t.Errorf("only %d suggestions were tried", typed)
	}
}
