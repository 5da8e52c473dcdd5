package reconcile_test

import (
	"flag"
	"os"
	"os/exec"
	"runtime/debug"
	"testing"

	"github.com/colony-app/colony/reconcile"
)

var (
	forgets = flag.Bool("forgets", false, "Colony forgets what it remembers of issues before each request")
	deletes = flag.Bool("deletes", false, "whatever is planned is planned without each row of the features as well")
)

func TestMain(m *testing.M) {
	flag.Parse()
	debug.SetGCPercent(400) // a conversation is short-lived: to clean up after each costs a third of the processor's time
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

// What a process remembers of issues saves calls: if it forgets all of that before each request, people see the same in each conversation but
// those whose world remembers. A feature writes the same whichever others there are, and each writes something in a conversation. Two
// conversations count calls, which both change; two tables say in each of many cells what other conversations say.
func TestConversationsWithoutMemoryAndRowByRow(t *testing.T) {
	t.Parallel()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	again := exec.CommandContext(t.Context(), program, "-forgets", "-deletes", "-test.skip", "TestAuthorsPermissionIsReadOnlyWhereItMatters|TestWhatFactsCost|TestPermissionMatrix|TestKindsOfGuards|"+t.Name())
	if told, err := again.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, told)
	}
}
