package demo

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/colony-app/colony/playground"
)

// act is a sentence that stories use, and what it does. The function receives what the groups of the pattern matched.
type act struct {
	sentence func() *regexp.Regexp
	does     func(ctx context.Context, s *stage, said []string) error
}

func sentence(pattern string, does func(ctx context.Context, s *stage, said []string) error) act {
	return act{sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?s)^` + pattern + `$`) }), does}
}

// acts are all sentences. What somebody does is done at the issue of the scene, unless the sentence begins with "on #N: ".
var acts = []act{
	sentence(`(\S+) opens an issue: (.+?)(?:\n\n(.*))?`, func(ctx context.Context, s *stage, said []string) error {
		return s.call(ctx, said[0], "POST", "issues", object{"title": said[1], "body": said[2]}, nil)
	}),
	sentence(`(\S+) edits the issue: (.*)`, func(ctx context.Context, s *stage, said []string) error {
		return s.call(ctx, said[0], "PATCH", s.path(""), object{"body": said[1]}, nil)
	}),
	sentence(`(\S+) closes #(\d+) as (\w+)`, func(ctx context.Context, s *stage, said []string) error {
		return s.call(ctx, said[0], "PATCH", "issues/"+said[1], object{"state": "closed", "state_reason": said[2]}, nil)
	}),
	sentence(`(\S+) writes: (.*)`, func(ctx context.Context, s *stage, said []string) error {
		var comment struct{ ID int64 }
		err := s.call(ctx, said[0], "POST", s.path("/comments"), object{"body": said[1]}, &comment)
		if strings.Contains(said[1], "/colony:") {
			s.command = comment.ID
		}
		return err
	}),
	sentence(`(\S+) puts (\S+) on it`, func(ctx context.Context, s *stage, said []string) error {
		return putLabel(ctx, s.world.Playground, said[0], s.issue, said[1])
	}),
	// A label picker makes two changes, one after the other. Their webhooks are sent after both, or Colony might take the old label off first.
	sentence(`(\S+) picks (\S+) instead of (\S+)`, func(ctx context.Context, s *stage, said []string) error {
		s.world.Playground.HoldDeliveries()
		defer s.world.Playground.ReleaseDeliveries(playground.InOrder)
		return s.swap(ctx, said)
	}),
	sentence(`(\S+) picks (\S+) instead of (\S+), and GitHub sends both webhooks twice, the last one first`, func(ctx context.Context, s *stage, said []string) error {
		s.world.Playground.HoldDeliveries()
		defer s.world.Playground.ReleaseDeliveries(playground.Reversed)
		s.world.Playground.DoubleNext(2)
		return s.swap(ctx, said)
	}),
	sentence(`(\S+) makes #(\d+) a sub-issue`, func(_ context.Context, s *stage, said []string) error {
		child, _ := strconv.Atoi(said[1]) // the pattern has digits only
		return s.world.Playground.SetSubIssue(Owner, Repository, s.issue, Repository, child, true, said[0])
	}),
	sentence(`(\S+) opens a pull request from the branch (\S+)`, func(_ context.Context, s *stage, said []string) (err error) {
		s.pulls[s.issue], err = s.world.Playground.OpenPullRequest(playground.PullRequest{
			Owner: Owner, Name: Repository, By: said[0], Branch: said[1], Body: fmt.Sprintf("Closes #%d.", s.issue),
		})
		return err
	}),
	sentence(`(\S+) pushes to (\S+)`, func(_ context.Context, s *stage, said []string) error {
		s.pushed++
		_, err := s.world.Playground.Push(Owner, Repository, said[1], said[1]+".txt", fmt.Sprintf("attempt %d\n", s.pushed), said[0])
		return err
	}),
	sentence(`the checks of (\S+) end with (\S+)`, func(_ context.Context, s *stage, said []string) error {
		_, err := s.world.Playground.SetCheck(Owner, Repository, said[0], checker, "test", said[1])
		return err
	}),
	sentence(`(\S+) requests changes: (.*)`, func(_ context.Context, s *stage, said []string) error {
		_, err := s.world.Playground.ReviewPullRequest(Owner, Repository, s.pulls[s.issue], "REQUEST_CHANGES", said[1], said[0])
		return err
	}),
	sentence(`(\S+) merges the pull request`, func(_ context.Context, s *stage, said []string) error {
		return s.world.Playground.MergePullRequest(Owner, Repository, s.pulls[s.issue], said[0])
	}),
	sentence(`(\S+) changes the same lines on the default branch`, func(_ context.Context, s *stage, said []string) error {
		return s.world.Playground.MakeConflict(Owner, Repository, s.pulls[s.issue], said[0])
	}),
	sentence(`GitHub loses the webhook of what comes next`, func(_ context.Context, s *stage, _ []string) error {
		s.world.Playground.DropNext(1)
		return nil
	}),
	sentence(`GitHub delivers again what failed`, func(_ context.Context, s *stage, _ []string) error {
		for _, d := range s.world.Playground.Deliveries() {
			if d.Dropped || d.StatusCode >= http.StatusBadRequest {
				if err := s.world.Playground.Redeliver(d.ID); err != nil {
					return err
				}
			}
		}
		return nil
	}),
	sentence(`Colony sweeps`, func(ctx context.Context, s *stage, _ []string) error { return s.world.colony.Sweep(ctx) }),
	sentence(`(\d+\w+) pass`, func(_ context.Context, s *stage, said []string) error {
		d, err := time.ParseDuration(said[0])
		if err != nil {
			return fmt.Errorf("let time pass: %w", err)
		}
		s.clock.Advance(d)
		return nil
	}),
}

