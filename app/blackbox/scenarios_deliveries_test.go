package blackbox_test

import (
	"encoding/json"
	"net/http"
	"slices"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-github/v62/github"
)

var deliveryScenarios = []scenario{
	{"a delivery that comes twice changes nothing", nil, sameDeliveryAgain},
	{"every delivery twice at once", []capability{holding}, everythingTwice},
	{"deliveries in reverse order", []capability{holding}, reverseOrder},
	{"a forged webhook is refused and does nothing", nil, forged},
	{"GitHub's log has every delivery", []capability{deliveryLog}, deliveriesInLog},
}

func sameDeliveryAgain(w *world) {
	i := w.in("in-development")
	i.colonyReacts(i.commentAndWait(operator, "/colony:status", "/colony:move in-review"), "+1")
	i.has("colony:in-review")
	i.colonySays("`in-development`")
	for _, d := range i.deliveries() {
		w.deliver(d) // the same id, the same bytes
	}
	w.quiet()
	i.has("colony:in-review")
}

func everythingTwice(w *world) {
	i := w.in("in-development")
	var id int64
	w.heldBack(func() {
		id = i.comment(operator, "/colony:status", "/colony:block nobody can build it")
	}, eachTwice)
	w.quiet()
	i.colonyReacts(id, "+1")
	i.has("colony:failure-blocked")
	i.colonySays("`in-development`")
}

func reverseOrder(w *world) {
	i := w.open(author, "It does not work.")
	var id int64
	w.heldBack(func() {
		i.label(operator, "colony:new", "colony:analyzing", "colony:ready-for-dev")
		id = i.comment(operator, "/colony:pause")
	}, reversed)
	w.quiet()
	i.colonyReacts(id, "+1")
	i.has("colony:paused")
}

// forged sends webhooks that are not GitHub's, and nothing else tells Colony what they claim: an illegal edit stays as it is.
func forged(w *world) {
	i := w.in("in-review")
	if !w.sees(holding) {
		w.refuses(slices.Concat(i.deliveries())[0])
		return
	}
	w.mail.hold()
	i.label(operator, "colony:new")
	for _, d := range w.waitForHeld() {
		w.refuses(d)
	}
	if rest, missing := w.colony.atRest(ctx); !rest {
		w.t.Error("Colony is at work because of a forged webhook: ", missing)
	}
	i.has("colony:in-review", "colony:new")

	w.must(w.mail.release(ctx, reversed))
	w.quiet()
	i.has("colony:in-review", "colony:needs-human")
	i.colonySays("from `in-review` to `new`")
}

// refuses asserts that Colony takes a webhook only as GitHub signed it.
func (w *world) refuses(d delivery) {
	w.t.Helper()
	right := signature(w.app.secret, d.body)
	for _, forgery := range []struct {
		name, signature string
		body            []byte
	}{
		{"another secret", signature("not "+w.app.secret, d.body), d.body},
		{"no secret", signature("", d.body), d.body},
		{"no signature", "", d.body},
		{"no hash", "sha256=", d.body},
		{"a cut off body", right, d.body[:len(d.body)/2]},
		{"another body", right, append(slices.Clone(d.body), ' ')},
		{"a cut off body, signed", signature(w.app.secret, d.body[:len(d.body)/2]), d.body[:len(d.body)/2]},
	} {
		d.guid = newGUID()
		status, err := send(ctx, w.colony.url, d.header(forgery.signature), forgery.body)
		w.must(err)
		if status < http.StatusBadRequest || status >= http.StatusInternalServerError {
			w.t.Errorf("a webhook with %s was answered with %d", forgery.name, status)
		}
	}
}

// deliveriesInLog reads the webhooks once more, from GitHub's own log.
func deliveriesInLog(w *world) {
	i := w.in("new")
	w.quiet()
	i.has("colony:new")
	client, err := appClient(w.apiURL, w.app)
	w.must(err)
	logged := map[string]int64{}
	list, _, err := client.Apps.ListHookDeliveries(ctx, &github.ListCursorOptions{PerPage: 100})
	w.must(err)
	for _, d := range list {
		logged[d.GetGUID()] = d.GetID()
	}
	for _, d := range i.deliveries() {
		id, ok := logged[d.guid]
		if !ok {
			w.t.Errorf("the log does not have %s %s", d.event, d.guid)
			continue
		}
		whole, _, err := client.Apps.GetHookDelivery(ctx, id)
		w.must(err)
		var got, want any
		w.must(json.Unmarshal(*whole.Request.RawPayload, &got))
		w.must(json.Unmarshal(d.body, &want))
		if diff := cmp.Diff(want, got); diff != "" {
			w.t.Errorf("%s is another in the log (-arrived +logged):\n%s", d.event, diff)
		}
	}
}
