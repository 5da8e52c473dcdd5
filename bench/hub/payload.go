package hub

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"strconv"
	"strings"
)

// payloadText is how long an issue's text is, so that a webhook is about as long as GitHub's, 12.8 KB.
const payloadText = 3200

// Delivery is a webhook ready to be sent.
type Delivery struct {
	Event     string
	Body      []byte
	Signature string
	ID        string
}

// Label changes a label of an issue as a person, and returns the webhook that tells of it.
func (h *Hub) Label(n int, label string, added bool) Delivery {
	h.mu.Lock()
	defer h.mu.Unlock()
	i := h.issues[n-1]
	h.change(i, label, added, Person)
	e := i.events[len(i.events)-1]
	var v values
	h.fill(&v, i)
	v[event], v[rawLabel], v[rawUser] = e.kind(), h.labelJSON(label), h.objects.people[Person]
	return signed("issues", h.objects.labelPayload.render(nil, &v))
}

// Comment comments on an issue as somebody, and returns the webhook that tells of it.
func (h *Hub) Comment(n int, text, by string) Delivery {
	h.mu.Lock()
	defer h.mu.Unlock()
	i := h.issues[n-1]
	c := h.say(i, text, by)
	var v values
	h.fill(&v, i)
	h.fillComment(&v, i, c)
	return signed("issue_comment", h.objects.commentPayload.render(nil, &v))
}

func (h *Hub) fillComment(v *values, i *issue, c comment) {
	v[number], v[rawID], v[body] = strconv.Itoa(i.number), strconv.FormatInt(c.id, 10), escaped(c.body)
	v[created], v[rawUser] = stamp(c.at), h.objects.people[c.by]
}

func signed(event string, text []byte) Delivery {
	mac := hmac.New(sha256.New, []byte(Secret))
	mac.Write(text)
	return Delivery{Event: event, ID: rand.Text(), Body: text, Signature: "sha256=" + hex.EncodeToString(mac.Sum(nil))}
}

// textOf is a text of a length, as people write them.
func textOf(length int) string {
	const sentence = "When the handle is turned to the left, the widget stops, and the lamp goes on as it should. "
	return strings.Repeat(sentence, length/len(sentence)+1)[:length]
}

// accountLike is the JSON of an account like another one's.
func accountLike(other, login, kind string, id int) string {
	other = identifiers.ReplaceAllString(other, `"id":`+strconv.Itoa(id))
	other = strings.ReplaceAll(other, `"type":"User"`, `"type":"`+kind+`"`)
	return strings.ReplaceAll(other, Person, login)
}

var identifiers = regexp.MustCompile(`"id":\d+`)
