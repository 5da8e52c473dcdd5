package notify

import (
	"fmt"
	"strings"
	"time"
)

// DigestName is what a digest is, of the header X-Colony-Event.
const DigestName = "digest"

// Digest is what needs a person over some repositories, once a day. Its JSON is documented, and on disks.
type Digest struct {
	Schema int       `json:"schema"`
	ID     string    `json:"id"` // the same for the webhook's whole day
	Event  string    `json:"event"`
	At     time.Time `json:"at"`
	// Waiting is how many issues wait for a person, and Needs for how many it is what.
	Waiting int            `json:"waiting"`
	Needs   map[string]int `json:"needs"`
	// Issues are the issues that have waited the longest, mostWaiting at most.
	Issues []Waiting `json:"issues"`
}

// Waiting is an issue that waits for a person.
type Waiting struct {
	Repo    string    `json:"repo"`
	Issue   int       `json:"issue"`
	Title   string    `json:"title"`
	URL     string    `json:"url"`
	State   string    `json:"state"`
	Need    string    `json:"need"`
	Since   time.Time `json:"since"`
	Who     []string  `json:"who"`
	Command string    `json:"command,omitempty"`
}

// The bounds of what a digest lists: in JSON, and in a text for a chat.
const (
	mostWaiting     = 100
	mostWaitingText = 20
)

// NewDigest returns the digest of a day for a webhook. all are the issues that wait, the longest first.
func NewDigest(webhook, day string, at time.Time, all []Waiting) Digest {
	d := Digest{
		Schema: Schema, ID: "digest-" + webhook + "-" + day, Event: DigestName, At: at.UTC().Truncate(time.Second), Waiting: len(all),
		Needs: map[string]int{}, Issues: all[:min(mostWaiting, len(all))],
	}
	for _, w := range all {
		d.Needs[w.Need]++
	}
	return d
}

// digestText says a digest for people: how many issues wait, and a line for each issue that has waited the longest.
func digestText(d Digest) string {
	lines := []string{"One issue waits for a person:"}
	if d.Waiting != 1 {
		lines[0] = fmt.Sprintf("%d issues wait for a person, the longest first:", d.Waiting)
	}
	for _, w := range d.Issues[:min(mostWaitingText, len(d.Issues))] {
		line := fmt.Sprintf("<%s|%s#%d> %s: %s in %s since %s", escapeLink(w.URL), escape(w.Repo), w.Issue, escape(w.Title), escape(w.Need), escape(w.State), w.Since.UTC().Format(time.DateOnly))
		if len(w.Who) > 0 {
			line += " (" + escape(strings.Join(w.Who, " or ")) + ")"
		}
		lines = append(lines, line)
	}
	if more := d.Waiting - mostWaitingText; more > 0 {
		lines = append(lines, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(lines, "\n")
}
