package connections

import (
	"bufio"
	"errors"
	"io"
	"net"
	"net/http"
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
	admit(4, "d", nil, false) // every one has a request under way
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
