package notify

import (
	"fmt"
	"strings"
	"time"

	"github.com/colony-app/colony/reconcile"
)

// Schema is the version of Event. Fields can be added to a version; one that goes, or means something else, makes the next.
const Schema = 1

// EventName is what an event is about, of the header X-Colony-Event.
const EventName = "verdict"

// Event is what is sent of a verdict: the fields of the audit line, and more about the issue. Its JSON is documented, and on disks.
type Event struct {
	Schema int       `json:"schema"`
	ID     string    `json:"id"` // the same whenever the same is reported again
	Event  string    `json:"event"`
	At     time.Time `json:"at"`

	Delivery string `json:"delivery"`
	Repo     string `json:"repo"`
	Issue    int    `json:"issue"`
	Actor    string `json:"actor"`
	Role     string `json:"role"`
	From     string `json:"from"`
	To       string `json:"to"`
	Verdict  string `json:"verdict"`
	Reason   string `json:"reason"`
	Trigger  string `json:"trigger"`
	Writes   int    `json:"writes"`

	LedTo   string   `json:"led_to,omitempty"` // where a refused change led
	About   string   `json:"about,omitempty"`  // what Colony moved the issue for
	Title   string   `json:"title"`
	URL     string   `json:"url"`
	State   string   `json:"state"`   // where the issue is then
	Allowed []string `json:"allowed"` // the states to which a person can move it from there
}

// NewEvent returns the event of a verdict. web is the address of GitHub's pages.
func NewEvent(v reconcile.Verdict, about reconcile.Subject, at time.Time, web string) Event {
	e := Event{
		Schema: Schema, ID: v.Key(), Event: EventName, At: at.UTC().Truncate(time.Second),
		Delivery: v.Delivery, Repo: v.Ref.Repository.String(), Issue: v.Ref.Number, Actor: v.By.Login, Role: string(v.By.Kind), From: v.From, To: v.To,
		Verdict: string(v.Kind), Reason: v.Reason, Trigger: v.Trigger, Writes: v.Writes,
		LedTo: v.LedTo, About: v.About, Title: about.Title, State: about.State, Allowed: about.Allowed,
		URL: fmt.Sprintf("%s/%s/issues/%d", strings.TrimSuffix(web, "/"), v.Ref.Repository, v.Ref.Number),
	}
	if e.Allowed == nil {
		e.Allowed = []string{}
	}
	return e
}
