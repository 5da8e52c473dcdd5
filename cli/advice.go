package cli

import (
	"errors"
	"strings"
	"syscall"
)

// remedies say what to do about a setting with which Colony did not start or work, where the message does not say so itself. The first row whose
// words are in a line counts.
var remedies = []struct{ words, do string }{
	{"github.app.private_key:", "set it to a key of this App, made in its settings, General, Private keys"},
	{"github.app.integration_id:", "compare it with the App's settings, and github.v3_api_url with the server"},
	{"server.address:", "write it like :8080, with a port that is free and that Colony's user may use"},
	{"queue.dir:", "make it a folder that Colony's user can write to, and that no other Colony uses"},
	{"queue.url:", "does the cluster run, does it have JetStream, and may this account use it? \"colony doctor\" tries"},
	{"queue.concurrency:", "change it in the configuration"},
	{"queue.max_bytes:", "change it in the configuration"},
	{"receive webhooks:", "start Colony again: it asks GitHub for what it missed, and does what its queue still holds"},
	{"work on the queue:", "start Colony again: the queue holds what is not done; if it stays, \"colony doctor\" checks the queue"},
}

// otherAdvice is for what no row is about.
const otherAdvice = `"colony doctor" with the same configuration says more`

func withAdvice(err error) string {
	text := strings.TrimSpace(err.Error())
	if strings.Contains(text, "-> ") {
		return text
	}
	if errors.Is(err, syscall.EADDRINUSE) {
		return text + " -> stop the process that listens there, or take another port"
	}
	lines, advised := strings.Split(text, "\n"), false
	for i, line := range lines {
		for _, row := range remedies {
			if strings.Contains(line, row.words) {
				lines[i], advised = line+" -> "+row.do, true
				break
			}
		}
	}
	if !advised {
		return text + " -> " + otherAdvice
	}
	return strings.Join(lines, "\n")
}
