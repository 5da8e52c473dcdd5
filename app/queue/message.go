package queue

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/nats-io/nats.go"
)

// Headers of a stored task.
const (
	headerID        = "Colony-Task"
	headerAttempt   = "Colony-Attempt"
	headerFailures  = "Colony-Failures"
	headerPublished = "Colony-Published"
	headerDue       = "Colony-Due"    // of a delayed task: when it goes back to the others
	headerGate      = "Colony-Gate"   // of a delayed task: where it waits
	headerRank      = "Colony-Rank"   // of a delayed task: its rank there
	headerReason    = "Colony-Reason" // of a delayed task: why it waits
	headerError     = "Colony-Error"  // of a dead letter: the last error
	headerDied      = "Colony-Died"   // of a dead letter: when it was given up

	// NATS's own, of a message in an atomic batch.
	headerBatch         = "Nats-Batch-Id"
	headerBatchSequence = "Nats-Batch-Sequence"
	headerBatchCommit   = "Nats-Batch-Commit"
)

const maxError = 1 << 10

func (t Task) validate() error {
	const maxID = 256
	unfit := func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) || r == unicode.ReplacementChar }
	switch {
	case t.ID == "" || len(t.ID) > maxID || strings.ContainsFunc(t.ID, unfit):
		return fmt.Errorf("task id %q: not 1 to %d bytes of text without spaces", t.ID, maxID)
	case t.Repository < 0 || t.Issue < 0:
		return fmt.Errorf("task %s: negative repository %d or issue %d", t.ID, t.Repository, t.Issue)
	}
	return nil
}

func (t Task) message(subject string) *nats.Msg {
	m := nats.NewMsg(subject)
	m.Data = t.Body
	// The server drops duplicates by this. Each time a task is requeued it is another message. With the attempt in front, no task's ID can be
	// confused with another task's later attempt.
	m.Header.Set(nats.MsgIdHdr, strconv.Itoa(t.Attempt)+"/"+t.ID)
	m.Header.Set(headerID, t.ID)
	m.Header.Set(headerAttempt, strconv.Itoa(t.Attempt))
	m.Header.Set(headerFailures, strconv.Itoa(t.Failures))
	m.Header.Set(headerPublished, formatTime(t.Published))
	return m
}

// parseTask reads a task back. The last two tokens of every subject are the repository and the issue.
func parseTask(subject string, h nats.Header, body []byte) (Task, error) {
	t := Task{ID: h.Get(headerID), Body: body}
	tokens := strings.Split(subject, ".")
	if len(tokens) < 3 {
		return t, fmt.Errorf("subject %q has no repository and issue", subject)
	}
	var errs [5]error
	t.Repository, errs[0] = strconv.ParseInt(tokens[len(tokens)-2], 10, 64)
	t.Issue, errs[1] = strconv.Atoi(tokens[len(tokens)-1])
	t.Attempt, errs[2] = strconv.Atoi(h.Get(headerAttempt))
	t.Failures, errs[3] = strconv.Atoi(h.Get(headerFailures))
	t.Published, errs[4] = parseTime(h.Get(headerPublished))
	for _, err := range errs {
		if err != nil {
			return t, fmt.Errorf("message on %s: %w", subject, err)
		}
	}
	return t, t.validate()
}

// write puts where a delayed task waits into its headers.
func (d delayed) write(h nats.Header) {
	h.Set(headerDue, formatTime(d.due))
	if d.reason != "" {
		h.Set(headerReason, d.reason)
	}
	if d.gate != "" {
		h.Set(headerGate, d.gate)
		h.Set(headerRank, strconv.Itoa(d.rank))
	}
}

// readDelayed reads it back. What cannot be read is left at zero.
func readDelayed(h nats.Header) (d delayed) {
	d.due, _ = parseTime(h.Get(headerDue))
	d.published, _ = parseTime(h.Get(headerPublished))
	d.gate = h.Get(headerGate)
	d.reason = h.Get(headerReason)
	d.rank, _ = strconv.Atoi(h.Get(headerRank))
	return d
}

func formatTime(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }

func parseTime(s string) (time.Time, error) {
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		return time.Time{}, fmt.Errorf("read a time: %w", err)
	}
	return t, nil
}

func headerText(s string) string {
	s = strings.Join(strings.FieldsFunc(s, unicode.IsControl), " ")
	if len(s) > maxError {
		s = strings.ToValidUTF8(s[:maxError], "") + " …"
	}
	return s
}
