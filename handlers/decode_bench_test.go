package handlers

import (
	"context"
	"testing"

	"github.com/google/go-github/v62/github"
	"github.com/rs/zerolog"
)

// BenchmarkDecode compares what a comment without a command costs here, the log line and all, with decoding the same
// payload into go-github's types alone.
func BenchmarkDecode(b *testing.B) {
	var payload []byte
	for _, e := range examples(b) {
		if e.Event == "issue_comment" && e.Server == "api.github.com" {
			payload = e.Payload
			break
		}
	}
	b.Run("handler", func(b *testing.B) {
		h := on(publisher{queue: &publisherStub{}, self: onlyColony{}, policies: &policiesStub{}, log: zerolog.Nop()}, "issue_comment", publisher.routeIssueComment)
		b.SetBytes(int64(len(payload)))
		b.ReportAllocs()
		for b.Loop() {
			if err := h.Handle(context.Background(), "issue_comment", "guid", payload); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("go-github", func(b *testing.B) {
		b.SetBytes(int64(len(payload)))
		b.ReportAllocs()
		for b.Loop() {
			if _, err := github.ParseWebHook("issue_comment", payload); err != nil {
				b.Fatal(err)
			}
		}
	})
}
