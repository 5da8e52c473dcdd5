package policy

import (
	"encoding/base64"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-github/v62/github"
	"github.com/jonboulle/clockwork"
	"github.com/rs/zerolog"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/statemachine"
)

// ownersFile is a GitHub on which only the repository `.github` has a file of settings, in some version.
type ownersFile struct {
	version int
	fails   bool
	calls   int
	during  func() // is called with each call
}

func (o *ownersFile) NewInstallationClient(int64) (*github.Client, error) {
	return github.NewClient(&http.Client{Transport: o}), nil
}

func (o *ownersFile) RoundTrip(r *http.Request) (*http.Response, error) {
	o.calls++
	if o.during != nil {
		o.during()
	}
	status, body := http.StatusNotFound, "{}"
	file := fmt.Sprintf(`{"type": "file", "name": "colony.yml", "path": %q, "sha": "%d", "encoding": "base64", "content": %q}`, SettingsFile, o.version,
		base64.StdEncoding.EncodeToString(fmt.Appendf(nil, "intake: {when: labelled, labels: [go-%d]}\n", o.version)))
	switch {
	case o.fails:
		status = http.StatusBadGateway
	case strings.HasSuffix(r.URL.Path, "/.github/contents/.github"):
		status, body = http.StatusOK, "["+file+"]"
	case strings.HasSuffix(r.URL.Path, "/.github/contents/"+SettingsFile):
		status, body = http.StatusOK, file
	}
	return &http.Response{StatusCode: status, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader(body)), Request: r}, nil
}

// A policy is known no longer than until something would be read for it, whatever happens meanwhile.
func TestAPolicyIsKnownAsLongAsNothingIsReadForIt(t *testing.T) {
	life, err := statemachine.Shipped("colony")
	if err != nil {
		t.Fatal(err)
	}
	const keep = time.Hour
	clock, gitHub := clockwork.NewFakeClock(), &ownersFile{}
	c := NewCache(gitHub, New(life, nil, "a test").Automate(Settings{Intake: new(DefaultIntake())}), keep, clock, zerolog.Nop())
	widgets := issues.Repository{Installation: 7, ID: 1, Owner: "acme", Name: "Widgets"}
	all := []issues.Repository{widgets, {Installation: 7, ID: 2, Owner: "acme", Name: ".github"}, {Installation: 7, ID: 3, Owner: "Acme", Name: "gadgets"}}
	if _, known := c.Known(widgets); known {
		t.Error("known although nothing was read")
	}
	rng := rand.New(rand.NewPCG(5, 6))
	knownTimes := 0
	for range 3000 {
		repo := all[rng.IntN(len(all))]
		gitHub.fails = rng.IntN(5) == 0
		switch rng.IntN(7) {
		case 0:
			gitHub.version++ // and no webhook reports it
		case 1:
			c.Invalidate(repo)
		case 2:
			c.InvalidateOlder(repo, keep/4)
		case 3:
			clock.Advance(time.Duration(rng.Int64N(int64(keep / 2))))
		case 4:
			_, _ = c.Refresh(t.Context(), repo)
		case 5: // while it is read, it may change
			gitHub.during = func() {
				if rng.IntN(2) == 0 {
					c.Invalidate(repo)
				}
				c.Known(repo) // does not wait
			}
			_, _ = c.Get(t.Context(), repo)
			gitHub.during = nil
		}
		repo = all[rng.IntN(len(all))]
		found, known := c.Known(repo)
		before := gitHub.calls
		got, err := c.Get(t.Context(), repo)
		switch {
		case known && (err != nil || gitHub.calls != before || got.Version() != found.Version()):
			t.Fatalf("%s was known, and then read: %d calls, %v", repo, gitHub.calls-before, err)
		case known:
			knownTimes++
		}
		if again, known := c.Known(repo); err == nil && (!known || again.Version() != got.Version()) {
			t.Fatalf("%s is not known after it was read", repo)
		}
	}
	if knownTimes < 300 || gitHub.calls < 300 {
		t.Errorf("known %d times, %d calls: this shows nothing", knownTimes, gitHub.calls)
	}
}
