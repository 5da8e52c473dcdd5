package hub

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"
)

// issue is an issue of the hub's repository.
type issue struct {
	number   int
	labels   []string
	events   []labelEvent
	comments []comment
	updated  time.Time
}

// labelEvent is one change of a label in the log of an issue.
type labelEvent struct {
	id        int64
	added     bool
	label, by string
	at        time.Time
}

type comment struct {
	id        int64
	body, by  string
	at        time.Time
	reactions []string
}

// Issue is what became of an issue.
type Issue struct {
	Number   int
	Labels   []string // sorted
	Comments []string // of the App, oldest first
	// Reactions are those of the App on the issue's comments.
	Reactions []string
	// Changes is how often the App put a label on or took one off.
	Changes int
}

func (e labelEvent) kind() string {
	if e.added {
		return "labeled"
	}
	return "unlabeled"
}

// fill says what an issue is in the places of a template.
func (h *Hub) fill(v *values, i *issue) {
	v[number] = strconv.Itoa(i.number)
	v[rawNumber], v[title], v[body] = v[number], "Widget "+v[number], h.text
	v[updated], v[rawComments] = stamp(i.updated), strconv.Itoa(len(i.comments))
	labels := []byte{'['}
	for n, name := range i.labels {
		if n > 0 {
			labels = append(labels, ',')
		}
		labels = append(labels, h.labelJSON(name)...)
	}
	v[rawLabels] = string(append(labels, ']'))
}

// labelJSON is a label as GitHub writes it. The caller holds the lock.
func (h *Hub) labelJSON(name string) string {
	text, known := h.labels[name]
	if !known {
		h.lastID++
		v := values{title: escaped(name), rawID: strconv.FormatInt(h.lastID, 10)}
		text = string(h.objects.label.render(nil, &v))
		h.labels[name] = text
	}
	return text
}

// change puts a label on an issue or takes it off, and reports whether that changed anything. The caller holds the lock.
func (h *Hub) change(i *issue, label string, added bool, by string) bool {
	at := slices.Index(i.labels, label)
	if (at >= 0) == added {
		return false
	}
	now := time.Now()
	if added {
		i.labels = append(i.labels, label)
	} else {
		i.labels = slices.Delete(i.labels, at, at+1)
	}
	h.lastID++
	i.events = append(i.events, labelEvent{id: h.lastID, added: added, label: label, by: by, at: now})
	i.updated = now
	return true
}

func (h *Hub) say(i *issue, text, by string) comment {
	h.lastID++
	c := comment{id: h.lastID, body: text, by: by, at: time.Now()}
	i.comments, i.updated = append(i.comments, c), c.at
	h.commented[c.id] = i
	return c
}

// result is what became of an issue. The caller holds the lock.
func (h *Hub) result(i *issue) Issue {
	r := Issue{Number: i.number, Labels: slices.Sorted(slices.Values(i.labels))}
	for _, c := range i.comments {
		if c.by == Login {
			r.Comments = append(r.Comments, c.body)
		}
		r.Reactions = append(r.Reactions, c.reactions...)
	}
	for _, e := range i.events {
		if e.by == Login {
			r.Changes++
		}
	}
	return r
}

// stamp writes a time as GitHub does.
func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// escaped is a text as it stands in a JSON string.
func escaped(text string) string {
	quoted, _ := json.Marshal(text) // a string always can be
	return strings.TrimSuffix(strings.TrimPrefix(string(quoted), `"`), `"`)
}
