package page

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/colony-app/colony/playground"
)

// shownDeliveries is how many of the latest deliveries are listed.
const shownDeliveries = 200

// delivery is a webhook as the page shows it.
type delivery struct {
	playground.Delivery
	App     string
	About   string // owner/name#number, as far as the payload has it
	Link    string // to the issue; empty without one
	Label   string
	By      person
	Outcome string // ok, failed, held, dropped or waiting
}

// Name is the event with its action.
func (d delivery) Name() string {
	if d.Action == "" {
		return d.Event
	}
	return d.Event + "." + d.Action
}

// Size is the payload's length in bytes.
func (d delivery) Size() int { return len(d.Payload) }

// deliveriesView is the page of the deliveries.
type deliveriesView struct {
	frame
	Rows []delivery
	More int // older ones, not listed
	Done string
}

// deliveryControls are the buttons above the list, by the last segment of their addresses.
var deliveryControls = map[string]struct {
	run func(*page)
	say string
}{
	"hold":     {func(g *page) { g.playground.HoldDeliveries() }, "Deliveries are held back from now on, until you release them."},
	"release":  {func(g *page) { g.playground.ReleaseDeliveries(playground.InOrder) }, "What was held is on its way, in the order in which it came."},
	"reversed": {func(g *page) { g.playground.ReleaseDeliveries(playground.Reversed) }, "What was held is on its way, the last one first."},
	"drop":     {func(g *page) { g.playground.DropNext(1) }, "The next delivery will be lost."},
	"double":   {func(g *page) { g.playground.DoubleNext(1) }, "The next delivery will be sent twice, with the same GUID."},
}

func controlDeliveries(v *visit) error {
	name := v.r.PathValue("control")
	control, known := deliveryControls[name]
	if !known {
		return errNoPage
	}
	control.run(v.page)
	return v.to("/deliveries?done=" + name)
}

func redeliver(v *visit) error {
	id, err := strconv.ParseInt(v.r.PathValue("id"), 10, 64)
	if err != nil {
		return errNoPage
	}
	if err := v.playground.Redeliver(id); err != nil {
		return errNoPage
	}
	return v.to("/deliveries?done=redeliver")
}

func (v *visit) deliveriesView() deliveriesView {
	content := deliveriesView{frame: v.frame("Deliveries", nil), Done: deliveryControls[v.r.URL.Query().Get("done")].say}
	if v.r.URL.Query().Get("done") == "redeliver" {
		content.Done = "It is sent again, with the same GUID."
	}
	content.Tab, content.Live = "deliveries", "/deliveries/live"
	recorded := v.playground.Deliveries()
	slices.Reverse(recorded)
	content.More = max(0, len(recorded)-shownDeliveries)
	apps := v.apps()
	for _, d := range recorded[:len(recorded)-content.More] {
		content.Rows = append(content.Rows, deliveryOf(d, apps))
	}
	content.Version = deliveriesVersion(recorded)
	content.reloading(v.r)
	return content
}

// deliveriesVersion changes whenever a delivery comes or gets on.
func deliveriesVersion(recorded []playground.Delivery) string {
	held, answered := 0, 0
	for _, d := range recorded {
		if d.Held {
			held++
		}
		if d.StatusCode != 0 {
			answered++
		}
	}
	return fmt.Sprintf("%d-%d-%d", len(recorded), held, answered)
}

func showDeliveries(v *visit) error { return v.show("deliveries", v.deliveriesView()) }

// showLiveDeliveries answers the script with the list, or with 204 if ?version still holds.
func showLiveDeliveries(v *visit) error {
	if v.r.URL.Query().Get("version") == deliveriesVersion(v.playground.Deliveries()) {
		v.w.WriteHeader(http.StatusNoContent)
		return nil
	}
	return v.show("deliveries-live", v.deliveriesView())
}

// showDelivery shows one with its payload.
func showDelivery(v *visit) error {
	for _, d := range v.playground.Deliveries() {
		if strconv.FormatInt(d.ID, 10) != v.r.PathValue("id") {
			continue
		}
		var payload bytes.Buffer
		if err := json.Indent(&payload, d.Payload, "", "  "); err != nil {
			return fmt.Errorf("show the payload of delivery %d: %w", d.ID, err)
		}
		f := v.frame("Delivery "+d.GUID, nil)
		f.Tab = "deliveries"
		return v.show("delivery", struct {
			frame
			Delivery delivery
			Payload  string
		}{f, deliveryOf(d, v.apps()), payload.String()})
	}
	return errNoPage
}

// apps are the names of the Apps by id, as far as they can be found out: through their bots.
func (v *visit) apps() map[int64]string {
	names := map[int64]string{}
	for _, u := range v.playground.Users() {
		slug, bot := strings.CutSuffix(u.Login, botSuffix)
		if !bot {
			continue
		}
		if app, _, err := v.github.Apps.Get(v.ctx(), slug); err == nil {
			names[app.GetID()] = app.GetSlug()
		}
	}
	return names
}

func deliveryOf(d playground.Delivery, apps map[int64]string) delivery {
	shown := delivery{Delivery: d, App: apps[d.AppID], Outcome: outcome(d)}
	if shown.App == "" {
		shown.App = fmt.Sprintf("App %d", d.AppID)
	}
	var about struct {
		Repository *struct {
			FullName string `json:"full_name"`
		}
		Issue  *struct{ Number int }
		Pull   *struct{ Number int } `json:"pull_request"`
		Label  *struct{ Name string }
		Sender *struct{ Login string }
	}
	if err := json.Unmarshal(d.Payload, &about); err != nil {
		return shown // what can't be read is shown as it is, on demand
	}
	if about.Repository != nil {
		shown.About = about.Repository.FullName
		thread := about.Issue
		if thread == nil {
			thread = about.Pull
		}
		if thread != nil {
			shown.Link = below(append(strings.Split(about.Repository.FullName, "/"), "issues", strconv.Itoa(thread.Number))...)
			shown.About += fmt.Sprintf("#%d", thread.Number)
		}
	}
	if about.Label != nil {
		shown.Label = about.Label.Name
	}
	if about.Sender != nil {
		shown.By = named(about.Sender.Login)
	}
	return shown
}

func outcome(d playground.Delivery) string {
	switch {
	case d.Held:
		return "held"
	case d.Dropped:
		return "dropped"
	case d.StatusCode == 0:
		return "waiting"
	case d.StatusCode < http.StatusMultipleChoices:
		return "ok"
	default:
		return "failed"
	}
}
