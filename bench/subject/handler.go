package subject

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/google/go-github/v62/github"
	"github.com/gregjones/httpcache"
	"github.com/palantir/go-githubapp/githubapp"
)

const prefix = "colony:"

// Handler is a minimal handler on go-githubapp: it does its work before it answers, keeps nothing, and checks nothing.
func Handler(config githubapp.Config) (http.Handler, error) {
	clients, err := githubapp.NewDefaultCachingClientCreator(config,
		githubapp.WithClientUserAgent("handler"),
		githubapp.WithClientTimeout(20*time.Second),
		githubapp.WithClientCaching(true, func() httpcache.Cache { return httpcache.NewMemoryCache() }),
	)
	if err != nil {
		return nil, fmt.Errorf("make the clients: %w", err)
	}
	return githubapp.NewDefaultEventDispatcher(config, handler{clients}), nil
}

type handler struct{ clients githubapp.ClientCreator }

// Handles names the events that do something.
func (handler) Handles() []string { return []string{"issues", "issue_comment"} }

// Handle does what one event asks for.
func (h handler) Handle(ctx context.Context, eventType, _ string, payload []byte) error {
	if eventType == "issue_comment" {
		return h.command(ctx, payload)
	}
	return h.move(ctx, payload)
}

// move takes the label of the state before off: it reads the issue and its log, and writes one label, as Colony does.
func (h handler) move(ctx context.Context, payload []byte) error {
	var event github.IssuesEvent
	if err := json.Unmarshal(payload, &event); err != nil {
		return fmt.Errorf("read the webhook: %w", err)
	}
	if event.GetAction() != "labeled" || !strings.HasPrefix(event.GetLabel().GetName(), prefix) {
		return nil
	}
	client, err := h.clients.NewInstallationClient(event.GetInstallation().GetID())
	if err != nil {
		return fmt.Errorf("make a client: %w", err)
	}
	owner, name, number := event.GetRepo().GetOwner().GetLogin(), event.GetRepo().GetName(), event.GetIssue().GetNumber()
	issue, _, err := client.Issues.Get(ctx, owner, name, number)
	if err != nil {
		return fmt.Errorf("read the issue: %w", err)
	}
	if _, _, err := client.Issues.ListIssueEvents(ctx, owner, name, number, &github.ListOptions{PerPage: 100}); err != nil {
		return fmt.Errorf("read the log: %w", err)
	}
	for _, label := range issue.Labels {
		if strings.HasPrefix(label.GetName(), prefix) && label.GetName() != event.GetLabel().GetName() {
			if _, err := client.Issues.RemoveLabelForIssue(ctx, owner, name, number, url.PathEscape(label.GetName())); err != nil {
				return fmt.Errorf("remove a label: %w", err)
			}
		}
	}
	return nil
}

// command moves an issue as a comment asks for, without asking whether its author may.
func (h handler) command(ctx context.Context, payload []byte) error {
	var event github.IssueCommentEvent
	if err := json.Unmarshal(payload, &event); err != nil {
		return fmt.Errorf("read the webhook: %w", err)
	}
	if strings.TrimSpace(event.GetComment().GetBody()) != "/colony:pause" {
		return nil
	}
	client, err := h.clients.NewInstallationClient(event.GetInstallation().GetID())
	if err != nil {
		return fmt.Errorf("make a client: %w", err)
	}
	owner, name, number := event.GetRepo().GetOwner().GetLogin(), event.GetRepo().GetName(), event.GetIssue().GetNumber()
	if _, _, err := client.Issues.AddLabelsToIssue(ctx, owner, name, number, []string{"colony:paused"}); err != nil {
		return fmt.Errorf("add a label: %w", err)
	}
	for _, label := range event.GetIssue().Labels {
		if strings.HasPrefix(label.GetName(), prefix) {
			if _, err := client.Issues.RemoveLabelForIssue(ctx, owner, name, number, url.PathEscape(label.GetName())); err != nil {
				return fmt.Errorf("remove a label: %w", err)
			}
		}
	}
	return nil
}
