package doctor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"syscall"

	"github.com/colony-app/colony/app"
	"github.com/colony-app/colony/app/config"
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
	status, body, err := d.get(ctx, "http://"+net.JoinHostPort(host, port)+"/readyz", "")
	var answer struct {
		Ready *bool           `json:"ready"`
		Paced json.RawMessage `json:"paced"`
	}
	return err == nil && (status == http.StatusOK || status == http.StatusServiceUnavailable) &&
		json.Unmarshal(body, &answer) == nil && answer.Ready != nil && answer.Paced != nil
}

// pace says which of Colony's own budgets make it wait where GitHub would not.
func (d *doctor) pace() {
	p, usual := d.config.GitHub.Pace, config.Default().GitHub.Pace
	for _, b := range []struct {
		setting   string
		set, most int
		means     string
	}{
		{"github.pace.points", p.Points, usual.Points, wording.Counted(p.Points/ratelimit.PointsOfReconciliation, "refusal", "refusals") + " a minute in an installation"},
		{"github.pace.content_minute", p.ContentMinute, usual.ContentMinute, wording.Counted(p.ContentMinute, "comment", "comments") + " a minute in an installation"},
		{"github.pace.content_hour", p.ContentHour, usual.ContentHour, wording.Counted(p.ContentHour, "comment", "comments") + " an hour in an installation"},
	} {
		if b.set > 0 && b.set < b.most {
			d.warn("pace", fmt.Sprintf("raise it to %d, which is GitHub's own bound, unless something else acts as this App", b.most), "%s is %d: Colony waits after about %s", b.setting, b.set, b.means)
		}
	}
}

// paced says for whom a running Colony waits by its own budgets.
func (d *doctor) paced(waiting ratelimit.Waiting) {
	if n := len(waiting.Requests); n > 0 {
		d.warn("server", "it goes on within a minute; if it stays, is github.pace.points lower than it need be?", "%s for Colony's own budget github.pace.points", counted(n))
	}
	if n := len(waiting.Comments); n > 0 {
		d.warn("server", "it goes on within the hour; if it stays, is github.pace.content_minute or content_hour lower than it need be?", "%s with comments for Colony's own budgets github.pace.content_minute and content_hour", counted(n))
	}
	if n := len(waiting.GraphQL); n > 0 {
		d.warn("server", "it goes on when GitHub's hour ends; follow less, if it stays", "%s for GitHub's hourly budget of GraphQL", counted(n))
	}
}

func counted(n int) string { return wording.Counted(n, "installation waits", "installations wait") }
