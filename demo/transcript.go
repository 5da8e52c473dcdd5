package demo

import (
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode/utf8"
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

// Begin implements Audience.
func (t *Transcript) Begin(p Prologue) {
	t.line("Colony is installed on %s, which has %d issues, and has put its %d labels in order there.\n", p.Repository, p.Issues, p.Labels)
	roles := len("maintain  ")
	for _, person := range p.People {
		roles = max(roles, len(person.Role))
	}
	for _, person := range p.People {
		t.line("  %-13s %-*s %s", person.Login, roles, person.Role, person.Does)
	}
	t.line("")
}

// Scene implements Audience.
func (t *Transcript) Scene(p Played) {
	if p.Chapter != "" {
		t.line("%s\n%s\n", p.Chapter, strings.Repeat("=", len(p.Chapter)))
	}
	t.block(fmt.Sprintf("#%d  ", p.Issue), p.Tells)
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
	for _, said := range p.Sees.OnPull {
		t.line("    Colony writes on the pull request:")
		t.block("    | ", visible(said))
	}
	for _, moved := range p.Sees.Trail {
		t.line("    The trail says why Colony moved it:")
		t.block("    | ", moved)
	}
	for _, what := range p.Wrong {
		t.line("")
		t.line("  WRONG: %s", what)
		t.block("    expected  ", p.Must.only(what))
		t.block("    got       ", p.Sees.only(what))
	}
	t.line("")
}

// width is where lines are broken, in characters.
const width = 110

// block writes a text behind a beginning. Further lines begin the same, or, unless that is a bar, with as much space.
func (t *Transcript) block(begin, text string) {
	further := begin
	if !strings.HasSuffix(begin, "| ") {
		further = strings.Repeat(" ", len(begin))
	}
	for line := range strings.SplitSeq(text, "\n") {
		for _, part := range broken(line, width-len(begin)) {
			t.line("%s", strings.TrimRight(begin+part, " "))
			begin = further
		}
	}
}

// broken breaks a line between words so that no part is longer than most characters, if its words are not.
func broken(line string, most int) []string {
	var parts []string
	for utf8.RuneCountInString(line) > most {
		at := strings.LastIndexByte(string([]rune(line)[:most+1]), ' ')
		if at <= 0 {
			break
		}
		parts = append(parts, line[:at])
		line = line[at+1:]
	}
	return append(parts, line)
}

// End implements Audience.
func (t *Transcript) End(s Summary) {
	if len(s.Trails) > 0 {
		title := "Why Colony moved issues without being asked"
		t.line("%s\n%s\n", title, strings.Repeat("=", len(title)))
		for _, trail := range s.Trails {
			t.line("#%d  %s", trail.Issue, trail.Title)
			for _, move := range trail.Moves {
				t.block("    ", move)
			}
		}
		t.line("")
	}
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
	comments := s.Says
	if what == "comments on the pull request" {
		comments = s.OnPull
	}
	if len(comments) == 0 {
		return "no comment"
	}
	return strings.Join(comments, "\n")
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
