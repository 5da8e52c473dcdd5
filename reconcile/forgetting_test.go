package reconcile_test

import (
	"flag"
	"os"
	"os/exec"
	"testing"
)

var forgets = flag.Bool("forgets", false, "Colony forgets what it remembers of issues before each request")

// What a process remembers of issues saves calls. If it forgets all of that before each request, people see the same in each conversation but
// two: one counts calls, and one sees what was hidden as outdated become resolved.
func TestForgettingChangesNothing(t *testing.T) {
	t.Parallel()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	again := exec.CommandContext(t.Context(), program, "-forgets", "-test.skip", "TestForgettingChangesNothing|TestAuthorsPermissionIsReadOnlyWhereItMatters|TestOneRefusalIsOpen")
	if told, err := again.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, told)
	}
}
