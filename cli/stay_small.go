package cli

import (
	"context"
	"os"
	"runtime/debug"
	"time"

	"github.com/colony-app/colony/app"
)

// How eagerly the runtime collects garbage, in GOGC's percent: hardly while a process starts, when nearly all that is allocated stays; then
// before it doubles what is in use, so that a Colony that has little to do uses little memory.
const (
	percentAtStart = 400
	percent        = 50
)

// settled is some seconds after the first sweep, when what it requeued is done as well.
const settled = 10 * time.Second

// collectAt sets how eagerly garbage is collected. GOGC overrides it.
func collectAt(percent int) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(percent)
	}
}

// staySmall lets a Colony that has little to do use little memory: garbage is collected early once Colony has begun, unless GOGC says
// otherwise, and what only the start needed is given back to the system.
func staySmall(ctx context.Context, server *app.Server) {
	select {
	case <-server.Identified():
	case <-ctx.Done():
		return
	}
	collectAt(percent)
	if server.Idle(ctx) != nil {
		return
	}
	select {
	case <-time.After(settled):
		debug.FreeOSMemory()
		giveBackProgram()
	case <-ctx.Done():
	}
}
