package ratelimit

import (
	"net/http"
	"strconv"
	"time"

	"github.com/gregjones/httpcache"
)

// hour is what GitHub reported last about the calls of the hour, by REST or by GraphQL:
// https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api#checking-the-status-of-your-rate-limit.
type hour struct {
	limit, remaining int
	reset            time.Time
	next             time.Time     // when the next call is due that keeps to the pace
	own              map[Class]int // the calls of this process that count, since it first saw this hour
	others           int           // the most calls that are known to be not this process's
	counted          time.Time     // when the others were counted last
}

// begins notes that GitHub counts a new hour. What others called in it has not been seen: it is of the last minute, or it is over.
func (h *hour) begins(now time.Time) {
	h.own, h.others, h.counted = map[Class]int{}, h.limit-h.remaining, now
	if now.Sub(h.reset.Add(-time.Hour)) < time.Minute {
		h.others = 0
	}
}

// notOwn returns how many calls GitHub counted that are not known to be this process's.
func (h *hour) notOwn() int {
	calls := h.limit - h.remaining
	for _, own := range h.own {
		calls -= own
	}
	return max(0, calls)
}

// byOthers returns how many calls others have made since it was asked last, or their share of the last minute if that is longer ago. Calls under
// way are not among them: GitHub can have counted them.
func (h *hour) byOthers(now time.Time, underWay int) int {
	more := max(0, h.notOwn()-underWay-h.others)
	if more > 0 {
		h.others += more
		more = int(int64(more) * int64(time.Minute) / int64(max(time.Minute, now.Sub(h.counted))))
	}
	h.counted = now
	return more
}

// Used says who used the calls of an installation's hour, by REST.
type Used struct {
	Limit int `json:"limit"`
	// People, Background, Questions and Board are what this process called, by class. Others is what else GitHub counted, by the last answer: other
	// replicas, programs next to the server, and this one before its start.
	People     int `json:"people"`
	Background int `json:"background"`
	Questions  int `json:"questions"`
	Board      int `json:"board"`
	Others     int `json:"others"`
	// Until is when GitHub begins to count the next hour.
	Until time.Time `json:"until"`
}

// Hours tells who used the calls of the hours that run, by installation.
func (l *Limiter) Hours() map[int64]Used {
	l.mu.Lock()
	defer l.mu.Unlock()
	hours := map[int64]Used{}
	for installation, b := range l.of {
		if h := &b.hour; l.clock.Now().Before(h.reset) {
			hours[installation] = Used{
				Limit: h.limit, People: h.own[People], Background: h.own[Background], Questions: h.own[Questions], Board: h.own[Board],
				Others: h.notOwn(), Until: h.reset.UTC(),
			}
		}
	}
	return hours
}

// For people the last fifth of the calls of an hour is spread evenly over the rest of it, so that its end is as good as its beginning. Requests
// can be ahead of that pace, but for the last calls.
const (
	spreadParts = 5
	aheadOfPace = 10 * time.Second
	lastCalls   = 10
)

func (h *hour) call(now time.Time) {
	if left := h.scarce(now, spreadParts); left > 0 {
		h.next = later(h.next, now).Add(left / time.Duration(max(1, h.remaining)))
	}
}

// scarce returns how long it is until there are more calls than one part of so many of an hour's; 0 if there are.
func (h *hour) scarce(now time.Time, parts int) time.Duration {
	if left := h.reset.Sub(now); left > 0 && h.remaining < h.limit/parts {
		return left
	}
	return 0
}

// wait returns how long a request has to wait that keeps to the pace of the hour.
func (h *hour) wait(now time.Time) time.Duration {
	switch left := h.reset.Sub(now); {
	case left <= 0:
		return 0
	case h.remaining < lastCalls:
		return left
	}
	return max(0, h.next.Add(-aheadOfPace).Sub(now))
}

// Observe keeps what GitHub tells about the calls of the hour.
func (l *Limiter) Observe(next http.RoundTripper) http.RoundTripper {
	return RoundTripperFunc(func(request *http.Request) (*http.Response, error) {
		g, ok := grantOf(request.Context())
		if !ok {
			return next.RoundTrip(request)
		}
		l.begins(g)
		response, err := next.RoundTrip(request)
		l.answered(g, response, err)
		return response, err //nolint:wrapcheck // a round tripper returns what it got
	})
}

func (l *Limiter) begins(g *Grant) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.budget(g.caller.Installation).underWay++
}

// answered keeps what an answer tells, and takes out of a minute's points what others have used since the answer before.
func (l *Limiter) answered(g *Grant, response *http.Response, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	b, now := l.budget(g.caller.Installation), l.clock.Now()
	b.underWay--
	if err != nil {
		return
	}
	b.told(now, response, g.caller.Class)
	if b.points != nil && b.lease == nil && b.hour.own != nil {
		b.usedByOthers(now, b.hour.byOthers(now, b.underWay), l.patient)
	}
}

// told keeps what the headers of an answer to a call of a class say, and counts the call, unless GitHub does not: a 304 is free, and an answer that
// was kept comes of one.
func (b *budget) told(now time.Time, response *http.Response, class Class) {
	var h *hour
	header := response.Header
	switch header.Get(headerResource) {
	case "core":
		h = &b.hour
	case "graphql":
		h = &b.graphqlHour
	default:
		return
	}
	limit, limitErr := strconv.Atoi(header.Get(headerLimit))
	remaining, remainingErr := strconv.Atoi(header.Get(headerRemaining))
	reset, resetErr := strconv.ParseInt(header.Get(headerReset), 10, 64)
	if limitErr != nil || remainingErr != nil || resetErr != nil {
		return
	}
	until := time.Unix(reset, 0)
	if !now.Before(until) { // a late answer, of an hour that is over
		return
	}
	fresh := h.own == nil || until.Sub(h.reset) >= time.Minute
	if h.limit, h.remaining, h.reset = limit, remaining, until; fresh {
		h.begins(now)
	}
	if response.StatusCode != http.StatusNotModified && header.Get(httpcache.XFromCache) == "" {
		h.own[class]++
	}
}

// reservedParts is into how many parts an hour is divided: what people wait for has the last.
const reservedParts = 10

// ReservedFor keeps background work off the last tenth of the calls of an hour, which are for what people wait for. It returns how
// long until there are more.
func (l *Limiter) ReservedFor(installation int64) time.Duration {
	return l.reserved(installation, reservedParts)
}

// SparedFor keeps what can as well be done in the next hour off the second half of the calls of an hour. It returns how long until there
// are more.
func (l *Limiter) SparedFor(installation int64) time.Duration { return l.reserved(installation, 2) }

// reserved returns how long it is until more than one part of so many is left of the calls of an hour.
func (l *Limiter) reserved(installation int64, parts int) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.budget(installation).hour.scarce(l.clock.Now(), parts)
}
