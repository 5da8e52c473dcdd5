package wording

import "strings"

// House renders what a repository adds at the end of each comment: a text, in which nothing comes to life (see Inline), and the address
// of a page, which was checked. It is empty if there is neither.
func House(text, link string) string {
	text = Inline(text)
	if link != "" {
		link = "<" + link + ">"
	}
	return strings.TrimSpace(text + " " + link)
}

// WithHouse returns a comment with what House rendered as its last paragraph, once.
func WithHouse(comment, house string) string {
	if house == "" || strings.HasSuffix(comment, "\n\n"+house) {
		return comment
	}
	return strings.TrimRight(comment, "\n") + "\n\n" + house
}
