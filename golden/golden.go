// Package golden compares what tests make with the files that hold what is right. Only tests import it.
package golden

import (
	"flag"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden files of this package")

// Hold fails the test unless a file has this text. With the flag -update it writes the file.
func Hold(t testing.TB, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil { //nolint:gosec // it is committed
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s is otherwise (-want +got); if that is right, rewrite it with -update:\n%s", file, diff)
	}
}

// Updates reports whether golden files are rewritten.
func Updates() bool { return *update }
