package cli

import (
	"fmt"
	"io"
	"sync"
	"time"
)

// longWait is a wait that is worth a line of its own.
const longWait = 15 * time.Second

// waits says that the program waits for a rate limit: once of the short waits that keep its pace, and of a long one when it is to end. Calls that wait
// for the same say it once.
func waits(w io.Writer, now func() time.Time) func(time.Duration) {
	var mu sync.Mutex
	var told time.Time // until when
	return func(wait time.Duration) {
		mu.Lock()
		defer mu.Unlock()
		until := now().Add(wait)
		switch {
		case wait < longWait && told.IsZero():
			fmt.Fprintln(w, "Going slowly: the rate of calls is limited, and a Colony that runs goes first.")
		case wait >= longWait && until.Sub(told) >= longWait:
			fmt.Fprintf(w, "Waiting until %s: the rate of calls is limited, and a Colony that runs goes first.\n", until.UTC().Format("15:04:05 MST"))
		default:
			return
		}
		told = until
	}
}
