package demo

import (
	"fmt"
	"io"
	"regexp"
	"strings"
)

// Transcript writes the story down for people. Errors of the writer are kept and told by Err.
type Transcript struct {
	to  io.Writer
	err error
}

// NewTranscript returns an audience that writes to w.
func NewTranscript(w io.Writer) *Transcript { return &Transcript{to: w} }

// Err is the first error of the writer.
func (t *Transcript) Err() error { return t.err }

func (t *Transcript) line(format string, args ...any) {
	if t.err == nil {
		_, t.err = fmt.Fprintf(t.to, format+"\n", args...)
	}
}

// Scene implements Audience.
func (t *Transcript) Scene(p Played) {
	if p.Chapter != "" {
		t.line("%s\n%s\n", p.Chapter, strings.Repeat("=", len(p.Chapter)))
	}
	t.line("#%d  %s", p.Issue, p.Tells)
	for _, act := range p.Acts {
		t.block("  > ", act)
	}
	t.line("    %s", p.Sees.labels())
	if p.Sees.Reaction != "" {
		t.line("    %s", emoji(p.Sees.Reaction))
	}
	for _, said := range p.Sees.Says {
		t.line("    Colony writes:")
		t.block("    | ", visible(said))
	}
	for _, what := range p.Wrong {
		t.line("")
		t.line("  WRONG: %s", what)
		t.block("    expected  ", p.Must.only(what))
		t.block("    got       ", p.Sees.only(what))
	}
	t.line("")
}

// block writes a text with the same beginning before each line.
func (t *Transcript) block(begin, text string) {
	for line := range strings.SplitSeq(text, "\n") {
		t.line("%s", strings.TrimRight(begin+line, " "))
		if strings.HasSuffix(begin, "> ") {
			begin = strings.Repeat(" ", len(begin)+2)
		}
	}
}

// End implements Audience.
func (t *Transcript) End(s Summary) {
	title := "In the end"
	t.line("%s\n%s\n", title, strings.Repeat("=", len(title)))
	t.line("%d scenes, %d webhooks (%d of them lost), %d calls to the REST API.", s.Scenes, s.Deliveries, s.Lost, s.Calls)
	if len(s.Unexpected) == 0 {
		t.line("Every issue is in one state, every webhook was answered, and nothing unexpected happened.")
		return
	}
	for _, what := range s.Unexpected {
		t.line("UNEXPECTED: %s", what)
	}
}

// only is one aspect of a sight.
func (s Sight) only(what string) string {
	switch what {
	case "labels":
		return s.labels()
	case "reaction":
		return emoji(s.Reaction)
	}
	if len(s.Says) == 0 {
		return "no comment"
	}
	return strings.Join(s.Says, "\n")
}

func (s Sight) labels() string {
	if len(s.Labels) == 0 {
		return "[no label of Colony's]"
	}
	return "[" + label(strings.Join(s.Labels, "] [colony:")) + "]"
}

// emoji shows a reaction as GitHub does.
func emoji(reaction string) string {
	switch reaction {
	case accepted:
		return "👍"
	case refused:
		return "😕"
	case notPermitted:
		return "👎"
	case "":
		return "no reaction"
	}
	return reaction
}

var hidden = regexp.MustCompile(`(?s)<!--.*?-->`)

// visible is what people see of a comment.
func visible(body string) string { return strings.TrimSpace(hidden.ReplaceAllString(body, "")) }
