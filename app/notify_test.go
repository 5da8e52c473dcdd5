package app_test

import (
	"crypto/hmac"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/app/notify"
	"github.com/colony-app/colony/bench/acme"
	"github.com/colony-app/colony/bench/apptest"
	"github.com/colony-app/colony/reconcile"
)

const notifySecret = "a secret of sixteen or more"

// receiver takes events over HTTP, and answers with the statuses that it was given, then with 204.
type receiver struct {
	t       *testing.T
	address string

	mu       sync.Mutex
	statuses []int
	header   http.Header // of its answers
	events   []notify.Event
	texts    []string
	digests  []notify.Digest
	heard    chan struct{} // closed when something comes
}

func receive(t *testing.T, statuses ...int) *receiver {
	t.Helper()
	r := &receiver{t: t, statuses: statuses, header: http.Header{}, heard: make(chan struct{})}
	r.address = apptest.Serve(t, r)
	return r
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	body, err := io.ReadAll(request.Body)
	if err != nil {
		r.t.Error(err)
	}
	if got := request.Header.Get(notify.HeaderSignature); !hmac.Equal([]byte(got), []byte(notify.Sign(notifySecret, body))) {
		r.t.Errorf("an event is signed with %q", got)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	defer func() { close(r.heard); r.heard = make(chan struct{}) }()
	if len(r.statuses) > 0 {
		status := r.statuses[0]
		r.statuses = r.statuses[1:]
		maps.Copy(w.Header(), r.header)
		w.WriteHeader(status)
		return
	}
	w.WriteHeader(http.StatusNoContent)
	var e notify.Event
	if err := json.Unmarshal(body, &e); err != nil {
		r.t.Errorf("the event %s: %v", body, err)
	}
	if e.Schema == 0 {
		var message struct{ Text string }
		if err := json.Unmarshal(body, &message); err != nil {
			r.t.Errorf("the text %s: %v", body, err)
		}
		r.texts = append(r.texts, message.Text)
		return
	}
	if e.Event == notify.DigestName {
		var d notify.Digest
		if err := json.Unmarshal(body, &d); err != nil || d.ID != request.Header.Get(notify.HeaderDelivery) || request.Header.Get(notify.HeaderEvent) != notify.DigestName {
			r.t.Errorf("the digest %s: %v: %v", body, request.Header, err)
		}
		r.digests = append(r.digests, d)
		return
	}
	if e.ID != request.Header.Get(notify.HeaderDelivery) || request.Header.Get(notify.HeaderEvent) != "verdict" {
		r.t.Errorf("the headers do not name the event %s: %v", e.ID, request.Header)
	}
	r.events = append(r.events, e)
}

// got renders what came, in its order.
func (r *receiver) got() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := []string{}
	for _, e := range r.events {
		all = append(all, fmt.Sprintf("%s: %s→%s by %s", e.Verdict, e.From, e.To, e.Actor))
	}
	return all
}

// to makes a row of the configuration.
func (r *receiver) to(name string) notify.Webhook {
	return notify.Webhook{Name: name, URL: r.address + "/path-that-is-secret", Secret: notifySecret}
}

func tells(hooks ...notify.Webhook) func(*config.Config) {
	return func(c *config.Config) { c.Notify.Webhooks = hooks }
}

