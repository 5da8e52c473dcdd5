package app_test

import (
	"os"
	"runtime/debug"
	"testing"

	"github.com/colony-app/colony/playground/schematest"
)

// TestMain holds everything that Colony and the people of these tests say and hear against GitHub's descriptions. The worlds are many and
// short-lived: to clean up after each would take an eighth of the time, as long as there is memory.
func TestMain(m *testing.M) {
	debug.SetGCPercent(800)
	debug.SetMemoryLimit(1200 << 20)
	os.Exit(schematest.RunThinned(m, 500, 50))
}
