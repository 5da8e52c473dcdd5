package board

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/colony-app/colony/app/access"
)

// adasGate knows a person who may read everything.
type adasGate struct{}

func (adasGate) Viewer(http.ResponseWriter, *http.Request) (Viewer, bool) {
	return Viewer{Viewer: access.Viewer{Login: "ada"}}, true
}

// pagesOfAda also reports the end of each request.
func pagesOfAda() (pages *Pages, handler http.Handler, ended chan struct{}) {
	index, clock := newIndex(0)
	pages = NewPages(Options{Index: index, Gate: adasGate{}, Clock: clock, Log: zerolog.Nop()})
	ended = make(chan struct{}, 2*streamsOfPerson)
	answer := pages.Handler()
	return pages, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() { ended <- struct{}{} }()
		answer.ServeHTTP(w, r)
	}), ended
}

func TestAPersonsStreamsAreBoundedOverHTTP(t *testing.T) {
	t.Parallel()
	pages, handler, ended := pagesOfAda()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	t.Cleanup(pages.Close) // a server waits for its streams
	ask := func() (*http.Response, context.CancelFunc) {
		ctx, cancel := context.WithCancel(t.Context())
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, server.URL+Root+"/-/changes", http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		response, err := server.Client().Do(request)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { cancel(); _ = response.Body.Close() })
		return response, cancel
	}
	var closeFirst context.CancelFunc
	for i := range streamsOfPerson {
		response, cancel := ask()
		if response.StatusCode != http.StatusOK {
			t.Fatalf("stream %d gets %d", i+1, response.StatusCode)
		}
		if i == 0 {
			closeFirst = cancel
		}
	}
	response, _ := ask()
	if response.StatusCode != http.StatusTooManyRequests || response.Header.Get("Retry-After") == "" {
		t.Errorf("one too many gets %d, Retry-After %q", response.StatusCode, response.Header.Get("Retry-After"))
	}
	<-ended
	closeFirst()
	<-ended
	if response, _ := ask(); response.StatusCode != http.StatusOK {
		t.Errorf("a closed stream frees no place: %d", response.StatusCode)
	}
}

// pipe is a listener with one connection, which has no buffers: a write lasts until it is read.
type pipe struct {
	net.Conn
	accepted chan net.Conn
}

func (p pipe) Accept() (net.Conn, error) {
	if conn, ok := <-p.accepted; ok {
		return conn, nil
	}
	return nil, net.ErrClosed
}
func (p pipe) Addr() net.Addr { return p.LocalAddr() }

// Close leaves the connection open.
func (pipe) Close() error { return nil }

// boundedWriter notes what is written, and when the time for it is set.
type boundedWriter struct {
	*httptest.ResponseRecorder
	said []string
}

func (w *boundedWriter) SetReadDeadline(time.Time) error { return nil }

func (w *boundedWriter) SetWriteDeadline(time.Time) error {
	w.said = append(w.said, "deadline")
	return nil
}

func (w *boundedWriter) Write(p []byte) (int, error) {
	w.said = append(w.said, "write")
	return w.ResponseRecorder.Write(p)
}

// A stream lasts for longer than a write can take: its end, which the server writes, has a time of its own.
func TestTheEndOfAStreamHasItsTime(t *testing.T) {
	t.Parallel()
	pages, handler, _ := pagesOfAda()
	pages.Close()
	w := &boundedWriter{ResponseRecorder: httptest.NewRecorder()}
	handler.ServeHTTP(w, httptest.NewRequest(http.MethodGet, Root+"/-/changes", http.NoBody))
	if want := []string{"deadline", "write", "deadline"}; !slices.Equal(w.said, want) {
		t.Errorf("it does %v, want %v", w.said, want)
	}
}

func TestAReaderWhoNeverReadsIsDropped(t *testing.T) {
	t.Parallel()
	pages, handler, ended := pagesOfAda()
	pages.slowest = time.Millisecond
	here, there := net.Pipe()
	accepted := make(chan net.Conn, 1)
	accepted <- there
	close(accepted)
	server := &http.Server{Handler: handler, ReadHeaderTimeout: time.Minute}
	t.Cleanup(func() { _ = here.Close(); _ = server.Close() })
	go func() { _ = server.Serve(pipe{there, accepted}) }()
	if _, err := io.WriteString(here, "GET "+Root+"/-/changes HTTP/1.1\r\nHost: colony.test\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	<-ended // never, if the write has no deadline
	if pages.streams.all != 0 {
		t.Errorf("%d streams are left", pages.streams.all)
	}
}
