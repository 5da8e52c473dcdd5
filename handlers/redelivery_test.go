package handlers

import (
	"errors"
	"regexp"
	"slices"
	"testing"
)

func TestRedelivery(t *testing.T) {
	first := issuesPayload("labeled", "", `, "label": {"name": "colony:new"}`+byAda)
	second := issuesPayload("labeled", "", `, "label": {"name": "colony:done"}`+byAda)
	for _, test := range []struct {
		name string
		sent [][2]string // GUID and body
		want int
	}{
		{"the same twice", [][2]string{{"g", first}, {"g", first}}, 1},
		{"two bodies under one GUID", [][2]string{{"g", first}, {"g", second}}, 2},
		{"one body under two GUIDs", [][2]string{{"g", first}, {"h", first}}, 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := newFixture(t)
			for _, sent := range test.sent {
				if err := d.handle(t, "issues", sent[0], sent[1]); err != nil {
					t.Fatal(err)
				}
			}
			if got := len(d.publisher.published()); got != test.want {
				t.Errorf("%d requests, want %d", got, test.want)
			}
		})
	}
}

func TestMessageID(t *testing.T) {
	d := newFixture(t)
	body := `{"action": "added", "installation": {"id": 7}, "repositories_added": [{"id": 1, "full_name": "a/b"}, {"id": 2, "full_name": "a/c"}]}`
	if err := d.handle(t, "installation_repositories", "guid", body); err != nil {
		t.Fatal(err)
	}
	form := regexp.MustCompile(`^guid/[0-9a-f]{16}/[01]$`)
	if len(d.publisher.ids) != 2 || !form.MatchString(d.publisher.ids[0]) || !form.MatchString(d.publisher.ids[1]) {
		t.Errorf("ids %q", d.publisher.ids)
	}
}

// A delivery that failed half-way is completed by its redelivery, without doing the first half twice.
func TestPublishFails(t *testing.T) {
	full := errors.New("disk full")
	body := `{"action": "added", "installation": {"id": 7}, "repositories_added": [{"id": 1, "full_name": "a/b"}, {"id": 2, "full_name": "a/c"}]}`
	d := newFixture(t)
	if err := d.handle(t, "installation_repositories", "guid", body); err != nil {
		t.Fatal(err)
	}
	ids := slices.Clone(d.publisher.ids)
	delete(d.publisher.requests, ids[1])
	d.publisher.ids = ids[:1]
	d.publisher.err = full
	if err := d.handle(t, "installation_repositories", "guid", body); !errors.Is(err, full) {
		t.Errorf("error %v, want the queue's", err)
	}
	d.publisher.err = nil
	if err := d.handle(t, "installation_repositories", "guid", body); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(ids, d.publisher.ids) {
		t.Errorf("ids %q, want %q", d.publisher.ids, ids)
	}
}
