package policy

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/colony-app/colony/commands/wording"
)

// Comments is what a repository adds at the end of each of Colony's comments on its issues and pull requests.
type Comments struct {
	Text string `yaml:"text" means:"A sentence. Nothing in it is Markdown, and it mentions nobody."`
	Link string `yaml:"link" means:"The address of a page, which begins with https://."` // shown after the text
}

const maxLink = 300 // characters

// referring matches addresses at which GitHub would show each comment that has a link there.
var referring = regexp.MustCompile(`/(issues|pull|pulls|discussions|commit|commits)/`)

func (c Comments) problems() []Problem {
	var found []Problem
	switch {
	case c.Text == "" && c.Link == "":
		found = append(found, Problem{[]any{"comments"}, "neither text nor link is set"})
	case utf8.RuneCountInString(c.Text) > wording.MaxRunes:
		found = append(found, Problem{[]any{"comments", "text"}, fmt.Sprintf("more than %d characters", wording.MaxRunes)})
	case strings.ContainsFunc(c.Text, unicode.IsControl):
		found = append(found, Problem{[]any{"comments", "text"}, "is more than a line"})
	case c.Text != "" && wording.House(c.Text, "") == "":
		found = append(found, Problem{[]any{"comments", "text"}, "shows nothing"})
	}
	if c.Link != "" {
		if why := linkMisfit(c.Link); why != "" {
			found = append(found, Problem{[]any{"comments", "link"}, why})
		}
	}
	return found
}

func linkMisfit(link string) string {
	address, err := url.Parse(link)
	switch {
	case len(link) > maxLink:
		return fmt.Sprintf("more than %d characters", maxLink)
	case err != nil || address.Scheme != "https" || address.Host == "" || address.User != nil || address.String() != link || strings.ContainsAny(link, "<>`\\"):
		return "is not an address that begins with https:// and has no special characters but as %20 and the like"
	case referring.MatchString(address.Path + "/"):
		return "GitHub would show every comment there: link to a page instead of an issue, a pull request, a discussion or a commit"
	}
	return ""
}
