// Command executor is a small executor for issues that Colony keeps: it polls, claims an issue, runs a command on it, and hands it
// on. It asks the table (package statemachine) before it asks Colony, so what it asks for is granted.
//
//	GITHUB_TOKEN=… go run ./examples/executor -repo acme/widgets -role developer -- ./develop.sh
//
// makes one pass, which moves one issue at most. The command finds the issue in ISSUE, TITLE and STATE; it ends with 0 and writes
// the next state as the last line of its output. The state where the issue is leaves the issue there. Everything else is failed work,
// and so is a command that runs longer than -timeout. Run one executor of a role in a repository at a time, for adding a label that is
// there already is no error, and so no lock. docs/write-an-executor.md has the rest.
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
	"syscall"
	"time"

	"github.com/google/go-github/v62/github"
	"github.com/jonboulle/clockwork"

	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
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
	timeout := flags.Duration("timeout", time.Hour, "how long the command can work on an issue")
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
	e.work, e.timeout = command(flags.Args()), *timeout
	report, err := e.once(ctx)
	if report != "" {
		fmt.Fprintln(os.Stdout, report)
	}
	return err
}

// executor acts in one role in one repository.
type executor struct {
	github      *github.Client
	owner, name string
	life        *statemachine.Table
	role        lifecycle.Role
	me          lifecycle.Actor
	// work does the work on an issue, and returns the state that is next.
	work func(ctx context.Context, issue lifecycle.Candidate) (next string, err error)
	// timeout is how long work can take, by clock.
	timeout time.Duration
	clock   clockwork.Clock
	// waits is called between two reads of an issue whose move Colony has not finished yet.
	waits func(ctx context.Context, try int) error
}

func newExecutor(client *github.Client, owner, name string, life *statemachine.Table, role string) (*executor, error) {
	found, ok := life.Roles.Named(role)
	if !ok {
		return nil, fmt.Errorf("lifecycle %s has no role %q", life.Name, role)
	}
	return &executor{
		github: client, owner: owner, name: name, life: life, role: found,
		me:      lifecycle.Actor{Kind: lifecycle.Executor, Roles: []string{role}},
		timeout: time.Hour, clock: clockwork.NewRealClock(), waits: wait,
	}, nil
}

// once works until it claims or moves an issue, and reports the result. What it left behind when it crashed, and what someone else put
// into a state that it works in, comes first.
func (e *executor) once(ctx context.Context) (report string, err error) {
	for _, place := range e.places() {
		waiting, err := e.in(ctx, place.From)
		if err != nil {
			return "", err
		}
		for _, issue := range waiting {
			if place.To == place.From && e.waitsForPerson(issue) {
				continue
			}
			if place.To != place.From {
				if report, err := e.claim(ctx, issue, place.To); report != "" || err != nil {
					return report, err
				}
				issue.State = place.To
			}
			report, err := e.workOn(ctx, issue)
			if report != "" || err != nil || place.To != place.From {
				return report, err
			}
		}
	}
	return "", nil
}

// places lists the states from which the role takes issues, and in which it works on them. A claim comes before the work, so it must lead
// to where the role works. A role that works in no state works where its claims begin.
func (e *executor) places() []lifecycle.Claim {
	var places []lifecycle.Claim
	for _, state := range e.role.WorksIn {
		places = append(places, lifecycle.Claim{From: state, To: state})
	}
	for _, claim := range e.role.Claims {
		to, _ := e.life.State(claim.To)
		switch {
		case len(e.role.WorksIn) == 0:
			places = append(places, lifecycle.Claim{From: claim.From, To: claim.From})
		case slices.Contains(e.role.WorksIn, claim.To) && to.Type != lifecycle.Terminal && !e.isOthers(claim):
			places = append(places, claim)
		}
	}
	return places
}

// isOthers reports whether the lifecycle recommends another role's claim in the state where a claim begins.
func (e *executor) isOthers(claim lifecycle.Claim) bool {
	from, _ := e.life.State(claim.From)
	return from.Recommended != claim.To && slices.ContainsFunc(e.life.Roles, func(r lifecycle.Role) bool {
		return slices.Contains(r.Claims, lifecycle.Claim{From: claim.From, To: from.Recommended}) && slices.Contains(r.WorksIn, from.Recommended)
	})
}

// claim moves an issue to where the role works. The report is empty if Colony grants that.
func (e *executor) claim(ctx context.Context, issue lifecycle.Candidate, to string) (report string, err error) {
	if err := e.put(ctx, issue.Number, e.life.Label(to)); err != nil {
		return "", err
	}
	granted, err := e.settled(ctx, issue.Number)
	if err != nil || granted == to {
		return "", err
	}
	return fmt.Sprintf("#%d went to %s instead of %s", issue.Number, granted, to), nil // paused, or claimed too often already
}

