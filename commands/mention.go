package commands

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// maxMentions bounds how many references of one text are taken.
const maxMentions = 50

// mention is the form of a reference within a text: #26, GH-26, owner/name#26, or an address
// (https://docs.github.com/get-started/writing-on-github/working-with-advanced-formatting/autolinked-references-and-urls#issues-and-pull-requests).
const mention = `(?:(?:([\w.-]+)/([\w.-]+))?#(\d{1,9})|GH-(\d{1,9})|https?://[^/\s]+/([\w.-]+)/([\w.-]+)/(?:issues|pull)/(\d{1,9}))`

var (
	// The keywords are those of
	// https://docs.github.com/issues/tracking-your-work-with-issues/using-issues/linking-a-pull-request-to-an-issue#linking-a-pull-request-to-an-issue-using-a-keyword.
	closesMention    = regexp.MustCompile(`(?i)(?:^|[^\w/#&.-])(?:clos(?:e|es|ed)|fix(?:es|ed)?|resolv(?:e|es|ed)):?[ \t\n]+` + mention + `\b`)
	dependsOnMention = regexp.MustCompile(`(?i)^[\s>*+-]*(?:\[[ x]\]\s*)?(?:depends[ \t]+on|blocked[ \t]+by):?[ \t]+(` + mention + `\b.*)`)
	nextMention      = regexp.MustCompile(`(?i)^[\s,;&]*(?:and[ \t]+|or[ \t]+)?` + mention + `\b`)
)

// mentioned reads the groups of mention.
func mentioned(groups []string, owner, repo string) (Reference, bool) {
	number, err := strconv.Atoi(groups[2] + groups[3] + groups[6])
	if err != nil || number <= 0 {
		return Reference{}, false
	}
	if named := groups[0] + groups[4]; named != "" {
		owner, repo = named, groups[1]+groups[5]
	}
	return ReferenceTo(owner, repo, number), true
}

// Closes lists the issues that the title or body of a pull request of a repository names with one of GitHub's closing keywords,
// each once, in order. Code and HTML comments name nothing.
func Closes(markdown, owner, repo string) []Reference {
	if !strings.ContainsAny(markdown, "#-/") {
		return nil
	}
	var found []Reference
	for _, m := range closesMention.FindAllStringSubmatch(Prose(markdown), maxMentions) {
		if r, ok := mentioned(m[1:], owner, repo); ok && !slices.Contains(found, r) {
			found = append(found, r)
		}
	}
	return found
}

// DependsOn lists the issues that the text of an issue of a repository says it depends on, each once, in order: lines and items of
// lists that begin with "Depends on" or "Blocked by", followed by one reference or several. Code, quotes and HTML comments name
// nothing.
func DependsOn(markdown, owner, repo string) []Reference {
	lower := strings.ToLower(markdown)
	if !strings.Contains(lower, "depends") && !strings.Contains(lower, "blocked") {
		return nil
	}
	var found []Reference
	for line := range strings.Lines(Prose(markdown)) {
		m := dependsOnMention.FindStringSubmatch(line)
		if m == nil || strings.HasPrefix(strings.TrimSpace(line), ">") {
			continue
		}
		rest := m[1]
		for len(found) < maxMentions {
			next := nextMention.FindStringSubmatch(rest)
			if next == nil {
				break
			}
			if r, ok := mentioned(next[1:], owner, repo); ok && !slices.Contains(found, r) {
				found = append(found, r)
			}
			rest = rest[len(next[0]):]
		}
	}
	return found
}
