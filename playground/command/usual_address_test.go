package command

import (
	"errors"
	"net"
	"strings"
	"testing"
)

func TestUsualAddressGivesWayToAnotherProgram(t *testing.T) {
	const usual UsualAddress = "127.0.0.1:7"
	taken := &net.OpError{Op: "listen", Err: errors.New("address already in use")}
	other := errors.New("another fault")
	for name, c := range map[string]struct {
		named  string
		fails  map[string]error
		asked  string // the address at which it listened last
		failed error
		says   bool
	}{
		"free":                     {"", nil, "127.0.0.1:7", nil, false},
		"in use":                   {"", map[string]error{"127.0.0.1:7": taken}, "127.0.0.1:0", nil, true},
		"another fault":            {"", map[string]error{"127.0.0.1:7": other}, "127.0.0.1:7", other, false},
		"named":                    {"127.0.0.1:8", nil, "127.0.0.1:8", nil, false},
		"named and in use":         {"127.0.0.1:8", map[string]error{"127.0.0.1:8": taken}, "127.0.0.1:8", taken, false},
		"no port is free anywhere": {"", map[string]error{"127.0.0.1:7": taken, "127.0.0.1:0": taken}, "127.0.0.1:0", taken, true},
	} {
		t.Run(name, func(t *testing.T) {
			last := ""
			asked, err := usual.Listen(c.named, func(address string) error {
				last = address
				return c.fails[address]
			})
			failed := c.failed
			if errors.Is(failed, taken) { // the error names the fix
				failed = UsageError("--address: " + taken.Error() + "; name another address, such as 127.0.0.1:0 for a free port")
			}
			if asked != c.asked || last != c.asked || !errors.Is(err, failed) {
				t.Errorf("it asked for %s, listened at %s, and failed with %v", asked, last, err)
			}
			var said strings.Builder
			usual.PrintMoved(&said, c.named, asked)
			if got := strings.Contains(said.String(), "127.0.0.1:7, so"); got != c.says {
				t.Errorf("it says %q", said.String())
			}
		})
	}
}
