package policy

import (
	"testing"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
)

// The lifecycle that a repository brings can ask for more than the server does before a forced move, and never for less.
func TestALifecycleOnlyRaisesForce(t *testing.T) {
	t.Parallel()
	for asked, want := range map[string]issues.Permission{
		"": issues.PermissionMaintain, "triage": issues.PermissionMaintain, "Write": issues.PermissionMaintain, "maintain": issues.PermissionMaintain, "admin": issues.PermissionAdmin,
	} {
		life := *shipped(t)
		life.Force = lifecycle.Force{By: asked}
		server := Commands{Move: issues.PermissionTriage, Force: issues.PermissionMaintain}
		if got := server.under(&life); got.Force != want || got.Move != issues.PermissionTriage {
			t.Errorf("a lifecycle that asks for %q: %+v, want %s", asked, got, want)
		}
	}
}
