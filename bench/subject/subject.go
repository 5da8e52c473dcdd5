// Package subject has the programs that "colony bench" runs beside Colony: what any receiver of webhooks pays at least, and the least that
// does Colony's calls. Each runs in a process of its own.
package subject

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"sync"
	"time"
)

// Hook is the path at which every subject receives webhooks, as Colony does.
const Hook = "/api/github/hook"

// Serve answers webhooks with a handler, and says at /readyz that it does, until ctx ends.
func Serve(ctx context.Context, address string, handler http.Handler) error {
	mux := http.NewServeMux()
	mux.Handle("POST "+Hook, handler)
	mux.HandleFunc("GET /readyz", func(http.ResponseWriter, *http.Request) {})
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
	if err != nil {
		return fmt.Errorf("listen for webhooks: %w", err)
	}
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	defer context.AfterFunc(ctx, func() { _ = server.Close() })()
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("receive webhooks: %w", err)
	}
	return nil
}

// Floor checks the signature of a webhook, and does nothing else.
func Floor(secret string, then func(body []byte) error) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 25<<20))
		if err != nil {
			http.Error(w, "the body could not be read", http.StatusBadRequest)
			return
		}
		mac := hmac.New(sha256.New, []byte(secret))
		mac.Write(body)
		if !hmac.Equal([]byte("sha256="+hex.EncodeToString(mac.Sum(nil))), []byte(r.Header.Get("X-Hub-Signature-256"))) {
			http.Error(w, "the signature is wrong", http.StatusUnauthorized)
			return
		}
		if err := then(body); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.WriteHeader(http.StatusAccepted)
	})
}

// Nothing is done with a webhook.
func Nothing([]byte) error { return nil }

// AppendTo appends each webhook to a file, and returns once it is on the disk.
func AppendTo(path string) (func(body []byte) error, error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open the file: %w", err)
	}
	var mu sync.Mutex
	return func(body []byte) error {
		mu.Lock()
		defer mu.Unlock()
		if _, err := file.Write(body); err != nil {
			return fmt.Errorf("append: %w", err)
		}
		if err := file.Sync(); err != nil {
			return fmt.Errorf("sync: %w", err)
		}
		return nil
	}, nil
}
