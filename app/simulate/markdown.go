package simulate

import (
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/colony-app/colony/commands/wording"
	"github.com/colony-app/colony/reconcile/replay"
)

// WriteMarkdown writes a report as a page, such as the summary of a job of GitHub Actions. What a lifecycle file says is shown as text.
func (r *Report) WriteMarkdown(w io.Writer) error {
	p := &printer{w: w}
	p.line("## What Colony would have done\n")
	p.line("%s\n\n%s\n", r.headline(), wording.Inline(r.judgedBy()))
	if r.Stopped != "" {
		p.line("> [!WARNING]\n> Incomplete: %s. What follows is what was read until then.\n", wording.Inline(r.Stopped))
	}
	if c := r.Changes; c != nil {
		p.line("### What the change changes\n\n%s\n", c.headline())
		p.changed("Only with the change", c.Added, c.AddedExamples)
		p.changed("Not any more with the change", c.Removed, c.RemovedExamples)
	}
	p.line("### In numbers\n\n| | how often | |\n|---|--:|---|")
	p.line("| legal moves | %d | People and bots made them, and they stand. |", r.Moves)
	for _, spec := range replay.KindsIn(r.Mode) {
		p.line("| %s | %d | %s |", spec.Title, r.Counts[spec.Kind], spec.Meaning)
	}
	p.line("\n%s would have cost about %s, of which %s.\n", r.doing(), wording.Counted(r.Cost.Reads+r.Cost.Writes, "call", "calls"), wording.Counted(r.Cost.Writes, "is a write", "are writes"))
	if len(r.Reasons) > 0 {
		p.line("### By reason\n")
		p.listed(r.Reasons)
	}
	p.linked("### Examples", r.Examples)
	if len(r.LeftOut) > 0 {
		p.line("### Left out, because nobody can know it afterwards\n")
		for _, l := range r.LeftOut {
			p.line("- %s: %s", wording.Counted(l.Issues, "issue", "issues"), l.Meaning)
		}
		p.line("")
	}
	p.wrong("### Not checked", r.NotChecked)
	p.wrong("### Broken files, of which Colony uses the last good version, or nothing", r.Broken)
	return p.err
}

func (p *printer) wrong(heading string, problems []NotChecked) {
	if len(problems) == 0 {
		return
	}
	p.line("%s\n", heading)
	for _, n := range problems {
		p.line("- %s: %s", wording.Code(n.Repository), wording.Inline(n.Says))
	}
	p.line("")
}

func (p *printer) listed(reasons []Reason) {
	for _, r := range reasons {
		p.line("- **%d** %s %s: %s (%s; %s)", r.Count, title(r.Kind), moveInCode(r.From, r.To), wording.Inline(meaning(r.Reason)), by[r.By], wording.Counted(r.Issues, "issue", "issues"))
	}
	p.line("")
}

func (p *printer) changed(heading string, reasons []Reason, examples []Example) {
	if len(reasons) == 0 {
		return
	}
	p.line("#### %s\n", heading)
	p.listed(reasons)
	p.linked("For example:", examples)
}

func (p *printer) linked(heading string, examples []Example) {
	if len(examples) == 0 {
		return
	}
	p.line("%s\n", heading)
	for _, e := range examples {
		who := ""
		if e.By != "" {
			who = ", by " + wording.Code(e.By)
		}
		p.line("- [%s#%d](%s) %s %s: %s, %s%s", e.Repository, e.Issue, e.Link, title(e.Kind), moveInCode(e.From, e.To), wording.Inline(meaning(e.Reason)), minute(e.At), who)
	}
	p.line("")
}

func moveInCode(from, to string) string {
	if from == "" && to == "" {
		return ""
	}
	return fmt.Sprintf("`%s`", move(from, to))
}

func sortedKeys(m map[string]int) []string { return slices.Sorted(maps.Keys(m)) }
