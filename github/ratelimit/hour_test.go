package ratelimit

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/gregjones/httpcache"
)

// anHourWith is an answer in an hour of which so many calls are used.
func anHourWith(used int, reset time.Time) *http.Response {
	header := http.Header{}
	for key, value := range map[string]string{headerResource: "core", headerLimit: "5000", headerRemaining: fmt.Sprint(5000 - used), headerReset: fmt.Sprint(reset.Unix())} {
		header.Set(key, value)
	}
	return &http.Response{StatusCode: http.StatusOK, Header: header, Body: http.NoBody}
}

// The calls of an hour are told apart: this process's by class, and what else GitHub counted. A 304 is free, and each hour begins with none.
func TestWhoUsedAnHour(t *testing.T) {
	t.Parallel()
	w := newWire(t, Settings{})
	reset, used, kept, status := began.Add(time.Hour), 100, "", http.StatusOK // others used 100 before
	w.answer = func(*http.Request) (*http.Response, error) {
		if kept == "" && status == http.StatusOK {
			used++
		}
		response := anHourWith(used, reset)
		response.StatusCode = status
		response.Header.Set(httpcache.XFromCache, kept) // the transport below turns a 304 into the answer that it has kept
		return response, nil
	}
	ask := func(class Class) {
		compare(t, "a call", "ok", w.asked(WithCaller(t.Context(), Caller{Installation: 7, Class: class}), http.MethodGet, "/x"))
	}
	compare(t, "nothing is known", map[int64]Used{}, w.Hours())
	for _, class := range []Class{People, People, Background, Questions, Board} {
		ask(class)
	}
	kept = "1"
	ask(People)
	kept, status = "", http.StatusNotModified // where a reader keeps answers itself, nothing turns it
	ask(People)
	status = http.StatusOK
	compare(t, "others used the hour before", map[int64]Used{7: {5000, 2, 1, 1, 1, 100, reset}}, w.Hours())
	used, kept = used+30, ""
	ask(Background)
	compare(t, "others go on", map[int64]Used{7: {5000, 2, 2, 1, 1, 130, reset}}, w.Hours())
	w.clock.Advance(time.Hour)
	compare(t, "the hour is over", map[int64]Used{}, w.Hours())
	reset, used = reset.Add(time.Hour), 0
	ask(Background)
	compare(t, "the next hour", map[int64]Used{7: {5000, 0, 1, 0, 0, 0, reset}}, w.Hours())
}
