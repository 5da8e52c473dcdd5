package long

import (
	"flag"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// failing makes TestFails fail; the other tests run it as a process of its own.
var failing = flag.Bool("failing", false, "let TestFails fail")

func TestFails(t *testing.T) {
	if !*failing {
		t.Skip("it fails on purpose, for the other tests")
	}
	t.Run("some (name)", func(t *testing.T) {
		Check(t, func(t *rapid.T) {
			if n := rapid.IntRange(0, 1000).Draw(t, "n"); n > 900 {
				t.Fatalf("drew %d, whole %v", n, Whole())
			}
		})
	})
}

// fails runs TestFails and returns what it says.
func fails(t *testing.T, args ...string) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	run := exec.CommandContext(t.Context(), self, append([]string{"-failing", "-rapid.nofailfile"}, args...)...)
	run.Dir = t.TempDir()
	out, err := run.CombinedOutput()
	if err == nil {
		t.Fatalf("it passed:\n%s", out)
	}
	return string(out)
}

var (
	started = regexp.MustCompile(`long_test\.go:\d+: -rapid\.seed=(\d+)`)
	again   = regexp.MustCompile(`go test (\S+) -run '([^']+)' -rapid\.seed=(\d+)`)
)

func match(t *testing.T, in *regexp.Regexp, out string) []string {
	t.Helper()
	found := in.FindStringSubmatch(out)
	if found == nil {
		t.Fatalf("no %s in:\n%s", in, out)
	}
	return found[1:]
}

func TestWithoutTheFlagTheSeedIsFixed(t *testing.T) {
	t.Parallel()
	out := fails(t, "-test.run=^TestFails$")
	if got := match(t, started, out)[0]; got != strconv.Itoa(fixedSeed) {
		t.Error(got)
	}
	if !strings.Contains(out, "whole false") {
		t.Error(out)
	}
}

func TestLongDrawsASeedUnlessOneIsGiven(t *testing.T) {
	t.Parallel()
	one, other := fails(t, "-test.run=^TestFails$", "-long"), fails(t, "-test.run=^TestFails$", "-long")
	if match(t, started, one)[0] == match(t, started, other)[0] {
		t.Error("two runs draw the same seed")
	}
	if !strings.Contains(one, "whole true") {
		t.Error(one)
	}
	if got := match(t, started, fails(t, "-test.run=^TestFails$", "-long", "-rapid.seed=7"))[0]; got != "7" {
		t.Error(got)
	}
}

func TestAFailureNamesTheCommandThatRepeatsIt(t *testing.T) {
	t.Parallel()
	out := fails(t, "-test.run=^TestFails$", "-long")
	command := match(t, again, out)
	if command[0] != "./long" || command[1] != `^TestFails$/^some_\(name\)$` {
		t.Fatalf("%q in\n%s", command, out)
	}
	repeated := fails(t, "-test.run="+command[1], "-rapid.seed="+command[2])
	if !strings.Contains(repeated, "failed after 0 tests") {
		t.Errorf("the command plays something else:\n%s", repeated)
	}
}
