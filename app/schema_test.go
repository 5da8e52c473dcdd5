package app_test

import (
	"os"
	"testing"

	"github.com/colony-app/colony/playground/schematest"
)

// TestMain holds everything that Colony and the people of these tests say and hear against GitHub's descriptions.
func TestMain(m *testing.M) { os.Exit(schematest.RunThinned(m, 500, 50)) }
