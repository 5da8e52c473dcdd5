package blackbox_test

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/bradleyfalzon/ghinstallation/v2"
	"github.com/google/go-github/v62/github"
)

// relay fetches webhooks from GitHub's delivery log (https://docs.github.com/rest/apps/webhooks), for a Colony that
// GitHub cannot reach. It signs them anew, since the log has the payload and not its bytes. For a Colony that GitHub
// reaches it only watches what was delivered.
type relay struct {
	app     *github.Client
	secret  string
	watches bool
	// repository is the only one whose deliveries count.
	repository int64

	colony  string
	seen    map[int64]bool
	guids   map[string]bool
	log     []delivery
	holding bool
}

func newRelay(apiURL string, app appOnTarget, repository int64, watches bool) (*relay, error) {
	client, err := appClient(apiURL, app)
	if err != nil {
		return nil, err
	}
	r := &relay{
		app: client, secret: app.secret, repository: repository, watches: watches,
		seen: map[int64]bool{}, guids: map[string]bool{},
	}
	// What the log has already is not from these tests. It is newest first, so a page is enough to distinguish old from new.
	old, _, err := client.Apps.ListHookDeliveries(context.Background(), &github.ListCursorOptions{PerPage: 100})
	if err != nil {
		return nil, fmt.Errorf("list the deliveries of the App's webhook: %w", err)
	}
	for _, d := range old {
		r.seen[d.GetID()] = true
	}
	return r, nil
}

// appClient speaks to GitHub as the App itself.
func appClient(apiURL string, app appOnTarget) (*github.Client, error) {
	transport, err := ghinstallation.NewAppsTransport(http.DefaultTransport, app.id, []byte(app.key))
	if err != nil {
		return nil, fmt.Errorf("use the App's key: %w", err)
	}
	transport.BaseURL = strings.TrimSuffix(apiURL, "/")
	client := clientOf(apiURL, "")
	return withTransport(client, transport), nil
}

func withTransport(client *github.Client, transport http.RoundTripper) *github.Client {
	with := github.NewClient(&http.Client{Transport: transport})
	with.BaseURL = client.BaseURL
	return with
}

// list returns the deliveries that were not seen, oldest first.
func (r *relay) list(ctx context.Context) ([]*github.HookDelivery, error) {
	var unseen []*github.HookDelivery
	page := &github.ListCursorOptions{PerPage: 100}
	for {
		batch, response, err := r.app.Apps.ListHookDeliveries(ctx, page)
		if err != nil {
			return nil, fmt.Errorf("list the deliveries of the App's webhook: %w", err)
		}
		known := false
		for _, d := range batch {
			if r.seen[d.GetID()] {
				known = true
				continue
			}
			unseen = append(unseen, d)
		}
		if response.Cursor == "" || known {
			break
		}
		page.Cursor = response.Cursor
	}
	slices.SortFunc(unseen, func(a, b *github.HookDelivery) int {
		return cmp.Or(a.GetDeliveredAt().Compare(b.GetDeliveredAt().Time), cmp.Compare(a.GetID(), b.GetID()))
	})
	return unseen, nil
}

func (r *relay) to(colonyURL string) { r.colony = colonyURL }

func (r *relay) collect(ctx context.Context) error {
	if r.holding {
		return nil
	}
	fetched, err := r.fetch(ctx)
	if err != nil || r.watches {
		r.log = append(r.log, fetched...)
		return err
	}
	inOrder := func(held []delivery) []delivery { return held }
	return releaseTo(ctx, r.colony, r.secret, fetched, inOrder, r.keep)
}

// fetch reads the payloads of what is new.
func (r *relay) fetch(ctx context.Context) ([]delivery, error) {
	unseen, err := r.list(ctx)
	if err != nil {
		return nil, err
	}
	var fetched []delivery
	for _, listed := range unseen {
		if listed.GetRepositoryID() != r.repository && listed.GetEvent() != "installation" || listed.GetRedelivery() || r.guids[listed.GetGUID()] {
			r.seen[listed.GetID()] = true
			continue
		}
		whole, _, err := r.app.Apps.GetHookDelivery(ctx, listed.GetID())
		if err != nil {
			return fetched, fmt.Errorf("read delivery %d of the App's webhook: %w", listed.GetID(), err)
		}
		r.seen[listed.GetID()], r.guids[listed.GetGUID()] = true, true
		d := newDelivery(whole.GetEvent(), whole.GetGUID(), *whole.Request.RawPayload)
		d.status = whole.GetStatusCode()
		fetched = append(fetched, d)
	}
	return fetched, nil
}

func (r *relay) keep(d delivery) { r.log = append(r.log, d) }

func (r *relay) arrived() []delivery { return slices.Clone(r.log) }

func (r *relay) hold() {
	if r.watches {
		panic("who only watches the deliveries cannot hold them back") // a scenario forgot the capability
	}
	r.holding = true
}

// held reads ahead in the log; nothing that it reads counts as seen.
func (r *relay) held(ctx context.Context) ([]delivery, error) {
	seen, guids := r.seen, r.guids
	r.seen, r.guids = maps.Clone(seen), maps.Clone(guids)
	defer func() { r.seen, r.guids = seen, guids }()
	return r.fetch(ctx)
}

func (r *relay) release(ctx context.Context, order func([]delivery) []delivery) error {
	r.holding = false
	fetched, err := r.fetch(ctx)
	if err != nil {
		return err
	}
	return releaseTo(ctx, r.colony, r.secret, fetched, order, r.keep)
}
