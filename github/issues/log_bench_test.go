package issues

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/colony-app/colony/statemachine"
)

// What reading an issue costs the first time and again, and finding out where it stands, by the age of its log, which is full of legal moves. The last 50 events are on a page of their own.
func BenchmarkLog(b *testing.B) {
	life, err := statemachine.Shipped("colony")
	if err != nil {
		b.Fatal(err)
	}
	for _, events := range []int{50, 150, 1050, 5050} {
		b.Run(fmt.Sprintf("%d events", events), func(b *testing.B) {
			server := &logServer{id: 1}
			bytes, calls := 0, 0
			store, clock, stop := newLogStore(b, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				calls++
				server.ServeHTTP(counted{w, &bytes}, r)
			}))
			defer stop()
			states := []string{"colony:in-development", "colony:in-review", "colony:changes-requested"}
			for n := range events { // the new label is put on, the old one taken off
				server.happen([]string{"labeled", "unlabeled"}[n%2], states[(n/2+n%2*2)%len(states)], clock.Now())
			}
			clock.Advance(100 * time.Hour)
			read := func() View {
				view, err := store.Load(b.Context(), theIssue)
				if err != nil {
					b.Fatal(err)
				}
				return view
			}
			view := read()
			for name, before := range map[string]func(){"read first": store.pages.lists.InvalidateAll, "read again": func() {}} {
				b.Run(name, func(b *testing.B) {
					bytes, calls = 0, 0
					b.ReportAllocs()
					n := 0
					for b.Loop() {
						before()
						view = read()
						n++
					}
					b.ReportMetric(float64(calls)/float64(n), "calls/op")
					b.ReportMetric(float64(bytes)/float64(n), "answer-B/op")
				})
			}
			b.Run("fold", func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					life.Fold(view.History(clock.Now().Add(-72 * time.Hour)))
				}
			})
		})
	}
}

// counted counts the bytes of answers.
type counted struct {
	http.ResponseWriter
	bytes *int
}

func (c counted) Write(text []byte) (int, error) {
	*c.bytes += len(text)
	return c.ResponseWriter.Write(text)
}
