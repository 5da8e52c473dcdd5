package doctor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/colony-app/colony/app"
	"github.com/colony-app/colony/commands/wording"
	"github.com/colony-app/colony/github/ratelimit"
	"github.com/colony-app/colony/lifecycle"
)

// queue checks whether the queue could be opened, without opening it: a Colony might be running.
func (d *doctor) queue(ctx context.Context) {
	if d.config.Queue.URL != "" {
		if err := d.cluster(ctx); err != nil {
			d.wrong("queue", "does the cluster run, and does it have JetStream?", "Colony cannot use queue.url: %v", app.OneLine(err))
			return
		}
		d.fine("queue", "the cluster of queue.url answers")
		return
	}
	folder, err := existing(d.config.Queue.Dir)
	if err == nil {
		err = writable(folder)
	}
	if err != nil {
		d.wrong("queue", "make queue.dir a folder that Colony's user can write to", "Colony cannot write to %s: %v", d.config.Queue.Dir, app.OneLine(err))
		return
	}
	d.fine("queue", "%s can be written to", d.config.Queue.Dir)
}

func (d *doctor) cluster(ctx context.Context) error {
	conn, err := nats.Connect(d.config.Queue.URL, nats.Name("colony doctor"), nats.Timeout(app.AskTime))
	if err != nil {
		return fmt.Errorf("connect: %w", err)
	}
	defer conn.Close()
	ctx, cancel := context.WithTimeout(ctx, app.AskTime)
	defer cancel()
	js, err := jetstream.New(conn)
	if err == nil {
		_, err = js.AccountInfo(ctx)
	}
	if err != nil {
		return fmt.Errorf("ask JetStream: %w", err)
	}
	return nil
}

// existing returns the folder, or the one above it in which it would be made.
func existing(folder string) (string, error) {
	folder, err := filepath.Abs(folder)
	for err == nil {
		var info fs.FileInfo
		info, err = os.Stat(folder)
		switch {
		case err == nil && info.IsDir():
			return folder, nil
		case err == nil:
			return "", fmt.Errorf("%s is no folder", folder)
		case errors.Is(err, fs.ErrNotExist) && filepath.Dir(folder) != folder:
			folder, err = filepath.Dir(folder), nil
		}
	}
	return "", fmt.Errorf("find the folder: %w", err)
}

func writable(folder string) error {
	probe, err := os.CreateTemp(folder, ".colony-doctor-*")
	if err != nil {
		return fmt.Errorf("write: %w", err)
	}
	if err := errors.Join(probe.Close(), os.Remove(probe.Name())); err != nil {
		return fmt.Errorf("remove what was written: %w", err)
	}
	return nil
}

// server asks a Colony that runs how it is, and what it has given up.
func (d *doctor) server(ctx context.Context, address string) {
	status, body, err := d.options.Ask(ctx, address+"/readyz", "")
	var answer app.Readiness
	if err == nil {
		err = json.Unmarshal(body, &answer)
	}
	if err != nil {
		d.wrong("server", "does Colony run there?", "%s does not answer like a Colony: %v", address, app.OneLine(err))
		return
	}
	switch {
	case status != http.StatusOK && !answer.GitHub:
		d.wrong("server", "look at its log", "it is not ready: GitHub has not said yet which App it is")
	case status != http.StatusOK:
		d.wrong("server", "look at its log", "it is not ready: %s", answer.Error)
	default:
		modes := inModes(answer.Modes)
		if modes != "" {
			modes = "; mode " + modes
		}
		d.fine("server", "it is ready%s", modes)
	}
	if n := len(answer.Limited); n > 0 {
		d.warn("server", "nothing to do but wait; if it stays, lower github.budget.points", "GitHub limits %d of its installations", n)
	}
	d.paced(answer.Paced)
	d.hours(answer.Hours)
	d.waiting(answer)
	if n := len(answer.Ungranted); n > 0 {
		d.warn("server", "the lines about installations above say what, and where an owner accepts it", "%s not grant all that Colony needs", wording.Counted(n, "installation does", "installations do"))
	}
	if answer.HeldBack > 0 {
		d.warn("server", "was a table changed? See sweep.max_refusals", "sweeps left %d issues alone, because they would have refused something on too many at once", answer.HeldBack)
	}
	if answer.RefusedWrites > 0 {
		d.warn("server", "see docs/operations.md for the list; Colony writes them again once the conversation is unlocked or the App has the permission",
			"GitHub refused %d of its comments, reactions and links for good", answer.RefusedWrites)
	}
	d.deadLetters(ctx, address, answer.Queue.Dead)
}

