package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// shown is the lifecycle that the examples of the documents are about.
func shown() (*statemachine.Table, error) {
	life, err := statemachine.Shipped("colony")
	if err != nil {
		return nil, fmt.Errorf("load the lifecycle: %w", err)
	}
	return life, nil
}

// factTable explains what triggers may wait for.
func factTable(string) (string, error) {
	since := map[lifecycle.Since]string{
		lifecycle.SinceEntry:    "since the `entry` into the state",
		lifecycle.SinceDecision: "since the last `decision` about the work",
		lifecycle.SinceEver:     "`ever`, unless the work was sent back since",
		"":                      "while it holds, unless a person just undid the move",
	}
	whose := map[lifecycle.Speaker]string{lifecycle.ByAuthor: "the author's", lifecycle.ByMover: "the author's, or of people who may move the issue"}
	t := newTable("fact", "what it means", "whose", "what dates it", "it counts", "it implies", "it excludes", "what Colony reads for it")
	for _, s := range lifecycle.FactSpecs() {
		counts := since[s.Since]
		if s.Own {
			counts = "while it holds, if Colony moved the issue there unasked, or a bot did; else only if it began after that"
		}
		if s.Sealed {
			counts = "since the approval, in [sealed states](#sealed-states)"
		}
		t.row(code(string(s.Fact)), s.Meaning, whose[s.By], s.Dated, counts, factList(s.Implies), factList(s.Excludes), string(s.Needs))
	}
	return t.String(), nil
}

// conditionTable lists what a guard may ask.
func conditionTable(string) (string, error) {
	t := newTable("condition", "it holds if", "such as", "known from")
	for _, s := range lifecycle.ConditionKinds() {
		from := "the log"
		if s.Read {
			from = "[a reading](#what-guards-read)"
		}
		t.row(code(string(s.Kind)), s.Meaning, code(s.Example), from)
	}
	return t.String(), nil
}

func factList(facts []lifecycle.Fact) string {
	var names []string
	for _, f := range facts {
		names = append(names, code(string(f)))
	}
	return strings.Join(names, ", ")
}

// shippedLifecycles lists those that come with Colony.
func shippedLifecycles(string) (string, error) {
	t := newTable("lifecycle", "what it is for", "states", "legal moves", "its file", "play it")
	for _, name := range lifecycle.ShippedNames() {
		life, err := statemachine.Shipped(name)
		if err != nil {
			return "", fmt.Errorf("load the lifecycle: %w", err)
		}
		t.row(fmt.Sprintf("[%s](lifecycle-%s.md)", name, name), life.Summary, strconv.Itoa(len(life.States)), strconv.Itoa(len(life.Pairs)),
			fmt.Sprintf("[%s.yml](../lifecycle/shipped/%s.yml)", name, name), code("go run . demo --headless --lifecycle "+name))
	}
	return t.String(), nil
}

// supportDesk quotes the lifecycle of the example, which a test lints and plays.
func supportDesk(root string) (string, error) {
	text, err := os.ReadFile(filepath.Join(root, "docs", "examples", "support.yml"))
	if err != nil {
		return "", fmt.Errorf("read the example: %w", err)
	}
	return "```yaml\n" + string(text) + "```\n", nil
}
