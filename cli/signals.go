package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

// untilSignal returns a context that ends with the first SIGINT or SIGTERM. The second one ends the process, with the exit status that
// shells give it: 128 and the signal's number. It doesn't rely on the signal's default action, which is to ignore it where a shell without
// job control started the process in the background.
func untilSignal(ctx context.Context, stderr io.Writer, exit func(status int)) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-signals
		cancel()
		fmt.Fprintln(stderr, "Stopping. A second signal ends the process immediately.")
		if number, ok := (<-signals).(syscall.Signal); ok {
			exit(128 + int(number))
		}
	}()
	return ctx, cancel
}
