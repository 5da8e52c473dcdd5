package handlers

import (
	"net/http"
	"sync"
	"time"

	"github.com/jonboulle/clockwork"
	"github.com/rs/zerolog"
)

// refusalInterval is how long nothing more is logged of webhooks that get the same answer.
const refusalInterval = time.Minute

// longestEvent is how much of the name of an event is logged: anybody can send a long one.
const longestEvent = 100

type refusals struct {
	clock clockwork.Clock
	log   zerolog.Logger
	do    map[Answer]string

	mu   sync.Mutex
	told map[Answer]toldRefusals
}

type toldRefusals struct {
	at   time.Time
	more int // refused since, and not logged
}

func newRefusals(clock clockwork.Clock, log zerolog.Logger) *refusals {
	do := map[Answer]string{}
	for _, a := range AnswerMeanings {
		do[a.Answer] = a.Do
	}
	return &refusals{clock: clock, log: log, do: do, told: map[Answer]toldRefusals{}}
}

func (r *refusals) tell(h http.Header, status int, answer Answer) {
	unlogged, tell := r.due(answer)
	if !tell {
		return
	}
	event := h.Get("X-GitHub-Event")
	r.log.Warn().Str("event", event[:min(len(event), longestEvent)]).Str("delivery", fitDelivery(h.Get("X-GitHub-Delivery"))).
		Int("status", status).Str("because", string(answer)).Int("more", unlogged).Str("do", r.do[answer]).Msg("a webhook is refused")
}

// due reports whether it is time to log, and how many refusals were not logged since the last time.
func (r *refusals) due(answer Answer) (unlogged int, due bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	told, known := r.told[answer]
	now := r.clock.Now()
	if known && now.Sub(told.at) < refusalInterval {
		told.more++
		r.told[answer] = told
		return 0, false
	}
	r.told[answer] = toldRefusals{at: now}
	return told.more, true
}
