package board

import (
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
)

func TestStreamsAreBounded(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		who  func(i int) (person, address string)
		room int
		want int
	}{
		"by person":  {func(i int) (string, string) { return "ada", strconv.Itoa(i) }, streamsOfPerson, http.StatusTooManyRequests},
		"by address": {func(i int) (string, string) { return strconv.Itoa(i), "192.0.2.1" }, streamsOfAddress, http.StatusTooManyRequests},
		"nameless":   {func(int) (string, string) { return "", "192.0.2.1" }, streamsOfAddress, http.StatusTooManyRequests},
		"in all":     {func(i int) (string, string) { return strconv.Itoa(i), strconv.Itoa(i) }, streamsInAll, http.StatusServiceUnavailable},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var s streams
			var ends []func()
			for i := range c.room {
				end, refused := s.open(c.who(i))
				if refused != 0 {
					t.Fatalf("stream %d is refused with %d", i, refused)
				}
				ends = append(ends, end)
			}
			if _, refused := s.open(c.who(c.room)); refused != c.want {
				t.Errorf("one too many gets %d, want %d", refused, c.want)
			}
			ends[0]()
			end, refused := s.open(c.who(0))
			if refused != 0 {
				t.Fatalf("the room of an ended stream is not given again: %d", refused)
			}
			ends[0] = end
			for _, end := range ends {
				end()
			}
			if s.all != 0 || len(s.people) != 0 || len(s.addresses) != 0 {
				t.Errorf("something is left: %d %v %v", s.all, s.people, s.addresses)
			}
		})
	}
}

func TestStreamsCountByHost(t *testing.T) {
	t.Parallel()
	for remote, want := range map[string]string{"192.0.2.1:4711": "192.0.2.1", "[2001:db8::1]:80": "2001:db8::1", "@": "@"} {
		if got := addressOf(&http.Request{RemoteAddr: remote}); got != want {
			t.Errorf("%s counts as %s, want %s", remote, got, want)
		}
	}
}

func TestThePageNamesTheBounds(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/board.md")
	if err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf("A person can have %d pages with a stream of changes open at a time, an address %d, and all people %d,%03d.",
		streamsOfPerson, streamsOfAddress, streamsInAll/1000, streamsInAll%1000)
	if !strings.Contains(string(text), want) {
		t.Errorf("docs/board.md does not say %q", want)
	}
	if want := fmt.Sprintf("does not read an event within %d s", slowestRead/time.Second); !strings.Contains(string(text), want) {
		t.Errorf("docs/board.md does not say %q", want)
	}
}
