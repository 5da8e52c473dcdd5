package notify

import (
	"strings"
	"testing"
	"time"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/reconcile"
)

func TestWhichVerdictsAWebhookTakes(t *testing.T) {
	t.Parallel()
	refused := reconcile.Verdict{Kind: reconcile.VerdictRefused, Occasion: reconcile.Occasion{Ref: issues.Ref{Repository: issues.Repository{Owner: "Acme", Name: "Widgets"}, Number: 1}}}
	for name, c := range map[string]struct {
		hook         Webhook
		takes, about bool
	}{
		"all":                       {Webhook{}, true, true},
		"this kind":                 {Webhook{Verdicts: []reconcile.VerdictKind{reconcile.VerdictMoved, reconcile.VerdictRefused}}, true, true},
		"another kind":              {Webhook{Verdicts: []reconcile.VerdictKind{reconcile.VerdictMoved}}, false, true},
		"no kind, for a digest":     {Webhook{Verdicts: []reconcile.VerdictKind{}}, false, true},
		"the owner's":               {Webhook{Repositories: []string{"acme/*"}}, true, true},
		"one of several":            {Webhook{Repositories: []string{"acme/gears", "ACME/widgets"}}, true, true},
		"another repository":        {Webhook{Repositories: []string{"acme/gears"}}, false, false},
		"a pattern over one part":   {Webhook{Repositories: []string{"*"}}, false, false},
		"a pattern that is no such": {Webhook{Repositories: []string{"acme/[widgets"}}, false, false},
	} {
		if takes, about := c.hook.Takes(refused), c.hook.IsAbout(refused.Ref.Repository); takes != c.takes || about != c.about {
			t.Errorf("%s: takes it: %t, is about the repository: %t", name, takes, about)
		}
	}
}

// A program reads a list also where no move is allowed.
func TestAnEventWithoutAllowedMoves(t *testing.T) {
	t.Parallel()
	body, err := render(JSON, Message{Event: NewEvent(reconcile.Verdict{}, reconcile.Subject{}, time.Time{}, "")})
	if err != nil || !strings.Contains(string(body), `"allowed":[]`) {
		t.Errorf("%s, %v", body, err)
	}
}
