package issues

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/commands"
	"github.com/colony-app/colony/lifecycle"
)

// noClient is an installation that gives no client.
type noClient struct{}

var errNoToken = errors.New("no token")

func (noClient) NewInstallationClient(int64) (*github.Client, error) { return nil, errNoToken }

// Whatever is to be done in an installation that gives no client, that is what comes of it.
func TestWithoutAClient(t *testing.T) {
	s := NewStore(noClient{}, &Actors{})
	l := NewLabelProvisioner(s, s.Clock)
	l.repo(widgets).amiss = []flaw{{Mark: lifecycle.Mark{Label: "a"}, missing: true}}
	text := []Comment{{ID: 5, NodeID: "C5", Reactions: 1, Created: at("09:00:00"), Updated: noon}}
	v, mark := View{Ref: theIssue, NodeID: "I"}, lifecycle.Mark{Label: "a"}
	for name, does := range map[string]func(ctx context.Context) error{
		"Load":              func(ctx context.Context) error { _, err := s.Load(ctx, theIssue); return err },
		"LoadTold":          func(ctx context.Context) error { _, err := s.LoadTold(ctx, theIssue, noon); return err },
		"WithLog":           func(ctx context.Context) error { _, err := s.WithLog(ctx, v); return err },
		"Get":               func(ctx context.Context) error { _, err := s.Get(ctx, theIssue); return err },
		"Record":            func(ctx context.Context) error { _, err := s.Record(ctx, theIssue); return err },
		"Comments":          func(ctx context.Context) error { _, err := s.Comments(ctx, theIssue, noon); return err },
		"Mentions":          func(ctx context.Context) error { _, _, err := s.Mentions(ctx, widgets, noon, 1, nil); return err },
		"CommentsIn":        func(ctx context.Context) error { return s.CommentsIn(ctx, widgets, noon, nil) },
		"CommentOnCommit":   func(ctx context.Context) error { return s.CommentOnCommit(ctx, widgets, "abc", "x", nil) },
		"Edits":             func(ctx context.Context) error { _, err := s.Edits(ctx, theIssue, text); return err },
		"EditsNow":          func(ctx context.Context) error { _, err := s.EditsNow(ctx, theIssue, text); return err },
		"Receipt":           func(ctx context.Context) error { _, _, err := s.Receipt(ctx, theIssue, text[0]); return err },
		"List":              func(ctx context.Context) error { _, _, err := s.List(ctx, widgets, Filter{}); return err },
		"Views":             func(ctx context.Context) error { _, _, err := s.Views(ctx, widgets, Filter{}); return err },
		"Relabeled":         func(ctx context.Context) error { _, _, err := s.Relabeled(ctx, widgets, noon, 1, nil); return err },
		"Carriers":          func(ctx context.Context) error { _, err := s.Carriers(ctx, widgets, "a", Open); return err },
		"CarriersOf":        func(ctx context.Context) error { _, err := s.CarriersOf(ctx, widgets, "a"); return err },
		"Dashboard":         func(ctx context.Context) error { _, _, err := s.Dashboard(ctx, theIssue); return err },
		"Dashboards":        func(ctx context.Context) error { _, err := s.Dashboards(ctx, widgets); return err },
		"OpenDashboard":     func(ctx context.Context) error { _, err := s.OpenDashboard(ctx, widgets, "x"); return err },
		"WriteDashboard":    func(ctx context.Context) error { return s.WriteDashboard(ctx, Dashboard{}, "x", false) },
		"PinDashboard":      func(ctx context.Context) error { _, err := s.PinDashboard(ctx, Dashboard{}, true); return err },
		"Account":           func(ctx context.Context) error { _, _, err := s.Account(ctx, widgets, "ada"); return err },
		"Permission":        func(ctx context.Context) error { _, err := s.Permission(ctx, widgets, "ada"); return err },
		"Readable":          func(ctx context.Context) error { _, err := s.Readable(ctx, widgets, "ada"); return err },
		"Repository":        func(ctx context.Context) error { _, err := s.Repository(ctx, widgets); return err },
		"Overlapping":       func(ctx context.Context) error { _, err := s.Overlapping(ctx, theIssue, nil, nil); return err },
		"OpenPullRequests":  func(ctx context.Context) error { _, err := s.OpenPullRequests(ctx, v); return err },
		"PullRequestIssues": func(ctx context.Context) error { _, err := s.PullRequestIssues(ctx, theIssue); return err },
		"PullRequestsAt":    func(ctx context.Context) error { _, err := s.PullRequestsAt(ctx, widgets, "abc"); return err },
		"Superseded":        func(ctx context.Context) error { _, _, err := s.Superseded(ctx, v, noon); return err },
		"Facts":             func(ctx context.Context) error { _, err := s.Facts(ctx, v, Ask{Needs: needsPulls}); return err },
		"ChangedSince":      func(ctx context.Context) error { _, err := s.ChangedSince(ctx, v, Ask{}); return err },
		"DependsOn":         func(ctx context.Context) error { _, err := s.DependsOn(ctx, v, commands.Links{}); return err },
		"Dependents":        func(ctx context.Context) error { _, err := s.Dependents(ctx, theIssue, nil); return err },
		"Apply":             func(ctx context.Context) error { _, err := s.Apply(ctx, theIssue, []Write{{Remove: "a"}}); return err },
		"Provision":         func(ctx context.Context) error { return l.Provision(ctx, widgets, Table{}, true) },
		"Ensure":            func(ctx context.Context) error { return l.Ensure(ctx, widgets, []string{"a"}) },
		"Rename":            func(ctx context.Context) error { return l.Rename(ctx, widgets, twoStates(), "colony:new", "b") },
		"Known":             func(ctx context.Context) error { _, _, err := l.Known(ctx, widgets, Table{}); return err },
		"Examine":           func(ctx context.Context) error { _, err := l.Examine(ctx, widgets, Table{}, nil); return err },
		"Create":            func(ctx context.Context) error { return l.Create(ctx, widgets, mark) },
		"Repair":            func(ctx context.Context) error { return l.Repair(ctx, widgets, Differing{}) },
		"Delete":            func(ctx context.Context) error { return l.Delete(ctx, widgets, "a") },
		"Adopt":             func(ctx context.Context) error { _, err := l.Adopt(ctx, widgets, Adopted{}); return err },
		"WatchedSince":      func(ctx context.Context) error { _, err := l.WatchedSince(ctx, widgets, "abcd", true); return err },
	} {
		if err := does(t.Context()); !errors.Is(err, errNoToken) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
