package connections

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestBounds(t *testing.T) {
	t.Parallel()
	b := New(2, 3)
	var conns [6]*conn
	for i := range conns {
		conns[i] = &conn{}
	}
	admit := func(i int, address string, closes net.Conn, ok bool) {
		t.Helper()
		if gotCloses, gotOK := b.admit(conns[i], address); gotCloses != closes || gotOK != ok {
			t.Errorf("connection %d: closes %v, admitted %t", i, gotCloses != nil, gotOK)
		}
	}
	admit(0, "a", nil, true)
	admit(1, "a", nil, true)
	b.Note(conns[0], http.StateActive)
	b.Note(conns[1], http.StateActive)
	admit(2, "b", nil, true)
	admit(3, "a", nil, false) // that of b is idle, and another's
	admit(3, "c", conns[2], true)
	b.Note(conns[3], http.StateActive)
	admit(4, "c", nil, false)     // every one has a request under way, and a has no more than c would have
	admit(4, "d", conns[0], true) // a has the most
	b.Note(conns[4], http.StateActive)
	admit(0, "e", nil, false) // every address has one
	b.end(conns[4])
	admit(0, "a", nil, true)
	b.Note(conns[1], http.StateIdle)
	b.Note(conns[0], http.StateIdle)
	admit(4, "d", conns[1], true) // idle for longer than 0
	b.end(conns[1])               // it gave its room already
	for _, i := range []int{0, 3, 4} {
		b.end(conns[i])
	}
	if len(b.open) != 0 || len(b.addresses) != 0 {
		t.Errorf("something is left: %v %v", b.open, b.addresses)
	}
}

func TestTheLongestBusyOfTheAddressWithTheMostGivesWay(t *testing.T) {
	t.Parallel()
	b := New(4, 6)
	conns := map[string]*conn{}
	for _, name := range []string{"a1", "b1", "a2", "b2", "a3", "c1"} {
		conns[name] = &conn{}
		if closes, ok := b.admit(conns[name], name[:1]); closes != nil || !ok {
			t.Fatalf("%s: closes %v, admitted %t", name, closes, ok)
		}
	}
	for _, name := range []string{"c1", "b1", "a2", "b2", "a1", "a3"} { // in this order their requests begin
		b.Note(conns[name], http.StateActive)
	}
	for _, c := range []struct{ comes, gives string }{{"d1", "a2"}, {"d2", "b1"}} {
		conns[c.comes] = &conn{}
		if closes, ok := b.admit(conns[c.comes], c.comes[:1]); closes != conns[c.gives] || !ok {
			t.Fatalf("for %s not %s gives way, or it has no room: %t", c.comes, c.gives, ok)
		}
		b.Note(conns[c.comes], http.StateActive)
		if c.comes == "d1" { // now b has as many as a
			b.end(conns["a1"])
			conns["b3"] = &conn{}
			if closes, ok := b.admit(conns["b3"], "b"); closes != nil || !ok {
				t.Fatal("b has no room")
			}
			b.Note(conns["b3"], http.StateActive)
		}
	}
}

func TestAnAddressTakesNoRoomOfThoseThatHaveLess(t *testing.T) {
	t.Parallel()
	b := New(4, 4)
	var conns [4]*conn
	for i, address := range []string{"a", "a", "b", "c"} {
		conns[i] = &conn{}
		b.admit(conns[i], address)
	}
	b.Note(conns[0], http.StateActive)
	b.Note(conns[1], http.StateActive)
	if closes, ok := b.admit(&conn{}, "a"); ok {
		t.Errorf("an idle connection of another gives way: %t", closes != nil)
	}
	if closes, ok := b.admit(&conn{}, "c"); closes != conns[3] || !ok {
		t.Errorf("its own idle connection does not give way: %t", ok)
	}
}

func TestTheConfigurationNamesTheBounds(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../config.yml")
	if err != nil {
		t.Fatal(err)
	}
	if want := fmt.Sprintf("Colony holds %d connections of one address and %d,%03d of all.", OfAddress, InAll/1000, InAll%1000); !strings.Contains(string(text), want) {
		t.Errorf("config.yml does not say %q", want)
	}
}

