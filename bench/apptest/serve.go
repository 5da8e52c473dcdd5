package apptest

import (
	"net"
	"net/http"
	"testing"
	"time"
)

// Serve serves a handler until the test ends, and returns its address. A server of net/http/httptest also closes the idle connections of the
// default transport as it ends, which breaks requests of tests that run at the same time.
func Serve(t testing.TB, handler http.Handler) (address string) {
	t.Helper()
	var config net.ListenConfig
	listener, err := config.Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: handler, ReadHeaderTimeout: time.Minute}
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(func() { _ = server.Close() })
	return "http://" + listener.Addr().String()
}
