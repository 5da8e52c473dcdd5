package wording

import "strings"

// WithMentions returns a comment that ends with a mention of people and teams whom a repository's settings name. Nothing that someone else wrote is
// among the names.
func WithMentions(comment string, names []string) string {
	if len(names) == 0 {
		return comment
	}
	return strings.TrimRight(comment, "\n") + "\n\ncc @" + strings.Join(names, " @")
}
