package cli

import (
	"errors"
	"flag"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "rewrite the expected output in testdata/script")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"colony": Main})
}

func TestCommandLine(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup:               surroundings,
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"status": status},
	})
}

// surroundings gives each script the file of a key as $KEY and an address that is taken as $TAKEN.
func surroundings(env *testscript.Env) error {
	key := filepath.Join(env.WorkDir, "key.pem")
	if err := os.WriteFile(key, newKey(), 0o600); err != nil {
		return err
	}
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	env.Defer(func() { taken.Close() })
	env.Setenv("KEY", key)
	env.Setenv("TAKEN", taken.Addr().String())
	return nil
}

// status runs a program and checks its exit status: "status 2 colony frobnicate".
func status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status N program args...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	var exit *exec.ExitError
	if err := ts.Exec(args[1], args[2:]...); errors.As(err, &exit) {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("%q exited with %d, not with %d", args[1:], got, want)
	}
}
