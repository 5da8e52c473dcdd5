package queue

import (
	"strconv"
	"testing"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// BenchmarkPublish compares a publication with a bare one to the same server, both synced to the same disk.
func BenchmarkPublish(b *testing.B) {
	body := make([]byte, 1<<10)
	b.Run("queue", func(b *testing.B) {
		q := open(b, Options{})
		for i := 0; b.Loop(); i++ {
			if _, err := q.Publish(b.Context(), Task{ID: strconv.Itoa(i), Repository: 1, Issue: i % 100, Body: body}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("bare", func(b *testing.B) {
		q := open(b, Options{})
		if _, err := q.js.CreateStream(b.Context(), jetstream.StreamConfig{Name: "bare", Subjects: []string{"bare.>"}, MaxBytes: 1 << 28}); err != nil {
			b.Fatal(err)
		}
		for i := 0; b.Loop(); i++ {
			m := &nats.Msg{Subject: "bare." + strconv.Itoa(i%100), Data: body}
			if _, err := q.js.PublishMsg(b.Context(), m, jetstream.WithMsgID(strconv.Itoa(i))); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkOpen is the time that the queue adds to the start of the process.
func BenchmarkOpen(b *testing.B) {
	for _, bench := range []struct {
		name   string
		folder func(shared string) string
	}{
		{"empty", func(string) string { return b.TempDir() }},
		{"again", func(shared string) string { return shared }},
	} {
		b.Run(bench.name, func(b *testing.B) {
			shared := b.TempDir()
			for b.Loop() {
				b.StopTimer()
				dir := bench.folder(shared)
				b.StartTimer()
				q, err := Open(b.Context(), Options{Dir: dir})
				if err != nil {
					b.Fatal(err)
				}
				b.StopTimer()
				closed(b, q)
				b.StartTimer()
			}
		})
	}
}
