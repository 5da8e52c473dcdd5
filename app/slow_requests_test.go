package app_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/app/connections"
)

// door is a listener that also accepts the connections of attackers.
type door struct {
	net.Listener
	accepted chan accepted
	closed   chan struct{}
	close    sync.Once
}

type accepted struct {
	conn net.Conn
	err  error
}

func newDoor(l net.Listener) *door {
	d := &door{Listener: l, accepted: make(chan accepted), closed: make(chan struct{})}
	go func() {
		for {
			conn, err := l.Accept()
			if !d.takes(accepted{conn, err}) || err != nil {
				return
			}
		}
	}()
	return d
}

func (d *door) takes(a accepted) bool {
	select {
	case d.accepted <- a:
		return true
	case <-d.closed:
		return false
	}
}

func (d *door) Accept() (net.Conn, error) {
	select {
	case a := <-d.accepted:
		return a.conn, a.err
	case <-d.closed:
		return nil, net.ErrClosed
	}
}

func (d *door) Close() error {
	d.close.Do(func() { close(d.closed) })
	return d.Listener.Close()
}

// attacker is a connection whose deadlines come when the test says. It has no buffers: a write lasts until it is read.
type attacker struct {
	net.Conn // the server's end
	far      net.Conn
	address  net.Addr
	dropped  chan struct{}
	drop     sync.Once

	mu          sync.Mutex
	read, write time.Duration // what the server gives the attacker; 0: no bound
	passed      time.Duration
}

// over is a deadline that has come.
var over = time.Unix(1, 0)

func newAttacker(address net.Addr) *attacker {
	near, far := net.Pipe()
	return &attacker{Conn: near, far: far, address: address, dropped: make(chan struct{})}
}

func (a *attacker) RemoteAddr() net.Addr { return a.address }

func (a *attacker) Close() error {
	a.drop.Do(func() { close(a.dropped) })
	return a.Conn.Close()
}

// bound keeps a deadline that is to come, and returns the one that holds now. After so much time as has passed, it has come.
func (a *attacker) bound(into *time.Duration, deadline time.Time) time.Time {
	a.mu.Lock()
	defer a.mu.Unlock()
	*into = max(time.Until(deadline), 0)
	switch {
	case deadline.IsZero() || *into == 0:
		return deadline
	case *into <= a.passed:
		return over
	}
	return time.Time{}
}

func (a *attacker) SetReadDeadline(deadline time.Time) error {
	return a.Conn.SetReadDeadline(a.bound(&a.read, deadline))
}

func (a *attacker) SetWriteDeadline(deadline time.Time) error {
	return a.Conn.SetWriteDeadline(a.bound(&a.write, deadline))
}

// pass lets a time pass, and the deadlines come that the server set within it.
func (a *attacker) pass(within time.Duration) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.passed = within
	if a.read > 0 && a.read <= within {
		_ = a.Conn.SetReadDeadline(over) // it may be dropped
	}
	if a.write > 0 && a.write <= within {
		_ = a.Conn.SetWriteDeadline(over)
	}
}

// isDroppedSoon waits for the server, which has nothing to wait for.
func (a *attacker) isDroppedSoon(t *testing.T) bool {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	select {
	case <-a.dropped:
		return true
	case <-ctx.Done():
		return false
	}
}

func (a *attacker) isDropped() bool {
	select {
	case <-a.dropped:
		return true
	default:
		return false
	}
}

// Four addresses take all connections that they can have, and more of them than a server has. What each sends stops in the headers, or
// in the body, or is whole, and the answer is never read.
func TestSlowRequestsKeepNobodyOut(t *testing.T) {
	w := newWorldWithoutColony(t, withSignIn)
	var front *door
	w.listening = func(l net.Listener) net.Listener {
		front = newDoor(l)
		return front
	}
	w.makeLabels()
	w.start()
	w.install()
	i := w.open("olivia", "", "colony:new")
	w.Settle()
	olivia := w.browser().signsIn("olivia", "/board").sees(http.StatusOK, "Sign out")

	const addresses = 4
	post := "POST /api/github/hook HTTP/1.1\r\nHost: colony.test\r\nX-Hub-Signature-256: sha256=" + strings.Repeat("0", 64) + "\r\n"
	headers, answers := post+"X-Slow: ", "GET /metrics HTTP/1.1\r\nHost: colony.test\r\n\r\n"
	small, large := post+"Content-Length: 1000\r\n\r\n", post+"Content-Length: 262144\r\n\r\n"
	unsized := post + "Transfer-Encoding: chunked\r\n\r\n4000\r\n"
	for _, attack := range []struct {
		name  string
		sends []string
	}{
		{"headers", []string{headers}},
		{"bodies", []string{small}},
		{"large bodies", []string{large}},
		{"bodies of an unknown size", []string{unsized}},
		{"answers", []string{answers}},
		{"everything", []string{headers, answers, large, small, unsized}},
	} {
		var attackers []*attacker
		var sending sync.WaitGroup
		step := func() {
			for i, a := range attackers {
				if sends := attack.sends[i%len(attack.sends)]; sends != answers {
					sending.Go(func() { _, _ = io.WriteString(a.far, "0") }) // the server drops some, and must not answer others
				}
			}
		}
		for port := range connections.OfAddress {
			for host := range addresses {
				a := newAttacker(&net.TCPAddr{IP: net.IPv4(192, 0, 2, byte(host)), Port: port})
				if !front.takes(accepted{a, nil}) {
					t.Fatal("the server listens no more")
				}
				_, _ = io.WriteString(a.far, attack.sends[len(attackers)%len(attack.sends)]) // some are dropped before
				attackers = append(attackers, a)
			}
		}
		step()

		before := len(w.github.Deliveries())
		_, _, err := w.As("olivia").Issues.CreateComment(ctx, "acme", "widgets", i.Number, &github.IssueComment{Body: new("Hello.")})
		w.Must(err)
		w.Quiet()
		for _, d := range w.github.Deliveries()[before:] {
			if d.StatusCode/100 != 2 {
				t.Errorf("%s: the webhook %s.%s is answered %d %s", attack.name, d.Event, d.Action, d.StatusCode, d.Status)
			}
		}
		if len(w.github.Deliveries()) == before {
			t.Errorf("%s: there was no webhook", attack.name)
		}
		olivia.gets("/board").sees(http.StatusOK, "Sign out")

		step()
		left := 0
		for _, a := range attackers {
			if !a.isDropped() {
				left++
			}
		}
		if left < len(attackers)/2 {
			t.Errorf("%s: before any deadline %d of %d are left, which is no attack", attack.name, left, len(attackers))
		}
		for _, a := range attackers {
			a.pass(10 * time.Second)
		}
		for i, a := range attackers {
			if attack.sends[i%len(attack.sends)] == headers && !a.isDroppedSoon(t) {
				t.Fatalf("%s: who sends no whole headers within ten seconds is not dropped", attack.name)
			}
		}
		for _, a := range attackers {
			a.pass(time.Minute)
		}
		for _, a := range attackers {
			if !a.isDroppedSoon(t) {
				t.Fatalf("%s: who sends no whole body, or reads no answer, within a minute is not dropped", attack.name)
			}
			_ = a.far.Close()
		}
		sending.Wait()
	}
}