func TestTheFirstOfNewConnectionsGivesWay(t *testing.T) {
	t.Parallel()
	b, first, second := New(2, 2), &conn{}, &conn{}
	b.admit(first, "a")
	b.admit(second, "a")
	if closes, ok := b.admit(&conn{}, "a"); closes != first || !ok {
		t.Errorf("another gives way, or there is no room: %t", ok)
	}
}

// far is a connection from an address, of which only the end is used.
type far struct {
	net.Conn
	address net.Addr
	closed  bool
}

func (f *far) RemoteAddr() net.Addr { return f.address }
func (f *far) Close() error         { f.closed = true; return nil }

// queue is a listener that accepts some connections.
type queue struct {
	net.Listener
	conns []*far
}

func (q *queue) Accept() (net.Conn, error) {
	if len(q.conns) == 0 {
		return nil, net.ErrClosed
	}
	first := q.conns[0]
	q.conns = q.conns[1:]
	return first, nil
}

func TestConnectionsCountByHost(t *testing.T) {
	t.Parallel()
	from := func(ip string, port int) *far { return &far{address: &net.TCPAddr{IP: net.ParseIP(ip), Port: port}} }
	socket := &far{address: &net.UnixAddr{Name: "@", Net: "unix"}} // its address has no port
	b := New(1, 9)
	q := &queue{conns: []*far{from("192.0.2.1", 1), from("192.0.2.2", 1), from("2001:db8::1", 1), from("192.0.2.1", 2), socket}}
	all := slices.Clone(q.conns)
	l := b.Listen(q)
	accepted := map[*far]net.Conn{}
	for {
		c, err := l.Accept()
		if err != nil {
			if !errors.Is(err, net.ErrClosed) {
				t.Errorf("the listener's error is %v", err)
			}
			break
		}
		is, _ := c.(*conn)
		of, _ := is.Conn.(*far)
		accepted[of] = c
	}
	for i, want := range []bool{true, false, false, false, false} {
		if all[i].closed != want || accepted[all[i]] == nil {
			t.Errorf("connection %d: closed %t, want %t, or not accepted", i, all[i].closed, want)
		}
	}
	if len(b.addresses) != 4 || b.addresses["192.0.2.1"] != 1 || b.addresses["2001:db8::1"] != 1 || b.addresses["@"] != 1 {
		t.Errorf("the addresses are %v", b.addresses)
	}
	for _, c := range accepted {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
	if len(b.open) != 0 || !socket.closed {
		t.Errorf("%d connections are left after their end", len(b.open))
	}
}

func TestAWebhookFindsRoomAmongIdleConnections(t *testing.T) {
	t.Parallel()
	const room = 2
	bounds := New(room, room)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	idle := make(chan struct{}, room+1)
	busy, release := make(chan struct{}, room), make(chan struct{})
	server := &http.Server{
		ReadHeaderTimeout: time.Minute,
		ConnState: func(c net.Conn, state http.ConnState) {
			bounds.Note(c, state)
			if state == http.StateIdle {
				idle <- struct{}{}
			}
		},
		Handler: http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/busy" {
				busy <- struct{}{}
				<-release
			}
		}),
	}
	t.Cleanup(func() { close(release); _ = server.Close() })
	go func() { _ = server.Serve(bounds.Listen(l)) }()
	connect := func(path string) *bufio.Reader {
		c, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = c.Close() })
		_, _ = io.WriteString(c, "GET "+path+" HTTP/1.1\r\nHost: colony.test\r\n\r\n")
		return bufio.NewReader(c)
	}
	answered := func(r *bufio.Reader) {
		t.Helper()
		response, err := http.ReadResponse(r, nil)
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		<-idle
	}
	first := connect("/")
	answered(first)
	answered(connect("/"))
	answered(connect("/")) // the webhook
	if _, err := first.ReadByte(); !errors.Is(err, io.EOF) {
		t.Errorf("the connection that was idle for longest is still open: %v", err)
	}
	for range room {
		connect("/busy")
		<-busy
	}
	if _, err := connect("/").ReadByte(); err == nil {
		t.Error("a stranger is answered though there is no room")
	}
}
