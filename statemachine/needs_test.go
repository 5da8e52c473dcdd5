package statemachine

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/colony-app/colony/lifecycle"
)

// Each field of Needs is something that is missing, and makes one need differ from another.
func TestNeedsOfEachKind(t *testing.T) {
	all := []Needs{
		{OrdersSince: morning},
		{OrdersSince: morning.Add(time.Second)},
		{Guards: []lifecycle.Asking{{EventID: 1}}},
		{Guards: []lifecycle.Asking{{EventID: 1, To: "done"}}},
		{Said: true},
		{Facts: []lifecycle.Reading{lifecycle.ReadComments}},
		{Facts: []lifecycle.Reading{lifecycle.ReadComments, lifecycle.ReadEdits}},
	}
	for i, n := range all {
		if n.IsZero() {
			t.Errorf("%s is nothing", n)
		}
		for j, other := range append(all, Needs{}) {
			if n.equal(other) != (i == j) {
				t.Errorf("%s and %s: equal is %t", n, other, n.equal(other))
			}
		}
	}
	if !(Needs{}).IsZero() {
		t.Error("no need is one")
	}
}

func TestMeetReadsUntilNothingIsMissing(t *testing.T) {
	left := []Needs{{Facts: []lifecycle.Reading{lifecycle.ReadEdits, lifecycle.ReadReviews}}, {Said: true}, {Facts: []lifecycle.Reading{lifecycle.ReadReviews}}, {}}
	var read []string
	err := Meet(func() Needs { return left[0] }, func(n Needs) error {
		read, left = append(read, n.String()), left[1:]
		return nil
	})
	if err != nil || len(read) != 3 || len(left) != 1 {
		t.Errorf("read %v, %v", read, err)
	}
}

func TestMeetEnds(t *testing.T) {
	gone := errors.New("gone")
	for _, c := range []struct {
		name  string
		asks  []Needs // in turn, again and again
		read  error
		reads int
		want  string
	}{
		{"reading fails", []Needs{{Said: true}}, gone, 1, "gone"},
		{"reading does not help", []Needs{{Said: true}}, nil, 1, "reading did not tell what is needed"},
		{"one need leads to the other and back", []Needs{{Said: true}, {OrdersSince: morning}}, nil, 2, "comments true"},
	} {
		t.Run(c.name, func(t *testing.T) {
			reads := 0
			err := Meet(func() Needs { return c.asks[reads%len(c.asks)] }, func(Needs) error { reads++; return c.read })
			if err == nil || !strings.Contains(err.Error(), c.want) || reads != c.reads {
				t.Errorf("%v after %d reads, want %q after %d", err, reads, c.want, c.reads)
			}
		})
	}
}
