// Package wiretap lets the playground's testing aid see everything that every playground of this process says, without
// an option that a test could forget. It is off unless a test turns it on.
package wiretap

import (
	"net/http"
	"net/url"
	"sync/atomic"
)

// Exchange is one REST call and its answer.
type Exchange struct {
	Method      string
	Path        string // without /api/v3, escaped; a repository's address by id is turned into the one by name
	Route       string // the pattern that it matched; empty: none
	Query       url.Values
	Header      http.Header
	Body        []byte
	Status      int
	Answer      http.Header
	AnswerBody  []byte
	Scripted    bool // the answer's body is a test's own (a fault with a body)
	Interrupted bool // a fault kept the call from the route
}

// Webhook is one delivery as it is sent.
type Webhook struct {
	Event, Action string
	Header        http.Header
	Payload       []byte
}

// Tap receives what is said. Both functions can be called at the same time from several goroutines.
type Tap struct {
	Exchange func(Exchange)
	Webhook  func(Webhook)
}

var current atomic.Pointer[Tap]

// Set turns a tap on, or off with nil.
func Set(t *Tap) { current.Store(t) }

// Saw passes a call on, if a tap is on.
func Saw(e func() Exchange) {
	if t := current.Load(); t != nil {
		t.Exchange(e())
	}
}

// Sent passes a webhook on, if a tap is on.
func Sent(w func() Webhook) {
	if t := current.Load(); t != nil {
		t.Webhook(w())
	}
}
