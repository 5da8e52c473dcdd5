package doctor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"slices"
	"syscall"
	"time"

	"github.com/colony-app/colony/app"
	"github.com/colony-app/colony/commands/wording"
	"github.com/colony-app/colony/github/ratelimit"
)

// address checks whether Colony could listen where it is configured to. A Colony that does so already is as it should be.
func (d *doctor) address(ctx context.Context) {
	at := d.config.Server.Address
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", at)
	if err == nil {
		err = listener.Close()
	}
	switch {
	case err == nil:
		d.fine("address", "%s is free for Colony to listen at", at)
	case !errors.Is(err, syscall.EADDRINUSE):
		d.wrong("address", "set server.address like :8080, with a port that Colony's user may use", "Colony cannot listen at %s: %v", at, app.OneLine(err))
	case d.isColony(ctx, at):
		d.fine("address", "a Colony answers at %s", at)
	default:
		d.wrong("address", "stop that process, or set server.address to another port", "another process listens at %s, and it does not answer like a Colony", at)
	}
}

// isColony reports whether what listens at an address of this machine answers like a Colony.
func (d *doctor) isColony(ctx context.Context, at string) bool {
	host, port, err := net.SplitHostPort(at)
	if err != nil {
		return false
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "localhost"
	}
	status, body, err := d.options.Ask(ctx, "http://"+net.JoinHostPort(host, port)+"/readyz", "")
	var answer struct {
		Ready *bool           `json:"ready"`
		Paced json.RawMessage `json:"paced"`
	}
	return err == nil && (status == http.StatusOK || status == http.StatusServiceUnavailable) &&
		json.Unmarshal(body, &answer) == nil && answer.Ready != nil && answer.Paced != nil
}

// budget says whether Colony's own budget makes it wait where GitHub would not.
func (d *doctor) budget() {
	if n := d.config.GitHub.Budget.Points; n > 0 && n < ratelimit.GitHubPoints {
		d.warn("budget", fmt.Sprintf("raise it to %d, which is GitHub's own bound, unless something else acts as this App", ratelimit.GitHubPoints),
			"github.budget.points is %d: Colony waits after about %s a minute in an installation", n, wording.Counted(n/ratelimit.PointsOfReconciliation, "refusal", "refusals"))
	}
}

func (d *doctor) paced(waiting ratelimit.Waiting) {
	if n := len(waiting.Requests); n > 0 {
		last := slices.MaxFunc(slices.Collect(maps.Values(waiting.Requests)), time.Time.Compare)
		d.warn("server", "if it stays, is github.budget.points lower than it need be?", "%s until %s for Colony's own budget github.budget.points", counted(n), last.UTC().Format("15:04:05 MST"))
	}
	if n := len(waiting.Comments); n > 0 {
		d.warn("server", "it goes on within the hour; if it stays, is github.budget.points lower than it need be?", "%s with comments for Colony's own budget of comments", counted(n))
	}
	if n := len(waiting.GraphQL); n > 0 {
		d.warn("server", "it goes on when GitHub's hour ends; follow less, if it stays", "%s for GitHub's hourly budget of GraphQL", counted(n))
	}
}

func counted(n int) string { return wording.Counted(n, "installation waits", "installations wait") }
