package issues

import (
	"testing"

	"github.com/jonboulle/clockwork"
)

// A receipt is Colony's own reaction of three kinds. It is read once; a comment without reactions has none.
func TestReceipts(t *testing.T) {
	const reactions = `> GET repos/acme/widgets/issues/comments/5/reactions?page=1&per_page=100
		< 200 next [{"user":{"login":"ada"},"content":"+1"},{"user":{"login":"colony[bot]"},"content":"eyes"}]
		> GET repos/acme/widgets/issues/comments/5/reactions?page=2&per_page=100
		`
	mine := func(content string) string {
		return `< 200 [{"user":{"login":"colony[bot]"},"content":"` + content + `","created_at":"2026-03-02T09:00:00Z"}]`
	}
	for content, is := range map[string]bool{ThumbsUp: true, ThumbsDown: true, Confused: true, Eyes: false, "heart": false} {
		script := reactions + mine(content)
		if !is {
			script += "\n" + script
		}
		holds(t, script, func(s *Store, _ *clockwork.FakeClock) {
			comment, want := Comment{ID: 5, Reactions: 3}, Receipt{}
			if is {
				want = Receipt{content, at("09:00:00")}
			}
			for range 2 {
				got, ok, err := s.Receipt(t.Context(), theIssue, comment)
				says(t, want, got, err, "")
				says(t, is, ok, nil, "")
				says(t, is, s.HasReceipt(theIssue, 5), nil, "")
			}
		})
	}
	holds(t, `> GET repos/acme/widgets/issues/1/reactions?page=1&per_page=100
		`+mine(ThumbsUp), func(s *Store, _ *clockwork.FakeClock) { // the opening texts of two issues are two
		other := Ref{theIssue.Repository, 2}
		_, ok, err := s.Receipt(t.Context(), other, Comment{})
		says(t, false, ok, err, "")
		_, ok, err = s.Receipt(t.Context(), theIssue, Comment{Reactions: 1})
		says(t, true, ok, err, "")
		says(t, []bool{true, false}, []bool{s.HasReceipt(theIssue, 0), s.HasReceipt(other, 0)}, nil, "")
		elsewhere := theIssue
		elsewhere.ID++
		says(t, false, s.HasReceipt(elsewhere, 0), nil, "")
		s.Remember(other, 0, Receipt{Content: Confused})
		got, ok, err := s.Receipt(t.Context(), other, Comment{})
		says(t, Receipt{Content: Confused}, got, err, "")
		says(t, true, ok, nil, "")
	})
	holds(t, reactions+"< 502", func(s *Store, _ *clockwork.FakeClock) {
		_, ok, err := s.Receipt(t.Context(), theIssue, Comment{ID: 5, Reactions: 1})
		says(t, false, ok, err, "read the reactions on comments/5 of acme/widgets#1")
	})
}
