package demo

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/playground"
)

// hands are what everybody acts with: the REST API, with a token of their own.
type hands struct {
	playground *playground.Playground
}

func newHands(p *playground.Playground) hands { return hands{p} }

func (h hands) of(login string) (*github.Client, error) {
	api := h.playground.BaseURL() + "/api/v3/"
	client, err := github.NewClient(&http.Client{}).WithAuthToken(h.playground.Token(login)).WithEnterpriseURLs(api, api)
	if err != nil {
		return nil, fmt.Errorf("make a client for %s: %w", login, err)
	}
	return client, nil
}

func (h hands) open(ctx context.Context, login, title, body string) (number int, err error) {
	client, err := h.of(login)
	if err != nil {
		return 0, err
	}
	issue, _, err := client.Issues.Create(ctx, Owner, Repository, &github.IssueRequest{Title: &title, Body: &body})
	if err != nil {
		return 0, fmt.Errorf("%s opens %q: %w", login, title, err)
	}
	return issue.GetNumber(), nil
}

func (h hands) put(ctx context.Context, login string, issue int, label string) error {
	client, err := h.of(login)
	if err != nil {
		return err
	}
	if _, _, err := client.Issues.AddLabelsToIssue(ctx, Owner, Repository, issue, []string{label}); err != nil {
		return fmt.Errorf("%s puts %s on #%d: %w", login, label, issue, err)
	}
	return nil
}

func (h hands) take(ctx context.Context, login string, issue int, label string) error {
	client, err := h.of(login)
	if err != nil {
		return err
	}
	if _, err := client.Issues.RemoveLabelForIssue(ctx, Owner, Repository, issue, url.PathEscape(label)); err != nil {
		return fmt.Errorf("%s takes %s off #%d: %w", login, label, issue, err)
	}
	return nil
}

// end closes an issue for a reason of GitHub's.
func (h hands) end(ctx context.Context, login string, issue int, reason string) error {
	closed := "closed"
	return h.change(ctx, login, "closes", issue, &github.IssueRequest{State: &closed, StateReason: &reason})
}

func (h hands) edit(ctx context.Context, login string, issue int, body string) error {
	return h.change(ctx, login, "edits", issue, &github.IssueRequest{Body: &body})
}

func (h hands) change(ctx context.Context, login, does string, issue int, to *github.IssueRequest) error {
	client, err := h.of(login)
	if err != nil {
		return err
	}
	if _, _, err := client.Issues.Edit(ctx, Owner, Repository, issue, to); err != nil {
		return fmt.Errorf("%s %s #%d: %w", login, does, issue, err)
	}
	return nil
}

// dismiss closes a pull request without a merge.
func (h hands) dismiss(ctx context.Context, login string, pull int) error {
	client, err := h.of(login)
	if err != nil {
		return err
	}
	closed := "closed"
	if _, _, err := client.PullRequests.Edit(ctx, Owner, Repository, pull, &github.PullRequest{State: &closed}); err != nil {
		return fmt.Errorf("%s closes pull request #%d: %w", login, pull, err)
	}
	return nil
}

func (h hands) write(ctx context.Context, login string, issue int, text string) (commentID int64, err error) {
	client, err := h.of(login)
	if err != nil {
		return 0, err
	}
	comment, _, err := client.Issues.CreateComment(ctx, Owner, Repository, issue, &github.IssueComment{Body: &text})
	if err != nil {
		return 0, fmt.Errorf("%s comments on #%d: %w", login, issue, err)
	}
	return comment.GetID(), nil
}

// redeliverLost asks for every delivery that failed to be delivered again, as the App itself may:
// https://docs.github.com/rest/apps/webhooks#redeliver-a-delivery-for-an-app-webhook.
func redeliverLost(ctx context.Context, app *github.Client) error {
	logged, _, err := app.Apps.ListHookDeliveries(ctx, &github.ListCursorOptions{PerPage: 100})
	if err != nil {
		return fmt.Errorf("read the App's deliveries: %w", err)
	}
	for _, d := range logged {
		if d.GetStatusCode() < http.StatusBadRequest {
			continue
		}
		var accepted *github.AcceptedError
		if _, _, err := app.Apps.RedeliverHookDelivery(ctx, d.GetID()); err != nil && !errors.As(err, &accepted) {
			return fmt.Errorf("ask for delivery %d again: %w", d.GetID(), err)
		}
	}
	return nil
}