func inModes(modes map[lifecycle.Mode]int) string {
	var counts []string
	for _, mode := range lifecycle.Modes {
		if n := modes[mode]; n > 0 {
			counts = append(counts, fmt.Sprintf("%s in %s", mode, wording.Counted(n, "repository", "repositories")))
		}
	}
	return strings.Join(counts, ", ")
}

// hours tells who used the calls of GitHub's hours, where more than a half is gone.
func (d *doctor) hours(of map[int64]ratelimit.Used) {
	for _, installation := range slices.Sorted(maps.Keys(of)) {
		u := of[installation]
		if own := u.People + u.Background + u.Questions + u.Board; 2*(own+u.Others) <= u.Limit {
			continue
		}
		d.fine("server", "in installation %d, of the %d calls until %s it used %d for people, %d in the background, %d for questions and %d for the board; others, such as simulate, labels or a replica, used %d",
			installation, u.Limit, u.Until.UTC().Format("15:04 MST"), u.People, u.Background, u.Questions, u.Board, u.Others)
	}
}

// waiting tells what waits in a Colony that runs, why and until when, and how far its onboardings are.
func (d *doctor) waiting(answer app.Readiness) {
	for _, o := range answer.Onboarding {
		ends := ""
		if !o.EndsAbout.IsZero() {
			ends = ", and ends about " + o.EndsAbout.UTC().Format("15:04 MST")
		}
		d.fine("server", "installation %d is being onboarded: %d of %s have their labels%s; people's moves do not wait for it",
			o.Installation, o.Done, wording.Counted(o.Of, "repository", "repositories"), ends)
	}
	for _, w := range answer.Waiting {
		if because := w.Because(); because != "" {
			most := ""
			if len(w.Repositories) > 0 {
				most = fmt.Sprintf("; most in repository %d: %d", w.Repositories[0].ID, w.Repositories[0].Tasks)
			}
			d.fine("server", "in installation %d, %s until about %s: %s%s",
				w.Installation, wording.Counted(w.Tasks, "task waits", "tasks wait"), w.Until.UTC().Format("15:04:05 MST"), because, most)
		}
	}
}

func (d *doctor) deadLetters(ctx context.Context, address string, dead int) {
	const does = "docs/operations.md says how to list them and try them again"
	if d.config.Server.AdminToken == "" {
		if dead > 0 {
			d.warn("dead letters", "set server.admin_token to see them", "Colony gave up %s", wording.Counted(dead, "task", "tasks"))
		}
		return
	}
	status, body, err := d.options.Ask(ctx, address+app.DeadLettersPath, d.config.Server.AdminToken)
	var list app.DeadLetters
	if err == nil && status == http.StatusOK {
		err = json.Unmarshal(body, &list)
	}
	switch {
	case err != nil:
		d.wrong("dead letters", "", "%v", app.OneLine(err))
	case status != http.StatusOK:
		d.wrong("dead letters", "is server.admin_token the same there?", "the server answers with %d", status)
	case len(list.DeadLetters) == 0:
		d.fine("dead letters", "there are none")
	default:
		last := list.DeadLetters[len(list.DeadLetters)-1]
		d.warn("dead letters", does, "Colony gave up %s, the last for %s#%d: %s", wording.Counted(len(list.DeadLetters), "task", "tasks"), last.Repository, last.Issue, app.OneLine(errors.New(last.Error)))
	}
}
