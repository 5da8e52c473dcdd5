package cli

import (
	"errors"
	"fmt"
	"net"
	"strings"
	"syscall"
	"testing"

	"github.com/colony-app/colony/app/config"
)

func TestEachErrorOfAStartEndsWithWhatToDo(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		err  error
		want string // the end of the first line
	}{
		{config.Config{}.Validate(), "-> write it like https://github.com"},
		{fmt.Errorf("server.address: %w", &net.OpError{Op: "listen", Err: syscall.EADDRINUSE}), "-> stop the process that listens there, or take another port"},
		{errors.New("open the queue: queue.dir: the folder is not writable"), "no other Colony uses"},
		{errors.Join(errors.New("queue.url: no such host"), errors.New("close the queue: late")), "may this account use it? \"colony doctor\" tries"},
		{errors.New("github.app.private_key: GitHub does not accept it: 401"), "General, Private keys"},
		{errors.New("work on the queue: gone"), "checks the queue"},
		{errors.New("register the queue's metrics: twice"), otherAdvice},
	} {
		first, _, _ := strings.Cut(withAdvice(c.err), "\n")
		if !strings.HasSuffix(first, c.want) {
			t.Errorf("%q ends with %q, not with %q", c.err, first, c.want)
		}
	}
	for line := range strings.SplitSeq(withAdvice(config.Config{}.Validate()), "\n") {
		if !strings.Contains(line, " -> ") {
			t.Errorf("nothing to do about %q", line)
		}
	}
}
