package worker

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"

	"github.com/colony-app/colony/app/dashboard"
	"github.com/colony-app/colony/app/notify"
	"github.com/colony-app/colony/app/queue"
	"github.com/colony-app/colony/app/sweep"
	"github.com/colony-app/colony/reconcile"
)

// Item is what the queue keeps of a request. Its JSON is on disks: keys can be added, but never removed or changed.
type Item struct {
	reconcile.Request
	reconcile.Carry

	// Shares is how many shares the request has passed: the shares of people who are not allowed to move issues.
	Shares int `json:"shares,omitempty"`
	// Begun says that the request was carried out in part, and comes back for the rest.
	Begun bool `json:"begun,omitempty"`
	// Needs is how many points the request needs, once it has waited for one of Colony's own budgets.
	Needs int `json:"needs,omitempty"`
	// Sweep is how far a sweep has come.
	Sweep *sweep.Progress `json:"sweep,omitempty"`
	// Onboarding is how far an onboarding has come.
	Onboarding *Onboarding `json:"onboarding,omitempty"`
	// Figures is how far an update of the dashboard of an owner has come.
	Figures *OwnerFigures `json:"figures,omitempty"`
	// Due is when the request is carried out at the earliest.
	Due time.Time `json:"due,omitzero"`
	// Notify is what is to be sent to a webhook.
	Notify *notify.Message `json:"notify,omitempty"`

	asked    time.Time // when the task was published
	failures int       // of the task, in a row
}

// ReadItem reads what a task of the queue asks for.
func ReadItem(task queue.Task) (Item, error) {
	var item Item
	if err := json.Unmarshal(task.Body, &item); err != nil {
		return item, fmt.Errorf("read task %s: %w", task.ID, err)
	}
	item.asked, item.failures = task.Published, task.Failures
	item.Begun, item.InTurn = item.Begun || task.Held, item.InTurn || task.Held || task.Failures > 0
	return item, nil
}

// isAsStored reports whether an item asks for what its task does, so that nothing is lost with it: how far it came and what it has waited
// for, another process finds out again.
func (i *Item) isAsStored(task queue.Task, body []byte) bool {
	stored, err := ReadItem(task)
	if err != nil {
		return false
	}
	stored.Begun, stored.InTurn, stored.Needs = i.Begun, i.InTurn, i.Needs
	same, err := stored.encode()
	return err == nil && bytes.Equal(same, body)
}

func (i *Item) encode() ([]byte, error) {
	body, err := json.Marshal(i)
	if err != nil {
		return nil, fmt.Errorf("encode a request of kind %s: %w", i.Kind, err)
	}
	return body, nil
}

// line is what the queue keeps the tasks of in order: the issue, or the repository. Each installation is onboarded on its own, and each
// webhook and each dashboard has a line.
func (i *Item) line() (repository int64, issue int) {
	if i.Notify != nil {
		return lineOf(i.Notify.Webhook), 0
	}
	if i.Kind == reconcile.KindDashboard {
		return dashboard.Key(i.Repository), 0
	}
	return i.key(), i.Number
}

func (i *Item) key() int64 {
	if i.Kind == reconcile.KindInstallation {
		return i.Installation
	}
	return i.ID
}

// next is what the next round has to know of this one.
func (i *Item) next(result *reconcile.Result) {
	i.Carry, i.Needs, i.Begun = i.After(*result), 0, true
}
