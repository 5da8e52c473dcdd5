// Command executor is a small executor for issues that Colony keeps: it polls, claims an issue, runs a command on it, and hands it
// on. It asks the table (package statemachine) before it asks Colony, so what it asks for is granted.
//
//	GITHUB_TOKEN=… go run ./examples/executor -repo acme/widgets -role developer -- ./develop.sh
//
// makes one pass: one issue at most. The command finds the issue in ISSUE and TITLE; it ends with 0 and writes the next state as
// the last line of its output. Whatever else it does is failed work. Run one executor of a role in a repository at a time, for
// adding a label that is there already is no error, and so no lock. docs/write-an-executor.md tells the rest.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strings"
	"time"

	"github.com/google/go-github/v62/github"
	"github.com/jonboulle/clockwork"

	"github.com/colony-app/colony/statemachine"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:])
	stop()
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "executor:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, arguments []string) error {
	flags := flag.NewFlagSet("executor", flag.ContinueOnError)
	repository := flags.String("repo", "", "the repository, as OWNER/NAME")
	role := flags.String("role", "developer", "the role of the lifecycle to act in")
	lifecycle := flags.String("lifecycle", "colony", "one of the lifecycles that come with Colony")
	if err := flags.Parse(arguments); err != nil {
		return fmt.Errorf("read the flags: %w", err)
	}
	owner, name, ok := strings.Cut(*repository, "/")
	if !ok || flags.NArg() == 0 {
		return errors.New("-repo OWNER/NAME and, after --, a command are needed")
	}
	client := github.NewClient(nil).WithAuthToken(os.Getenv("GITHUB_TOKEN"))
	if api := os.Getenv("GITHUB_API_URL"); api != "" {
		var err error
		if client, err = client.WithEnterpriseURLs(api, api); err != nil {
			return fmt.Errorf("GITHUB_API_URL: %w", err)
		}
	}
	life, err := statemachine.Shipped(*lifecycle)
	if err != nil {
		return fmt.Errorf("-lifecycle: %w", err)
	}
	e, err := newExecutor(client, owner, name, life, *role)
	if err != nil {
		return err
	}
	e.work = command(flags.Args())
	told, err := e.once(ctx)
	if told != "" {
		fmt.Fprintln(os.Stdout, told)
	}
	return err
}

// executor acts in one role in one repository.
type executor struct {
	github      *github.Client
	owner, name string
	life        *statemachine.Lifecycle
	role        statemachine.Role
	me          statemachine.Actor
	// work does the work on an issue that is claimed, and returns the state that is next.
	work func(ctx context.Context, issue statemachine.Candidate) (next string, err error)
	// waits is called between two reads of an issue whose move Colony has not finished yet.
	waits func(ctx context.Context, try int) error
}

// newExecutor refuses a role that may not say that its work failed. In colony each may.
func newExecutor(client *github.Client, owner, name string, life *statemachine.Lifecycle, role string) (*executor, error) {
	found, ok := life.Role(role)
	if !ok {
		return nil, fmt.Errorf("lifecycle %s has no role %q", life.Name, role)
	}
	for _, works := range found.WorksIn {
		me := statemachine.Actor{Kind: statemachine.Executor, Roles: []string{role}}
		if verdict := life.Judge(me, works, life.BadRequest); verdict != statemachine.Legal {
			return nil, fmt.Errorf("a %s of lifecycle %s may not say that its work failed (%s)", role, life.Name, verdict)
		}
	}
	return &executor{
		github: client, owner: owner, name: name, life: life, role: found,
		me: statemachine.Actor{Kind: statemachine.Executor, Roles: []string{role}}, waits: wait,
	}, nil
}

// once works on one issue, if there is one, and tells what became of it. What it left behind when it crashed, and what somebody
// else put into a state that it works in, comes first.
func (e *executor) once(ctx context.Context) (told string, err error) {
	issue, found, err := e.next(ctx)
	if err != nil || !found {
		return "", err
	}
	for _, claim := range e.role.Claims {
		if claim.From != issue.State || e.life.Judge(e.me, claim.From, claim.To) != statemachine.Legal {
			continue
		}
		if err := e.put(ctx, issue.Number, claim.To); err != nil {
			return "", err
		}
		granted, err := e.settled(ctx, issue.Number)
		if err != nil {
			return "", err
		}
		if granted != claim.To { // paused meanwhile, or claimed too often already
			return fmt.Sprintf("#%d went to %s instead of %s", issue.Number, granted, claim.To), nil
		}
		issue.State = claim.To
		break
	}
	next, err := e.work(ctx, issue)
	if err == nil && e.life.Judge(e.me, issue.State, next) != statemachine.Legal {
		err = fmt.Errorf("a %s may not move an issue from %s to %q, but to %s", e.role.Name, issue.State, next, e.may(issue.State))
	}
	if ctx.Err() != nil { // the next pass finds the issue in the same state
		return "", fmt.Errorf("#%d is left in %s: %w", issue.Number, issue.State, ctx.Err())
	}
	if err != nil {
		next = e.life.BadRequest
	}
	told, handing := e.handOn(ctx, issue, next)
	if err != nil {
		err = fmt.Errorf("work on #%d: %w", issue.Number, err)
	}
	return told, errors.Join(err, handing)
}