func TestWebhooksAreToldOfEachVerdictOnce(t *testing.T) {
	t.Parallel()
	all, refusals, elsewhere, chat := receive(t), receive(t), receive(t), receive(t)
	few, other, slack := refusals.to("few"), elsewhere.to("other"), chat.to("chat")
	few.Verdicts, few.Repositories = []reconcile.VerdictKind{reconcile.VerdictRefused}, []string{"acme/*"}
	other.Repositories = []string{"acme/gadgets"}
	slack.Format = notify.Slack
	w := newWorld(t, onDisk(t), tells(all.to("all"), few, other, slack))
	i := w.open("ada", "")
	i.Label("olivia", "colony:merge-pending")
	w.Settle()
	i.Label("olivia", "colony:new")
	w.Settle()
	i.ColonySays("from `merge-pending` to `new`")
	i.ColonyReacts(i.CommentAndSettle("mona", "/colony:pause"), "+1")

	want := []string{"finished: unlabeled→merge-pending by olivia", "refused: merge-pending→new by olivia", "command: merge-pending→paused by mona"}
	if diff := cmp.Diff(want, all.got()); diff != "" {
		t.Errorf("the events (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want[1:2], refusals.got()); diff != "" {
		t.Errorf("the refusals (-want +got):\n%s", diff)
	}
	if got := elsewhere.got(); len(got) > 0 {
		t.Errorf("a webhook for another repository got %q", got)
	}
	if len(chat.texts) != 3 || !strings.Contains(chat.texts[1], "Colony refused olivia the move from merge-pending to new (not-in-table)") {
		t.Errorf("the chat got %q", chat.texts)
	}
	refused := all.events[1]
	if refused.Title != "A widget that works" || refused.URL != fmt.Sprintf("%s/acme/widgets/issues/%d", w.config.GitHub.WebURL, i.Number) ||
		refused.State != "merge-pending" || !slices.Contains(refused.Allowed, "done") || refused.Writes != 3 || refused.Delivery == "" {
		t.Errorf("the event of the refusal is %+v", refused)
	}

	for _, d := range w.github.Deliveries() {
		w.Must(w.github.Redeliver(d.ID))
	}
	w.Sweep()
	w.restart(false)
	if diff := cmp.Diff(want, all.got()); diff != "" {
		t.Errorf("after deliveries that came twice, a sweep and a restart (-want +got):\n%s", diff)
	}
	if n := acme.Value(w.metrics(), "colony_notifications_total", "outcome=done"); n != 0 { // of the process since
		t.Errorf("the new process sent %v events", n)
	}
}

// A receiver that refuses an event for good, leads elsewhere, or is not there delays nobody, and what it does not take ends as a dead letter
// that does not tell the address.
func TestDeadReceiverDelaysNobody(t *testing.T) {
	t.Parallel()
	gone, moved, well := receive(t, http.StatusGone), receive(t, http.StatusTemporaryRedirect), receive(t)
	moved.header.Set("Location", well.address)
	dead := &receiver{t: t, address: "http://127.0.0.1:1"} // nothing listens there
	w := newWorld(t, withAdmin, tells(gone.to("gone"), moved.to("moved"), dead.to("dead"), well.to("well")))
	i := w.open("ada", "")
	i.Label("olivia", "colony:new")
	w.Quiet()
	if diff := cmp.Diff([]string{"finished: unlabeled→new by olivia"}, well.got()); diff != "" {
		t.Errorf("the receiver that is well got (-want +got):\n%s", diff)
	}
	i.Label("olivia", "colony:analyzing")
	w.Quiet()
	i.Has("colony:analyzing")
	if n := len(well.got()); n != 2 {
		t.Errorf("it got %d events", n)
	}
	for range 20 {
		w.clock.Advance(20 * time.Minute)
		w.Quiet()
	}
	w.Pass(4, 12*time.Hour)
	letters := w.deadLetters()
	var said []string
	for _, l := range letters {
		said = append(said, l.Scope+" "+l.Repository+": "+strings.SplitAfter(l.Error, "webhook ")[1][:4])
		if strings.Contains(l.Error, "127.0.0.1:") && strings.Contains(l.Error, "path") || strings.Contains(l.Error, "path-that-is-secret") {
			t.Errorf("a dead letter tells the address: %s", l.Error)
		}
	}
	slices.Sort(said)
	want := []string{"notify acme/widgets: dead", "notify acme/widgets: dead", "notify acme/widgets: gone", "notify acme/widgets: move"}
	if diff := cmp.Diff(want, said); diff != "" {
		t.Errorf("the dead letters (-want +got): %s\n%v", diff, letters)
	}
	if n := len(w.verdictsOf(well)); n != 2 {
		t.Errorf("the redirect was followed: %d events", n)
	}
}

// verdictsOf are the different events that a receiver got.
func (w *world) verdictsOf(r *receiver) map[string]string {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := map[string]string{}
	for _, e := range r.events {
		all[e.ID] = e.Verdict
	}
	return all
}

// Wherever a Colony is killed while it refuses a change, runs a command or makes a move of its own, each verdict is told, by the next Colony if
// not by the first, and no other one.
func TestNoCrashLosesAnEvent(t *testing.T) {
	t.Parallel()
	for name, scenario := range map[string]func(*issue){
		"refusal": func(i *issue) { i.Label("olivia", "colony:new") },
		"command": func(i *issue) { i.Comment("olivia", "/colony:pause") },
		"move":    func(i *issue) { i.Swap("olivia", "colony:merge-pending", "colony:human-review-ready") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			kinds := map[string]string{"refusal": "refused", "command": "command", "move": "finished"}
			play := func(k int) (told map[string]string, calls int) {
				r := receive(t)
				w := newWorldWithoutColony(t, onDisk(t), tells(r.to("ops")))
				crash := &crashingTransport{}
				w.transport = crash
				w.makeLabels()
				w.start()
				w.install()
				i := w.open("ada", "")
				i.Label("olivia", "colony:merge-pending")
				w.Settle()
				before := len(w.verdictsOf(r))
				crash.after(k)
				scenario(i)
				w.Settle()
				calls = crash.calls()
				w.stopColony()
				w.transport = nil
				w.start()
				for range 6 {
					w.clock.Advance(time.Minute)
					w.Settle()
				}
				_ = i.Describe()
				told = w.verdictsOf(r)
				if before != 1 || len(told) != 2 || !slices.Contains(slices.Collect(maps.Values(told)), kinds[name]) {
					t.Errorf("killed after call %d, it told %d events before and in the end of %v", k, before, told)
				}
				return told, calls
			}
			_, calls := play(0)
			for k := range crashPoints(calls) {
				play(k)
			}
		})
	}
}