var elsewhere = regexp.MustCompile(`^on #(\d+): `)

// act does what a sentence says.
func (s *stage) act(ctx context.Context, does string) error {
	if at := elsewhere.FindStringSubmatch(does); at != nil {
		here := s.issue
		defer func() { s.issue = here }()
		s.issue, _ = strconv.Atoi(at[1]) // the pattern has digits only
		does = strings.TrimPrefix(does, at[0])
	}
	for _, a := range acts {
		if said := a.sentence().FindStringSubmatch(does); said != nil {
			if err := a.does(ctx, s, said[1:]); err != nil {
				return fmt.Errorf("%q: %w", does, err)
			}
			return nil
		}
	}
	return fmt.Errorf("nobody knows how to do %q", does)
}

func (s *stage) swap(ctx context.Context, said []string) error {
	if err := putLabel(ctx, s.world.Playground, said[0], s.issue, said[1]); err != nil {
		return err
	}
	return takeLabel(ctx, s.world.Playground, said[0], s.issue, said[2])
}

func (s *stage) path(below string) string { return fmt.Sprintf("issues/%d%s", s.issue, below) }

func (s *stage) call(ctx context.Context, login, method, path string, body, into any) error {
	return call(ctx, s.world.Playground, login, method, path, body, into)
}

type object = map[string]any

func putLabel(ctx context.Context, p *playground.Playground, login string, issue int, label string) error {
	return call(ctx, p, login, "POST", fmt.Sprintf("issues/%d/labels", issue), object{"labels": []string{label}}, nil)
}

func takeLabel(ctx context.Context, p *playground.Playground, login string, issue int, label string) error {
	return call(ctx, p, login, "DELETE", fmt.Sprintf("issues/%d/labels/%s", issue, url.PathEscape(label)), nil, nil)
}

// call calls the REST API about the demo's repository as everybody does: with a token of their own.
func call(ctx context.Context, p *playground.Playground, login, method, path string, body, into any) error {
	var content io.Reader = http.NoBody
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			return fmt.Errorf("%s %s: %w", method, path, err)
		}
		content = bytes.NewReader(text)
	}
	request, err := http.NewRequestWithContext(ctx, method, p.BaseURL()+"/api/v3/repos/"+Owner+"/"+Repository+"/"+path, content)
	if err != nil {
		return fmt.Errorf("%s %s: %w", method, path, err)
	}
	request.Header.Set("Authorization", "Bearer "+p.Token(login))
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return fmt.Errorf("%s %s: %w", method, path, err)
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		return fmt.Errorf("%s %s: %w", method, path, err)
	}
	if response.StatusCode >= http.StatusBadRequest {
		return fmt.Errorf("%s %s: %s: %.300s", method, path, response.Status, answer)
	}
	if into != nil {
		if err := json.Unmarshal(answer, into); err != nil {
			return fmt.Errorf("%s %s: %w", method, path, err)
		}
	}
	return nil
}
