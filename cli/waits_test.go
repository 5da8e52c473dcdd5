package cli

import (
	"strings"
	"sync"
	"testing"
	"time"
)

func TestWaitsAreToldOnce(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	var said strings.Builder
	wait := waits(&said, func() time.Time { return now })
	together := func(d time.Duration) {
		var calls sync.WaitGroup
		for range 8 {
			calls.Go(func() { wait(d) })
		}
		calls.Wait()
	}
	together(time.Second)
	together(time.Minute)
	now = now.Add(2 * time.Minute)
	together(time.Second)
	together(30 * time.Minute)
	want := "Going slowly: the rate of calls is limited, and a Colony that runs goes first.\n" +
		"Waiting until 09:01:00 UTC: the rate of calls is limited, and a Colony that runs goes first.\n" +
		"Waiting until 09:32:00 UTC: the rate of calls is limited, and a Colony that runs goes first.\n"
	if said.String() != want {
		t.Errorf("it says:\n%s", said.String())
	}
}
