package statemachine

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/colony-app/colony/lifecycle"
)

// Histories in tests are written as on a whiteboard, one change a word group: "olga +new", "dev -in-review". A name
// without a colon is the label of that state; the changes are ten seconds apart and numbered from 1, unless "@" gives
// the time since the morning. Upper case is kept: labels compare without regard to it.

var morning = time.Date(2025, 3, 3, 9, 0, 0, 0, time.UTC)

var cast = map[string]lifecycle.Actor{
	"olga":   {Login: "olga", Kind: lifecycle.Operator},
	"omar":   {Login: "omar", Kind: lifecycle.Operator},
	"rita":   {Login: "rita", Kind: lifecycle.Author},
	"arthur": {Login: "arthur", Kind: lifecycle.Author},
	"bot":    {Login: "bot", Kind: lifecycle.Executor},
	"dev":    {Login: "dev", Kind: lifecycle.Executor, Roles: []string{"developer"}},
	"rev":    {Login: "rev", Kind: lifecycle.Executor, Roles: []string{"reviewer"}},
	"both":   {Login: "both", Kind: lifecycle.Executor, Roles: []string{"developer", "reviewer"}},
	"colony": {Login: "colony[bot]", Kind: lifecycle.Colony},
	// Colony, for a command of somebody's; see traced.
	"for-olga": {Login: "colony[bot] for olga", Kind: lifecycle.Colony},
	"for-bot":  {Login: "colony[bot] for bot", Kind: lifecycle.Colony},
	"former":   {Login: "old-colony[bot]", Kind: lifecycle.Colony},
}

func changes(t testing.TB, script ...string) []Change {
	t.Helper()
	var out []Change
	for i, line := range script {
		who, rest, _ := strings.Cut(line, " ")
		what, at, timed := strings.Cut(rest, " @")
		by, known := cast[who]
		if !known || len(what) < 2 || what[0] != '+' && what[0] != '-' {
			t.Fatalf("cannot read %q", line)
		}
		offset := time.Duration(i) * 10 * time.Second
		if timed {
			var err error
			if offset, err = time.ParseDuration(at); err != nil {
				t.Fatal(err)
			}
		}
		out = append(out, Change{Moment: Moment{At: morning.Add(offset), ID: int64(i + 1)}, Added: what[0] == '+', Label: labelled(what[1:]), By: by})
	}
	return out
}

// traced is a log of whose commands everything is known.
func traced(log []Change) History {
	h := History{Changes: log, Labels: labelsAfter(log)}
	h.Ordered = func(id int64) (lifecycle.Actor, bool) {
		for _, c := range log {
			if c.ID == id {
				_, who, _ := strings.Cut(c.By.Login, " for ")
				return cast[who], true
			}
		}
		return lifecycle.Actor{}, true
	}
	return h
}

func labelled(word string) string {
	if strings.ContainsAny(word, ": ") || word == "bug" {
		return word
	}
	return "colony:" + word
}

// labelsAfter are the labels that a log leaves on an issue that had none.
func labelsAfter(log []Change) []string {
	there := labelSet{}
	for _, c := range log {
		if c.Added {
			there.add(c.Label)
		} else {
			there.remove(c.Label)
		}
	}
	var out []string
	for _, l := range there {
		out = append(out, l)
	}
	slices.Sort(out)
	return out
}

func labelList(words string) []string {
	var out []string
	for w := range strings.FieldsSeq(words) {
		out = append(out, labelled(w))
	}
	return out
}

// trail writes moves as "new>analyzing", with the kind in front where it is not a plain one.
func trail(moves []Move) string {
	var out []string
	for _, m := range moves {
		step := m.From + ">" + m.To
		if m.Kind != Moved {
			step = string(m.Kind) + ":" + step
		}
		out = append(out, step)
	}
	return strings.Join(out, " ")
}

// rejected writes rejections as "[2 3] olga new>done not-in-table", with what else is to be said behind.
func rejected(rejections []Rejection) string {
	var out []string
	for _, r := range rejections {
		text := fmt.Sprintf("%v %s %s>%s %s", r.IDs, r.By.Login, r.From, r.To, r.Verdict)
		if r.LedTo != "" {
			text += " led to " + r.LedTo
		}
		if r.Withdrawn {
			text += " withdrawn"
		}
		out = append(out, text)
	}
	return strings.Join(out, "; ")
}
