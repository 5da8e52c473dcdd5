package playground

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
)

// reference is one mention of an issue or pull request in a text
// (https://docs.github.com/get-started/writing-on-github/working-with-advanced-formatting/autolinked-references-and-urls#issues-and-pull-requests).
type reference struct {
	repository string // "owner/name"; empty: the one of the text
	number     int
	closing    bool // behind a keyword that closes
}

// referencePattern: a keyword (https://docs.github.com/issues/tracking-your-work-with-issues/using-issues/linking-a-pull-request-to-an-issue#linking-a-pull-request-to-an-issue-using-a-keyword),
// and #26, GH-26, owner/name#26, or an address.
var referencePattern = regexp.MustCompile(`(?i)(?:^|[^\w/#&.-])(?:(clos(?:e|es|ed)|fix(?:es|ed)?|resolv(?:e|es|ed)):?[ \t\n]+)?` +
	`(?:([\w.-]+/[\w.-]+)?#(\d+)|GH-(\d+)|https?://([^/\s]+)/([\w.-]+/[\w.-]+)/(?:issues|pull)/(\d+))\b`)

// redirector begins the name of the host that leads to the same pages, and to which a link is no reference:
// https://docs.github.com/get-started/writing-on-github/working-with-advanced-formatting/autolinked-references-and-urls#avoiding-backlinks-to-linked-references.
const redirector = "redirect."

// referencesIn finds the references in Markdown: not those in code, comments and the texts of links.
func referencesIn(markdown string) []reference {
	var found []reference
	for _, match := range referencePattern.FindAllStringSubmatch(plainText(markdown), -1) {
		number, err := strconv.Atoi(match[3] + match[4] + match[7])
		if err != nil || strings.HasPrefix(match[5], redirector) {
			continue // more digits than any issue has, or no reference
		}
		found = append(found, reference{repository: match[2] + match[6], number: number, closing: match[1] != ""})
	}
	return found
}

var markdownParser = goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough, extension.TaskList)).Parser()

// plainText is what of a Markdown text can hold references.
func plainText(markdown string) string {
	source := []byte(markdown)
	var plain strings.Builder
	_ = ast.Walk(markdownParser.Parse(text.NewReader(source)), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			if n.Type() == ast.TypeBlock {
				plain.WriteString("\n")
			}
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.CodeSpan, *ast.CodeBlock, *ast.FencedCodeBlock, *ast.HTMLBlock, *ast.RawHTML, *ast.Image:
			plain.WriteString(" | ") // parts what is before from what is behind
			return ast.WalkSkipChildren, nil
		case *ast.Link: // where it leads counts, and not its text
			plain.WriteString(" | " + string(n.Destination) + " | ")
			return ast.WalkSkipChildren, nil
		case *ast.AutoLink:
			plain.Write(n.URL(source))
		case *ast.Text:
			plain.Write(n.Segment.Value(source))
			if n.SoftLineBreak() || n.HardLineBreak() {
				plain.WriteString("\n")
			}
		case *ast.String:
			plain.Write(n.Value)
		}
		return ast.WalkContinue, nil
	}) // the function makes no errors
	return plain.String()
}

// referred is what a reference in a text of a repository leads to; nil: nothing.
func (p *Playground) referred(from *repository, r reference) *issue {
	in := from
	if r.repository != "" {
		in = p.repositories[strings.ToLower(r.repository)]
	}
	if in == nil {
		return nil
	}
	return in.issue(r.number).here()
}

// closing lists the issues that the merge of a pull request closes: the issues that it names with a keyword, if it is for the default branch, and the
// issues that are linked by hand.
func (p *Playground) closing(pull *issue) []*issue {
	linked := present(pull.pull.linked)
	if pull.body != nil && pull.pull.base == pull.repo.defaultBranch {
		for _, r := range referencesIn(*pull.body) {
			if i := p.referred(pull.repo, r); r.closing && i != nil && i.pull == nil && !slices.Contains(linked, i) {
				linked = append(linked, i)
			}
		}
	}
	return linked
}

// noteCommits tells the issues that the messages of commits mention of them (event referenced), and closes those behind
// a keyword when the commits come to the default branch.
func (p *Playground) noteCommits(by actor, r *repository, branch string, commits []*commit) {
	for _, c := range commits {
		for _, ref := range referencesIn(c.message) {
			target := p.referred(r, ref)
			if target == nil {
				continue
			}
			known := func(e *issueEvent) bool { return e.event == "referenced" && e.commitID == c.sha }
			if !slices.ContainsFunc(target.events, known) {
				p.addEvent(target, by, "referenced").commitID = c.sha
			}
			if ref.closing && branch == r.defaultBranch && target.pull == nil && target.state == "open" && by.mayClose(target) {
				p.setState(by, target, "closed", "completed")
				target.events[len(target.events)-1].commitID = c.sha
			}
		}
	}
}

// linkPull links a pull request and an issue by hand, or parts them.
func (p *Playground) linkPull(by actor, i, pull *issue, linked bool) {
	if slices.Contains(pull.pull.linked, i) == linked {
		return
	}
	event := "connected"
	if linked {
		pull.pull.linked = append(pull.pull.linked, i)
	} else {
		event = "disconnected"
		pull.pull.linked = slices.DeleteFunc(pull.pull.linked, func(other *issue) bool { return other == i })
	}
	p.addEvent(i, by, event)
	p.addEvent(pull, by, event)
}

// crossReference is a line of an issue's timeline: something else mentions it.
type crossReference struct {
	id      int64
	source  *issue
	actor   *account
	created time.Time
}

// noteReferences tells the issues that a text mentions of it: each source once.
func (p *Playground) noteReferences(by actor, source *issue, markdown string) {
	for _, r := range referencesIn(markdown) {
		target := p.referred(source.repo, r)
		if target == nil || target == source || slices.ContainsFunc(target.mentions, func(m *crossReference) bool { return m.source == source }) {
			continue
		}
		target.mentions = append(target.mentions, &crossReference{id: p.nextID(), source: source, actor: by.account, created: p.now()})
	}
}

// crossReferencePayload is such a line; https://docs.github.com/rest/using-the-rest-api/issue-event-types#cross-referenced.
func (p *Playground) crossReferencePayload(m *crossReference) object {
	source := p.restIssuePayload(m.source)
	source["repository"] = p.repositoryPayload(m.source.repo)
	payload := object{
		"event": "cross-referenced", "created_at": stamp(m.created), "updated_at": stamp(m.created),
		"source": object{"type": "issue", "issue": source},
	}
	if m.actor != nil && !m.actor.deleted {
		payload["actor"] = p.userPayload(m.actor)
	}
	return payload
}
