package worker

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/colony-app/colony/github/client"

	"github.com/colony-app/colony/github/issues"
)

// Grants knows what the installations do not grant: see permissions.Grants.
type Grants interface {
	Compare(all []client.Installation, appLacks ...string)
	Lacking() map[int64][]string
	Replace(lacking map[int64][]string)
	Ask(ctx context.Context, app *client.App, installation int64) (answered bool)
	Doubt(ctx context.Context, app *client.App, installation int64) (answered bool)
}

// wordUngranted begins what a replica tells of grants.
const wordUngranted = "ungranted"

// compareGrants notes what the installations grant, as a sweep has listed them, and tells the other replicas.
func (w *Worker) compareGrants(all []client.Installation) {
	w.grants.Compare(all)
	w.broadcastGrants()
	installed := make([]int64, 0, len(all))
	for _, i := range all {
		installed = append(installed, i.ID)
	}
	w.Reconciler.KeepModes(installed)
	w.tellPeers(wordInstalled, installed)
}

// wordInstalled begins what a replica tells of installations.
const wordInstalled = "installed"

// heedInstalled notes which installations another replica found.
func (w *Worker) heedInstalled(word []byte) error {
	var installed []int64
	if err := json.Unmarshal(word, &installed); err != nil {
		return err //nolint:wrapcheck // it is logged with the word
	}
	w.Reconciler.KeepModes(installed)
	return nil
}

func (w *Worker) tellPeers(word string, what any) {
	text, err := json.Marshal(what)
	if err == nil {
		err = w.queue.Broadcast(append([]byte(word+" "), text...))
	}
	if err != nil {
		w.log.Warn().Err(err).Str("word", word).Msg("tell the other replicas what GitHub told")
	}
}

func (w *Worker) broadcastGrants() { w.tellPeers(wordUngranted, w.grants.Lacking()) }

// heedGrants notes what another replica found.
func (w *Worker) heedGrants(word []byte) error {
	lacking := map[int64][]string{}
	if err := json.Unmarshal(word, &lacking); err != nil {
		return err //nolint:wrapcheck // it is logged with the word
	}
	w.grants.Replace(lacking)
	return nil
}

// doubtGrants compares what an installation grants, if GitHub has forbidden something: a permission may have been taken away.
func (w *Worker) doubtGrants(ctx context.Context, installation int64, err error) {
	forbidden := errors.Is(err, issues.ErrForbidden) || issues.IsForbidden(err)
	if forbidden && installation != 0 && w.grants.Doubt(ctx, w.app, installation) {
		w.broadcastGrants()
	}
}

// askGrants compares what an installation grants, as it may have changed.
func (w *Worker) askGrants(ctx context.Context, installation int64) {
	if w.grants.Ask(ctx, w.app, installation) {
		w.broadcastGrants()
	}
}
