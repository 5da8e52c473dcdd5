package app_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/bench/acme"
	"github.com/colony-app/colony/lifecycle"
)

// Colony neither reads nor waits for what it does not follow: an issue that was held up goes on, and a push costs what it cost before.
func TestFilesThatAreNotFollowedCostNothing(t *testing.T) {
	t.Parallel()
	spent := map[bool]acme.Spending{}
	for _, followed := range []bool{true, false} {
		w := newWorld(t, acme.Follows, func(c *config.Config) {
			if !followed {
				c.Follow = slices.DeleteFunc(c.Follow, func(r lifecycle.Reading) bool { return r == lifecycle.ReadFiles })
			}
		})
		first, second := w.open("ada", "Paint it."), w.open("ada", "Oil it.")
		w.Begun(first.Issue, "paint.txt")
		w.Begun(second.Issue, "oil.txt")
		w.clock.Advance(time.Minute)
		w.github.ResetCalls()
		first.Push(fmt.Sprintf("work-on-%d", first.Number), "shelf.txt")
		w.Settle()
		spent[followed] = w.Spent()
		files := 0
		for _, c := range w.github.Calls() {
			if strings.HasSuffix(c.Path, "/files") {
				files++
			}
		}
		if followed != (files > 0) {
			t.Errorf("followed: %v, and the files of %d pull requests were read", followed, files)
		}
		w.stopColony()
	}
	// The issue and its log; the dependencies of none.
	if got := spent[false]; got.Reads > 3 || got.Writes+got.Questions > 0 {
		t.Errorf("a push cost %+v where files are not followed", got)
	}
	if got := spent[true]; got.Reads > 14 || got.Writes > 0 || got.Questions > 1 {
		t.Errorf("a push cost %+v where files are followed", got)
	}
}
