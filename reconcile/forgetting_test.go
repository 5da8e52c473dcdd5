package reconcile_test

import (
	"flag"
	"os"
	"os/exec"
	"testing"

	"github.com/colony-app/colony/reconcile"
)

var (
	forgets = flag.Bool("forgets", false, "Colony forgets what it remembers of issues before each request")
	deletes = flag.Bool("deletes", false, "whatever is planned is planned without each row of the features as well")
)

func TestMain(m *testing.M) {
	flag.Parse()
	if !*deletes {
		os.Exit(m.Run())
	}
	rows := reconcile.CheckRows()
	code := m.Run()
	for _, name := range rows.Silent() {
		println("no conversation has a write of the feature", name)
		code = 1
	}
	os.Exit(code)
}

// What a process remembers of issues saves calls. If it forgets all of that before each request, people see the same in each conversation but
// three: one counts calls, one sees what was hidden as outdated become resolved, and one knows by its own writes that the log hides something.
func TestForgettingChangesNothing(t *testing.T) {
	t.Parallel()
	converse(t, "-forgets", "-test.skip", "TestAuthorsPermissionIsReadOnlyWhereItMatters|TestOneRefusalIsOpen|TestWhatAnOldLogHidIsExplained|"+again)
}

// A feature writes the same whichever others there are, and each writes something in a conversation. The conversations that count calls are
// left out, since planning reads.
func TestNoFeatureDependsOnAnother(t *testing.T) {
	t.Parallel()
	converse(t, "-deletes", "-test.skip", "TestAuthorsPermissionIsReadOnlyWhereItMatters|"+again)
}

// again matches the tests that play all conversations once more.
const again = "TestForgettingChangesNothing|TestNoFeatureDependsOnAnother"

// converse plays the conversations in a process of its own.
func converse(t *testing.T, flags ...string) {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if told, err := exec.CommandContext(t.Context(), program, flags...).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, told)
	}
}