// next returns the issue to work on.
func (e *executor) next(ctx context.Context) (issue statemachine.Candidate, found bool, err error) {
	states := slices.Clone(e.role.WorksIn)
	for _, claim := range e.role.Claims {
		states = append(states, claim.From)
	}
	for _, state := range states {
		waiting, err := e.in(ctx, state)
		if err != nil {
			return statemachine.Candidate{}, false, err
		}
		if len(waiting) > 0 {
			return waiting[0], true, nil
		}
	}
	return statemachine.Candidate{}, false, nil
}

// in lists the open issues in a state, in the order in which they are to be taken. An issue with two state labels is left out:
// Colony is not done with it.
func (e *executor) in(ctx context.Context, state string) ([]statemachine.Candidate, error) {
	label := e.life.Label(state)
	if label == "" { // what has no label cannot be listed
		return nil, nil
	}
	var found []statemachine.Candidate
	page := &github.IssueListByRepoOptions{State: "open", Labels: []string{label}, ListOptions: github.ListOptions{PerPage: 100}}
	for {
		issues, answer, err := e.github.Issues.ListByRepo(ctx, e.owner, e.name, page)
		if err != nil {
			return nil, fmt.Errorf("list the issues in %s: %w", state, err)
		}
		for _, i := range issues {
			names := labels(i)
			if alone, ok := e.life.Alone(names); ok && alone == state && !i.IsPullRequest() {
				found = append(found, statemachine.Candidate{
					Number: i.GetNumber(), Title: i.GetTitle(), State: state, Labels: names, Created: i.GetCreatedAt().Time,
				})
			}
		}
		if answer.NextPage == 0 {
			break
		}
		page.Page = answer.NextPage
	}
	e.life.Order(found)
	return found, nil
}

// handOn asks for the next state, unless somebody moved the issue meanwhile.
func (e *executor) handOn(ctx context.Context, issue statemachine.Candidate, next string) (told string, err error) {
	now, err := e.settled(ctx, issue.Number)
	if err != nil {
		return "", err
	}
	if now != issue.State {
		return fmt.Sprintf("#%d is in %s by now: nothing is handed on", issue.Number, now), nil
	}
	if err := e.put(ctx, issue.Number, next); err != nil {
		return "", err
	}
	return fmt.Sprintf("#%d: %s -> %s", issue.Number, issue.State, next), nil
}

// put adds the label of a state, and takes none off: Colony does, once it has granted the move.
func (e *executor) put(ctx context.Context, issue int, state string) error {
	_, _, err := e.github.Issues.AddLabelsToIssue(ctx, e.owner, e.name, issue, []string{e.life.Label(state)})
	if err != nil {
		return fmt.Errorf("put %s on #%d: %w", e.life.Label(state), issue, err)
	}
	return nil
}

// tries is how often an issue is read until it is in one state.
const tries = 7

// settled returns the state of an issue once Colony has finished its move; "closed" if it is closed.
func (e *executor) settled(ctx context.Context, number int) (state string, err error) {
	for try := range tries {
		issue, _, err := e.github.Issues.Get(ctx, e.owner, e.name, number)
		if err != nil {
			return "", fmt.Errorf("read #%d: %w", number, err)
		}
		if issue.GetState() == "closed" {
			return "closed", nil
		}
		if state, ok := e.life.Alone(labels(issue)); ok {
			return state, nil
		}
		if err := e.waits(ctx, try); err != nil {
			return "", err
		}
	}
	return "", fmt.Errorf("#%d is not in one state: Colony does not finish its move", number)
}

// wait waits for a second at first, then twice as long each time.
func wait(ctx context.Context, try int) error {
	select {
	case <-ctx.Done():
		return fmt.Errorf("wait for Colony: %w", ctx.Err())
	case <-clockwork.NewRealClock().After(time.Second << try):
		return nil
	}
}

func (e *executor) may(state string) string {
	var names []string
	for _, p := range e.life.Next(e.me, state) {
		names = append(names, p.To)
	}
	return strings.Join(names, ", ")
}

func labels(issue *github.Issue) []string {
	var names []string
	for _, l := range issue.Labels {
		names = append(names, l.GetName())
	}
	return names
}

// command returns work that a program does.
func command(arguments []string) func(context.Context, statemachine.Candidate) (string, error) {
	return func(ctx context.Context, issue statemachine.Candidate) (string, error) {
		program := exec.CommandContext(ctx, arguments[0], arguments[1:]...) //nolint:gosec // who starts the executor names it
		program.Env = append(os.Environ(), fmt.Sprint("ISSUE=", issue.Number), "TITLE="+issue.Title)
		program.Stderr = os.Stderr
		out, err := program.Output()
		if err != nil {
			return "", fmt.Errorf("run %s: %w", arguments[0], err)
		}
		lines := bytes.Split(bytes.TrimSpace(out), []byte("\n"))
		return string(lines[len(lines)-1]), nil
	}
}
