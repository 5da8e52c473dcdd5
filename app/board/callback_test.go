package board_test

import (
	"testing"

	"github.com/colony-app/colony/app/board"
)

func TestTheCallbackURL(t *testing.T) {
	t.Parallel()
	for _, address := range []string{"https://colony.example.com", "https://colony.example.com/"} {
		if got := board.CallbackURL(address); got != "https://colony.example.com/board/-/callback" {
			t.Errorf("%s: %s", address, got)
		}
	}
}
