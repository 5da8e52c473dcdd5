package queue

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// BenchmarkKept shows what the queue keeps of deliveries that are done, for as long as GitHub may send them again: bytes on the disk and of
// memory for each. When they are too old, both are given back: left/delivery is what stays on the disk then.
//
//	go test ./app/queue -run '^$' -bench Kept -benchtime 1000000x -timeout 1h
func BenchmarkKept(b *testing.B) {
	q := open(b, Options{Dir: b.TempDir(), MaxBytes: 1 << 34})
	body := make([]byte, 400) // about what a request to reconcile an issue takes
	before := heapBytes()
	var next atomic.Int64
	var publishing sync.WaitGroup
	for range 64 {
		publishing.Go(func() {
			for i := next.Add(1); i <= int64(b.N); i = next.Add(1) {
				id := fmt.Sprintf("%08x-1111-2222-3333-444444444444/0123456789abcdef/0", i)
				if _, err := q.Publish(b.Context(), Task{ID: id, Repository: i % 200, Issue: int(i % 10_000), Body: body}); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	publishing.Wait()
	b.StopTimer()
	b.ReportMetric(float64(heapBytes()-before)/float64(b.N), "heap-B/delivery")
	b.ReportMetric(float64(diskOf(b, q.opts.Dir))/float64(b.N), "disk-B/delivery")

	cfg := q.tasks.CachedInfo().Config
	cfg.MaxAge, cfg.Duplicates = time.Second, time.Second
	if _, err := q.js.UpdateStream(b.Context(), cfg); err != nil {
		b.Fatal(err)
	}
	for info := (&jetstream.StreamInfo{State: jetstream.StreamState{Msgs: 1}}); info.State.Msgs > 0; {
		<-time.After(100 * time.Millisecond) // in real time, the server's
		var err error
		if info, err = q.tasks.Info(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(diskOf(b, q.opts.Dir))/float64(b.N), "left-B/delivery")
	b.ReportMetric(float64(heapBytes()-before)/float64(b.N), "left-heap-B/delivery")
}

func heapBytes() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

func diskOf(b *testing.B, dir string) (bytes int64) {
	b.Helper()
	if err := filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			bytes += info.Size()
		}
		return err
	}); err != nil {
		b.Fatal(err)
	}
	return bytes
}
