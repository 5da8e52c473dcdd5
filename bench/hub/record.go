package hub

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/colony-app/colony/playground"
)

// recorded are GitHub's objects as the playground writes them.
type recorded struct {
	issue, label, labelEvent, comment *template
	labelPayload, commentPayload      *template
	people                            map[string]string // JSON of each account, by login
}

type object = map[string]any

// recorder makes templates by acting on a playground.
type recorder struct {
	ctx        context.Context
	playground *playground.Playground
	address    string
	login      string
	err        error
}

// call acts as a person, and returns what the playground answered.
func (r *recorder) call(method, path string, body any) any {
	if r.err != nil {
		return nil
	}
	text, _ := json.Marshal(body) // plain values
	request, err := http.NewRequestWithContext(r.ctx, method, r.address+"/api/v3/repos/"+Owner+"/"+Repository+path, bytes.NewReader(text))
	if err != nil {
		r.err = fmt.Errorf("record %s: %w", path, err)
		return nil
	}
	request.Header.Set("Authorization", "token "+r.playground.Token(r.login))
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		r.err = fmt.Errorf("record %s: %w", path, err)
		return nil
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	var value any
	if err = errors.Join(err, json.Unmarshal(answer, &value)); err != nil || response.StatusCode >= http.StatusMultipleChoices {
		r.err = fmt.Errorf("record %s: %s: %.200s: %w", path, response.Status, answer, err)
	}
	return value
}

// payload is that of the newest webhook of a kind.
func (r *recorder) payload(event, action string) object {
	all := r.playground.Deliveries()
	for i := len(all) - 1; i >= 0 && r.err == nil; i-- {
		if d := all[i]; d.Event == event && d.Action == action {
			var payload object
			r.err = json.Unmarshal(d.Payload, &payload)
			return payload
		}
	}
	r.err = errors.Join(r.err, fmt.Errorf("record: no webhook %s.%s came", event, action))
	return object{}
}

func (r *recorder) compile(value any) *template {
	if r.err != nil {
		return nil
	}
	t, err := compile(value)
	r.err = err
	return t
}

// account is the JSON of an account.
func (r *recorder) account(value any) string {
	text, err := json.Marshal(value)
	r.err = errors.Join(r.err, err)
	return string(text)
}

// record opens an issue on the playground, changes it in every way that the hub knows, and keeps what was answered and sent.
func (r *recorder) record() (*recorded, error) {
	all := &recorded{people: map[string]string{}}
	_ = r.call(http.MethodPost, "/issues", object{"title": "A widget", "body": "It turns.", "labels": []string{"bug"}})
	labels := r.call(http.MethodPost, "/issues/1/labels", object{"labels": []string{"documentation"}})
	labelPayload := r.payload("issues", "labeled")
	comment := r.call(http.MethodPost, "/issues/1/comments", object{"body": "Hello."})
	commentPayload := r.payload("issue_comment", "created")
	events := r.call(http.MethodGet, "/issues/1/events", nil)
	issue := r.call(http.MethodGet, "/issues/1", nil)
	if r.err != nil {
		return nil, r.err
	}
	all.people[r.login] = r.account(issue.(object)["user"])
	list := events.([]any)
	all.issue = r.compile(issuePlaces(issue.(object)))
	all.label = r.compile(labelPlaces(labels.([]any)[0].(object)))
	all.comment = r.compile(commentPlaces(comment.(object)))
	all.labelEvent = r.compile(eventPlaces(list[len(list)-1].(object)))
	labelPayload["action"], labelPayload["issue"] = event.in(), issuePlaces(labelPayload["issue"].(object))
	labelPayload["label"], labelPayload["sender"] = rawLabel.in(), rawUser.in()
	all.labelPayload = r.compile(labelPayload)
	commentPayload["issue"], commentPayload["comment"] = issuePlaces(commentPayload["issue"].(object)), commentPlaces(commentPayload["comment"].(object))
	commentPayload["sender"] = rawUser.in()
	// Two texts in one payload: the issue's own is left as it was recorded.
	commentPayload["issue"].(object)["body"] = strings.Repeat("The widget turns. ", payloadText/18)
	all.commentPayload = r.compile(commentPayload)
	return all, r.err
}

// atNumber puts the place of an issue's number into an address of the recorded issue, or below it.
func atNumber(address string) string {
	address = strings.ReplaceAll(address, "/issues/1/", "/issues/"+number.in()+"/")
	if rest, cut := strings.CutSuffix(address, "/issues/1"); cut {
		address = rest + "/issues/" + number.in()
	}
	return address
}

func issuePlaces(o object) object {
	o = rewrite(o, atNumber).(object)
	o["number"], o["id"], o["node_id"] = rawNumber.in(), rawNumber.in(), "I_"+number.in()
	o["title"], o["body"], o["labels"], o["comments"] = title.in(), body.in(), rawLabels.in(), rawComments.in()
	o["created_at"], o["updated_at"] = "2026-01-05T08:00:00Z", updated.in()
	return o
}

func labelPlaces(o object) object {
	at, _ := o["url"].(string)
	o["url"], o["name"], o["id"], o["node_id"] = at[:strings.LastIndexByte(at, '/')+1]+title.in(), title.in(), rawID.in(), "LA_"+title.in()
	o["default"] = false
	return o
}

func eventPlaces(o object) object {
	at, _ := o["url"].(string)
	o["url"] = at[:strings.LastIndexByte(at, '/')+1] + title.in()
	o["id"], o["node_id"], o["event"], o["actor"], o["created_at"] = rawID.in(), "E_"+title.in(), event.in(), rawUser.in(), created.in()
	o["label"].(object)["name"] = body.in()
	return o
}

func commentPlaces(o object) object {
	o = rewrite(o, atNumber).(object)
	o["id"], o["node_id"], o["body"], o["user"], o["created_at"], o["updated_at"] = rawID.in(), "IC_"+number.in(), body.in(), rawUser.in(), created.in(), created.in()
	return o
}
