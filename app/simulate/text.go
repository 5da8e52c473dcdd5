package simulate

import (
	"fmt"
	"io"
	"strings"
	"time"
	"unicode"

	"github.com/colony-app/colony/commands/wording"
	"github.com/colony-app/colony/reconcile/replay"
)

// printer writes lines, and keeps the first error.
type printer struct {
	w   io.Writer
	err error
}

func (p *printer) line(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format+"\n", args...)
	}
}

// WriteText writes a report for people at a terminal.
func (r *Report) WriteText(w io.Writer) error {
	p := &printer{w: w}
	p.line("%s", r.headline())
	p.line("%s", visible(r.judgedBy()))
	if r.Stopped != "" {
		p.line("INCOMPLETE: %s. What follows is what was read until then.", visible(r.Stopped))
	}
	p.line("")
	p.line("%6d  legal moves of people and bots, which stand", r.Moves)
	for _, spec := range replay.KindsIn(r.Mode) {
		p.line("%6d  %s", r.Counts[spec.Kind], spec.Title)
	}
	p.line("")
	p.line("%s would have cost about %s, of which %s.", r.doing(), wording.Counted(r.Cost.Reads+r.Cost.Writes, "call", "calls"), wording.Counted(r.Cost.Writes, "is a write", "are writes"))
	if len(r.Reasons) > 0 {
		p.line("")
		p.line("By reason:")
		p.reasons(r.Reasons)
	}
	p.examples("The most telling examples:", r.Examples)
	if c := r.Changes; c != nil {
		p.line("")
		p.line("%s", c.headline())
		p.changes("Only with the change:", c.Added, c.AddedExamples)
		p.changes("Not any more with the change:", c.Removed, c.RemovedExamples)
	}
	if len(r.LeftOut) > 0 {
		p.line("")
		p.line("Left out, because nobody can know it afterwards:")
		for _, l := range r.LeftOut {
			p.line("  %s: %s", wording.Counted(l.Issues, "issue", "issues"), l.Meaning)
		}
	}
	p.problems("Not checked:", r.NotChecked)
	p.problems("Broken files, of which Colony uses the last good version, or nothing:", r.Broken)
	p.line("")
	p.line("%s", r.next())
	return p.err
}

func (p *printer) problems(heading string, problems []NotChecked) {
	if len(problems) == 0 {
		return
	}
	p.line("")
	p.line("%s", heading)
	for _, n := range problems {
		p.line("  %s: %s", visible(n.Repository), visible(n.Says))
	}
}

func (p *printer) reasons(reasons []Reason) {
	for _, r := range reasons {
		p.line("%6d  %-16s %s: %s (%s; %s)", r.Count, title(r.Kind), move(r.From, r.To), visible(meaning(r.Reason)), by[r.By], wording.Counted(r.Issues, "issue", "issues"))
	}
}

func (p *printer) changes(title string, reasons []Reason, examples []Example) {
	if len(reasons) == 0 {
		return
	}
	p.line("")
	p.line("%s", title)
	p.reasons(reasons)
	p.examples("For example:", examples)
}

func (p *printer) examples(heading string, examples []Example) {
	if len(examples) == 0 {
		return
	}
	p.line("")
	p.line("%s", heading)
	for _, e := range examples {
		who := ""
		if e.By != "" {
			who = ", by " + visible(e.By)
		}
		p.line("  %-16s %s#%d  %s: %s, %s%s", title(e.Kind), e.Repository, e.Issue, move(e.From, e.To), visible(meaning(e.Reason)), minute(e.At), who)
		p.line("  %-16s %s", "", e.Link)
	}
}

func title(kind replay.Kind) string { return replay.KindSpecs()[rank(kind)].Title }

func minute(t time.Time) string { return t.UTC().Format("2006-01-02 15:04 MST") }

// next says what to do with the report.
func (r *Report) next() string {
	switch {
	case r.Repositories == 0 && r.Complete:
		return "The App sees no repository: install it on one, then run this again. colony doctor has the link."
	case r.Changes != nil:
		return "To put the change in force, commit the file to the default branch."
	default:
		return fmt.Sprintf("To have this in a repository, commit .github/colony.yml with \"mode: %s\". To try another lifecycle first: --lifecycle.", r.Mode)
	}
}

// headline says what was simulated.
func (r *Report) headline() string {
	return fmt.Sprintf("Simulated %s of %s, from %s to %s, as if Colony had %s.", wording.Counted(r.Issues, "issue", "issues"),
		wording.Counted(r.Repositories, "repository", "repositories"), minute(r.Since), minute(r.Until), r.asIf())
}

// judgedBy says by which lifecycles.
func (r *Report) judgedBy() string {
	var rules []string
	for _, from := range sortedKeys(r.Rules) {
		if r.Rules[from] > 1 || len(r.Rules) > 1 {
			from += fmt.Sprintf(" (%s)", wording.Counted(r.Rules[from], "repository", "repositories"))
		}
		rules = append(rules, from)
	}
	if len(rules) == 0 {
		return "No repository was read."
	}
	return "Judged by: " + strings.Join(rules, ", ") + "."
}

func (c *Changes) headline() string {
	if c.Issues == 0 {
		return "The change makes no difference to what happened."
	}
	return fmt.Sprintf("The change makes a difference to %s.", wording.Counted(c.Issues, "issue", "issues"))
}

// visible keeps what a terminal shows, on one line.
func visible(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsGraphic(r) {
			return r
		}
		return '\ufffd'
	}, strings.Join(strings.Fields(text), " "))
}
