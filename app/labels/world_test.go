package labels_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/colony-app/colony/app"
	"github.com/colony-app/colony/app/labels"
	"github.com/colony-app/colony/bench/acme"
	"github.com/colony-app/colony/bench/acme/byhand"
	"github.com/colony-app/colony/github/client"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/github/ratelimit"
	"github.com/colony-app/colony/policy"
)

// world is a GitHub on which keepers of labels work.
type world struct {
	*acme.GitHub
	t *testing.T
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{acme.New(t), t}
	w.Config.GitHub.Budget = ratelimit.Settings{} // the fake clock stands still
	return w
}

// keeps lets a keeper of labels do something in the repositories, all that the App sees if none is named, and returns what it told, what
// failed, and how often it wrote.
func (w *world) keeps(o labels.Options, do func(*labels.Keeper, context.Context, issues.Repository, func(labels.Step)) error, named ...string) (lines, failed []string, writes int) {
	w.t.Helper()
	w.ResetCalls()
	o.Clock = w.Clock
	k, err := labels.New(w.Config, o)
	w.Must(err)
	w.Must(k.Each(context.Background(), named, func(ctx context.Context, repo issues.Repository) error {
		return do(k, ctx, repo, func(s labels.Step) { lines = append(lines, strings.ReplaceAll(s.String(), w.URL, "URL")) })
	}, func(f labels.Failure) { failed = append(failed, f.String()) }))
	return lines, failed, len(w.Writes())
}

// lists is what a keeper lists of acme/widgets.
func (w *world) lists() (listed labels.Listed) {
	w.t.Helper()
	_, failed, writes := w.keeps(labels.Options{}, func(k *labels.Keeper, ctx context.Context, repo issues.Repository, _ func(labels.Step)) (err error) {
		listed, err = k.List(ctx, repo)
		return err
	}, acme.Widgets)
	if len(failed) > 0 || writes > 0 {
		w.t.Errorf("a list writes %d times and fails with %q", writes, failed)
	}
	return listed
}

// newChangedWorld is a world in which Colony ran and the lifecycle of acme/widgets changed from colony to prp. An open and a closed issue have
// labels of the earlier one.
func newChangedWorld(t *testing.T) (w *world, colony *byhand.Colony, open, closed int) {
	t.Helper()
	w = newWorld(t)
	if _, failed, _ := w.keeps(labels.Options{}, (*labels.Keeper).Apply); len(failed) > 0 {
		t.Fatal(failed)
	}
	colony = byhand.New(t, w.GitHub)
	open, closed = w.Open("olivia", "colony:in-review"), w.Open("olivia", "colony:done")
	colony.Reconcile(open, closed)
	w.Commit("widgets", policy.SettingsFile, "lifecycle: prp\n")
	w.Advance(10 * time.Second)
	colony.ReadPolicy()
	w.Advance(time.Second) // what has the time of the change was there before it
	w.CloseIssue(closed, "olivia")
	return w, colony, open, closed
}

// answers makes the webhook of the App that of a server that is a Colony as far as one can ask. It ends with stop.
func (w *world) answers() (stop func()) {
	server := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			rw.WriteHeader(http.StatusMethodNotAllowed)
		}
	}))
	w.t.Cleanup(server.Close)
	w.SetWebhookURL(acme.AppID, server.URL+"/api/github/hook")
	return server.Close
}

// colonys are the labels of acme/widgets that begin with Colony's prefix.
func (w *world) colonys() []string {
	w.t.Helper()
	return slices.DeleteFunc(w.RepositoryLabels(), func(name string) bool { return !issues.IsColonys(name) })
}

// leaves plans to uninstall Colony from acme/widgets and does so, and returns the plan, and what failed.
func (w *world) leaves(o labels.Options) (plan labels.Leaving, failed []string) {
	w.t.Helper()
	_, failed, writes := w.keeps(o, func(k *labels.Keeper, ctx context.Context, repo issues.Repository, _ func(labels.Step)) (err error) {
		plan, err = k.Leave(ctx, repo)
		return err
	}, acme.Widgets)
	if writes > 0 {
		w.t.Errorf("the plan writes %d times", writes)
	}
	if len(failed) > 0 {
		return plan, failed
	}
	_, failed, _ = w.keeps(o, func(k *labels.Keeper, ctx context.Context, repo issues.Repository, tell func(labels.Step)) error {
		return k.Uninstall(ctx, repo, plan, tell)
	}, acme.Widgets)
	return plan, failed
}

// with are options with a token of a person.
func (w *world) with(login string) labels.Options {
	return labels.Options{Options: app.Options{Token: w.Token(login)}}
}

// over are options with a transport.
func over(transport http.RoundTripper) labels.Options {
	return labels.Options{Options: app.Options{Transport: transport}}
}

// direct is a transport whose connections no server of a test closes, unlike those of http.DefaultTransport.
var direct = client.NewTransport()

// between does something after the first answer to a request whose address has some words.
type between struct {
	words string
	do    func()
}

func (b *between) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := direct.RoundTrip(request)
	if strings.Contains(request.URL.String(), b.words) && b.do != nil {
		do := b.do
		b.do = nil
		do()
	}
	return response, err
}

// dying lets writes through until one is the last: its answer is lost, or it never arrives.
type dying struct {
	left   int
	before bool
}

var errDied = errors.New("died")

func (d *dying) RoundTrip(request *http.Request) (*http.Response, error) {
	if request.Method == http.MethodGet || strings.HasSuffix(request.URL.Path, "/access_tokens") {
		return direct.RoundTrip(request)
	}
	d.left--
	if d.left < 0 || d.left == 0 && d.before {
		return nil, errDied
	}
	response, err := direct.RoundTrip(request)
	if d.left == 0 && err == nil {
		_ = response.Body.Close()
		return nil, errDied
	}
	return response, err
}
