// Package connections bounds the connections that a server holds, so strangers cannot keep webhooks out.
package connections

import (
	"net"
	"net/http"
	"sync"
)

// The connections that can be open at a time. An address can be that of a proxy, which needs room for the board's streams and for webhooks.
const (
	OfAddress = 512
	InAll     = 2048
)

// Bounds counts the open connections of one listener.
type Bounds struct {
	ofAddress, inAll int

	mu        sync.Mutex
	open      map[net.Conn]*held
	addresses map[string]int
	changes   uint64
}

type held struct {
	address string
	idle    bool   // it has no request under way
	since   uint64 // the change that made it so
}

// New returns the bounds of a listener.
func New(ofAddress, inAll int) *Bounds {
	return &Bounds{ofAddress: ofAddress, inAll: inAll, open: map[net.Conn]*held{}, addresses: map[string]int{}}
}

// admit counts a connection, or reports that it has no room. Where a bound is reached, the connection that was idle for longest gives its
// room, and the caller closes it. Without an idle one, the address with the most gives its longest busy one. An address takes only its own
// room, and the room of addresses with more connections.
func (b *Bounds) admit(conn net.Conn, address string) (closes net.Conn, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	has := b.addresses[address]
	if ofAddress := has >= b.ofAddress; ofAddress || len(b.open) >= b.inAll {
		closes = b.longest(func(h *held) bool {
			return h.idle && (h.address == address || !ofAddress && b.addresses[h.address] > has)
		})
		if most := b.most(); closes == nil && b.addresses[most] > has+1 {
			closes = b.longest(func(h *held) bool { return h.address == most })
		}
		if closes == nil {
			return nil, false
		}
		b.remove(closes)
	}
	b.changes++
	b.open[conn] = &held{address, true, b.changes}
	b.addresses[address]++
	return closes, true
}

// longest returns the matching connection that has been idle or busy for longest; nil if none matches.
func (b *Bounds) longest(matches func(*held) bool) (found net.Conn) {
	for c, h := range b.open {
		if matches(h) && (found == nil || h.since < b.open[found].since) {
			found = c
		}
	}
	return found
}

func (b *Bounds) most() (found string) {
	for address, n := range b.addresses {
		if n > b.addresses[found] {
			found = address
		}
	}
	return found
}

// Note keeps which connections are idle. It is for http.Server.ConnState.
func (b *Bounds) Note(conn net.Conn, state http.ConnState) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if h := b.open[conn]; h != nil {
		b.changes++
		h.idle, h.since = state == http.StateNew || state == http.StateIdle, b.changes
	}
}

func (b *Bounds) end(conn net.Conn) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.remove(conn)
}

// remove forgets an address that has no connection, which keeps the map small.
func (b *Bounds) remove(conn net.Conn) {
	h := b.open[conn]
	if h == nil {
		return
	}
	delete(b.open, conn)
	b.addresses[h.address]--
	if b.addresses[h.address] == 0 {
		delete(b.addresses, h.address)
	}
}

// Listen accepts only the connections of a listener that have room, and closes the others.
func (b *Bounds) Listen(l net.Listener) net.Listener { return &listener{l, b} }

type listener struct {
	net.Listener
	bounds *Bounds
}

func (l *listener) Accept() (net.Conn, error) {
	for {
		accepted, err := l.Listener.Accept()
		if err != nil {
			return nil, err //nolint:wrapcheck // http.Server compares it
		}
		c := &conn{accepted, l.bounds}
		closes, ok := l.bounds.admit(c, addressOf(accepted))
		if closes != nil {
			_ = closes.Close()
		}
		if ok {
			return c, nil
		}
		_ = accepted.Close()
	}
}

type conn struct {
	net.Conn
	bounds *Bounds
}

func (c *conn) Close() error {
	c.bounds.end(c)
	return c.Conn.Close() //nolint:wrapcheck // http.Server compares it
}

func addressOf(c net.Conn) string {
	address := c.RemoteAddr().String()
	if host, _, err := net.SplitHostPort(address); err == nil {
		return host
	}
	return address
}
