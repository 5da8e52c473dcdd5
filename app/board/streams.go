package board

import (
	"net"
	"net/http"
	"sync"
	"time"
)

// slowestRead is how long a browser can take for one event of a stream.
const slowestRead = 10 * time.Second

// The streams that can be open at a time. An address can be that of a proxy, so it has room for many people.
const (
	streamsOfPerson  = 32
	streamsOfAddress = 256
	streamsInAll     = 1024
)

// streams counts the open streams. Its zero value has none.
type streams struct {
	mu        sync.Mutex
	all       int
	people    map[string]int
	addresses map[string]int
}

// open counts one stream until its end is called, or returns the status that refuses it. A person without a name, on a board without sign-in,
// is bounded by address only.
func (s *streams) open(person, address string) (end func(), refused int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.people[person] >= streamsOfPerson && person != "", s.addresses[address] >= streamsOfAddress:
		return nil, http.StatusTooManyRequests
	case s.all >= streamsInAll:
		return nil, http.StatusServiceUnavailable
	}
	if s.people == nil {
		s.people, s.addresses = map[string]int{}, map[string]int{}
	}
	s.count(person, address, 1)
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.count(person, address, -1)
	}, 0
}

func (s *streams) count(person, address string, by int) {
	s.all += by
	add(s.people, person, by)
	add(s.addresses, address, by)
}

// add forgets who has none, so that the maps do not grow with those who left.
func add(counts map[string]int, key string, by int) {
	if counts[key] += by; counts[key] == 0 {
		delete(counts, key)
	}
}

// addressOf is the client's address: that of the connection.
func addressOf(r *http.Request) string {
	if host, _, err := net.SplitHostPort(r.RemoteAddr); err == nil {
		return host
	}
	return r.RemoteAddr
}
