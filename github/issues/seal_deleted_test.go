package issues

import (
	"slices"
	"testing"
	"time"

	"github.com/colony-app/colony/lifecycle"
)

// Whose deletion of a comment can have been that of the plan which olga approved.
func TestWhoseDeletionsBreakASeal(t *testing.T) {
	t.Parallel()
	a := Approval{By: "olga", At: noon, Roles: []string{"refiner"}}
	for by, c := range map[string]struct {
		actor lifecycle.Actor
		after time.Duration
		want  bool
	}{
		"who approved":          {lifecycle.Actor{Login: "olga", Kind: lifecycle.Operator}, time.Minute, false},
		"another person":        {lifecycle.Actor{Login: "mona", Kind: lifecycle.Operator}, time.Minute, true},
		"a person before that":  {lifecycle.Actor{Login: "mona", Kind: lifecycle.Operator}, -time.Minute, false},
		"Colony":                {lifecycle.Actor{Login: "colony[bot]", Kind: lifecycle.Colony}, time.Minute, false},
		"a bot of the role":     {lifecycle.Actor{Login: "dev[bot]", Kind: lifecycle.Executor, Roles: []string{"builder", "refiner"}}, time.Minute, true},
		"a bot in another role": {lifecycle.Actor{Login: "dev[bot]", Kind: lifecycle.Executor, Roles: []string{"builder"}}, time.Minute, false},
		"a bot without roles":   {lifecycle.Actor{Login: "dev[bot]", Kind: lifecycle.Executor}, time.Minute, true},
	} {
		if got := a.brokenByDeletion(Deletion{By: c.actor, At: noon.Add(c.after)}); got != c.want {
			t.Errorf("%s: %t", by, got)
		}
	}
	r := &reading{view: View{Deleted: []Deletion{{By: lifecycle.Actor{Login: "mona"}, At: noon.Add(time.Minute)}, {By: lifecycle.Actor{Login: "ada"}, At: noon.Add(time.Hour)}}}}
	commentsDeleted(r, a)
	if len(r.changed.Differences) != 1 || !slices.Equal(r.changed.Differences[0].By, []string{"ada", "mona"}) || !r.changed.At.Equal(noon.Add(time.Hour)) {
		t.Errorf("two deletions are %+v", r.changed)
	}
}

// GraphQL calls a bot by the name of its App, the REST API by its login. GitHub's own coding agent has the login Copilot there.
func TestAnEditorHasTheLoginOfTheRESTAPI(t *testing.T) {
	t.Parallel()
	for want, e := range map[string]*editor{
		"": nil, "mona": {"User", "mona"}, "dev[bot]": {botType, "dev"}, "Copilot": {botType, "copilot-swe-agent"}, "copilot-swe-agent": {"User", "copilot-swe-agent"},
	} {
		if got := e.login(); got != want {
			t.Errorf("%+v is %q, want %q", e, got, want)
		}
	}
}