// workOn works on an issue and hands it on. The report is empty if the issue stays where it is.
func (e *executor) workOn(ctx context.Context, issue lifecycle.Candidate) (report string, err error) {
	limited, stop := clockwork.WithTimeout(ctx, e.clock, e.timeout)
	next, err := e.work(limited, issue)
	stop()
	if errors.Is(err, context.DeadlineExceeded) {
		err = fmt.Errorf("stopped after %s: %w", e.timeout, err)
	}
	if ctx.Err() != nil { // the next pass finds the issue in the same state
		return "", fmt.Errorf("#%d is left in %s: %w", issue.Number, issue.State, ctx.Err())
	}
	if err == nil && next == issue.State {
		return "", nil
	}
	if err == nil && !e.allows(issue.State, next) {
		err = fmt.Errorf("a %s may not move an issue from %s to %q, but to %s", e.role.Name, issue.State, next, e.choices(issue.State))
	}
	if err == nil {
		return e.handOn(ctx, issue, next)
	}
	report, reporting := e.fail(ctx, issue)
	return report, errors.Join(fmt.Errorf("work on #%d: %w", issue.Number, err), reporting)
}

// in lists the open issues in a state, in the order in which they are to be taken. An issue with two state labels is left out:
// Colony is not done with it.
func (e *executor) in(ctx context.Context, state string) ([]lifecycle.Candidate, error) {
	label := e.life.Label(state)
	if label == "" { // what has no label cannot be listed
		return nil, nil
	}
	var found []lifecycle.Candidate
	page := &github.IssueListByRepoOptions{State: "open", Labels: []string{label}, ListOptions: github.ListOptions{PerPage: 100}}
	for {
		issues, answer, err := e.github.Issues.ListByRepo(ctx, e.owner, e.name, page)
		if err != nil {
			return nil, fmt.Errorf("list the issues in %s: %w", state, err)
		}
		for _, i := range issues {
			names := labels(i)
			if alone, ok := e.life.Alone(names); ok && alone == state && !i.IsPullRequest() {
				found = append(found, lifecycle.Candidate{
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

// handOn asks for the next state, unless someone moved the issue since.
func (e *executor) handOn(ctx context.Context, issue lifecycle.Candidate, next string) (report string, err error) {
	if report, err := e.moved(ctx, issue); report != "" || err != nil {
		return report, err
	}
	if err := e.put(ctx, issue.Number, e.life.Label(next)); err != nil {
		return "", err
	}
	return fmt.Sprintf("#%d: %s -> %s", issue.Number, issue.State, next), nil
}

// fail reports failed work: by the lifecycle's state for it where the role can request that state, else by asking for a person where the
// issue is. The log alone has the error, for others can influence the command's output.
func (e *executor) fail(ctx context.Context, issue lifecycle.Candidate) (report string, err error) {
	if report, err := e.moved(ctx, issue); report != "" || err != nil {
		return report, err
	}
	text := fmt.Sprintf("The %s's work failed in `%s`. Its log says why.", e.role.Name, issue.State)
	if _, _, err := e.github.Issues.CreateComment(ctx, e.owner, e.name, issue.Number, &github.IssueComment{Body: &text}); err != nil {
		return "", fmt.Errorf("comment on #%d: %w", issue.Number, err)
	}
	if e.allows(issue.State, e.life.BadRequest) {
		return e.handOn(ctx, issue, e.life.BadRequest)
	}
	if err := e.put(ctx, issue.Number, lifecycle.NeedsHuman); err != nil {
		return "", err
	}
	return fmt.Sprintf("#%d stays in %s and needs a person", issue.Number, issue.State), nil
}

// waitsForPerson reports whether the role cannot move an issue when its work fails, and the issue needs a person already.
func (e *executor) waitsForPerson(issue lifecycle.Candidate) bool {
	return !e.allows(issue.State, e.life.BadRequest) && lifecycle.HasLabel(issue.Labels, lifecycle.NeedsHuman)
}

// moved reports where an issue is if someone moved it since the work began.
func (e *executor) moved(ctx context.Context, issue lifecycle.Candidate) (report string, err error) {
	now, err := e.settled(ctx, issue.Number)
	if err != nil || now == issue.State {
		return "", err
	}
	return fmt.Sprintf("#%d is in %s by now: nothing is handed on", issue.Number, now), nil
}

// put adds a label, and takes none off: Colony does, once it has granted the move.
func (e *executor) put(ctx context.Context, issue int, label string) error {
	if _, _, err := e.github.Issues.AddLabelsToIssue(ctx, e.owner, e.name, issue, []string{label}); err != nil {
		return fmt.Errorf("put %s on #%d: %w", label, issue, err)
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

// allows reports whether the role can move an issue.
func (e *executor) allows(from, to string) bool {
	return e.life.Judge(e.me, from, to) == lifecycle.Legal
}

func (e *executor) choices(state string) string {
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
func command(arguments []string) func(context.Context, lifecycle.Candidate) (string, error) {
	return func(ctx context.Context, issue lifecycle.Candidate) (string, error) {
		program := exec.CommandContext(ctx, arguments[0], arguments[1:]...) //nolint:gosec // who starts the executor names it
		program.Env = append(os.Environ(), fmt.Sprint("ISSUE=", issue.Number), "TITLE="+issue.Title, "STATE="+issue.State)
		program.Stderr = os.Stderr
		// What the command started ends with it: a child that holds its output would keep Output waiting.
		program.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		program.Cancel = func() error { return syscall.Kill(-program.Process.Pid, syscall.SIGKILL) }
		program.WaitDelay = 10 * time.Second // for a child that left the group
		out, err := program.Output()
		if err != nil {
			return "", fmt.Errorf("run %s: %w", arguments[0], err)
		}
		lines := bytes.Split(bytes.TrimSpace(out), []byte("\n"))
		return string(lines[len(lines)-1]), nil
	}
}
