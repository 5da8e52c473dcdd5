// Package long says how much of the random and the long tests is played: the same part each time or, with the flag -long, all of it from a
// new seed. Only tests import it.
//
// With -long, tests play:
//
//   - 2,000 histories of labels instead of 300; -simulation.runs=N plays N. Of pull requests, names, guards and modes it is an eighth of
//     these each, of sprints a tenth.
//   - a stop after each call of a scenario instead of after each third.
//   - whole tables of facts, triggers and guards instead of a part.
//   - a month of each lifecycle for colony simulate instead of 10 days of one; COLONY_TEST_MONTHS=N draws N months.
//   - 200 repositories of a large organization instead of 60, and all figures of docs/performance.md about GitHub's limits.
//
// The flag -rapid.seed=N gives the seed.
package long

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"regexp"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"
)

// fixedSeed starts what is drawn without -long: a test of a change has to say the same each time.
const fixedSeed = 20261121

var whole = flag.Bool("long", false, "play whole tables, all crashes and two thousand histories, from a new seed unless -rapid.seed gives one")

// Whole reports whether tests play everything. Call it when flags are parsed: in a test, not in a variable of the package.
func Whole() bool { return *whole }

// Check draws inputs of a property as rapid.Check does, from the seed of this run. A failure ends with the command that draws the failed
// input again.
func Check(t *testing.T, property func(*rapid.T)) {
	t.Helper()
	t.Logf("-rapid.seed=%d", seed())
	rapid.Check(repeatable{t}, property) //nolint:forbidigo // here
}

// seed is what all properties of a package start from. It sets rapid's flag once, before rapid reads it.
var seed = sync.OnceValue(func() uint64 {
	given := flag.Lookup("rapid.seed")
	if given.Value.String() == "0" {
		chosen := uint64(fixedSeed)
		if Whole() {
			chosen = rand.Uint64() //nolint:gosec // it has to be new, not secret
		}
		if err := given.Value.Set(strconv.FormatUint(chosen, 10)); err != nil {
			panic(err) // rapid's flag is a number
		}
	}
	n, err := strconv.ParseUint(given.Value.String(), 10, 64)
	if err != nil {
		panic(err)
	}
	return n
})

// repeatable adds the command to what rapid says of a failure. It hides the test's deadline from rapid, which would end early and count
// what it did not draw as passed.
type repeatable struct{ *testing.T }

var failedSeed = regexp.MustCompile(`-rapid\.seed=(\d+)`)

// Errorf fails the test with rapid's message and the command.
func (r repeatable) Errorf(format string, args ...any) {
	r.Helper()
	message := fmt.Sprintf(format, args...)
	if found := failedSeed.FindStringSubmatch(message); found != nil {
		message = "Play it again:\n\t" + command(r.Name(), found[1]) + "\n" + message
	}
	r.Error(message)
}

// command is what draws the input of a seed again.
func command(test, seed string) string {
	parts := strings.Split(test, "/")
	for i, part := range parts {
		parts[i] = "^" + regexp.QuoteMeta(part) + "$"
	}
	return fmt.Sprintf("go test %s -run '%s' -rapid.seed=%s", folder(), strings.Join(parts, "/"), seed)
}

// folder is the package under test, from the root of the repository.
func folder() string {
	built, ok := debug.ReadBuildInfo()
	if !ok {
		return "."
	}
	path := strings.TrimSuffix(built.Path, ".test")
	return "." + strings.TrimPrefix(path, built.Main.Path)
}
