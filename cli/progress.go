package cli

import (
	"fmt"
	"io"

	"github.com/schollz/progressbar/v3"

	"github.com/colony-app/colony/app/simulate"
	"github.com/colony-app/colony/commands/wording"
	"github.com/colony-app/colony/reconcile/replay"
)

// follow has a simulation say on w what it is going to read, and on a terminal how far it has come. The function ends that.
func follow(w io.Writer, o *simulate.Options) (end func()) {
	bar := progressbar.DefaultSilent(1)
	o.Planned = func(p simulate.Plan) {
		fmt.Fprintf(w, "Reading %s in %s takes about %s to GitHub.\n",
			wording.Counted(p.Issues, "issue", "issues"), wording.Counted(p.Repositories, "repository", "repositories"), wording.Counted(p.Calls, "call", "calls"))
		if isTerminal(w) {
			bar = progressbar.NewOptions(p.Issues, progressbar.OptionSetWriter(w), progressbar.OptionShowCount(), progressbar.OptionClearOnFinish(), progressbar.OptionSetDescription("issues"))
		}
	}
	o.Each = func(replay.Outcome) { _ = bar.Add(1) } // it fails where the terminal is gone
	return func() { _ = bar.Finish() }
}
