package simulate

import (
	_ "embed"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/template"
	"time"
	"unicode"

	"github.com/colony-app/colony/commands/wording"
	"github.com/colony-app/colony/reconcile/replay"
)

//go:embed report.tmpl
var reportText string

// printed has the forms of a report. What a lifecycle file says is shown as text.
var printed = template.Must(template.New("").Funcs(template.FuncMap{
	"headline": (*Report).headline, "judgedBy": (*Report).judgedBy, "doing": (*Report).doing, "next": (*Report).next, "change": (*Changes).headline,
	"kinds": replay.KindsIn, "title": title, "move": move, "meaning": meaning, "by": func(kind string) string { return by[kind] },
	"counted": wording.Counted, "minute": minute, "visible": visible, "inline": wording.Inline, "code": wording.Code,
	"calls": func(c replay.Cost) int { return c.Reads + c.Writes },
}).Parse(reportText))

// WriteText writes a report for people at a terminal.
func (r *Report) WriteText(w io.Writer) error {
	return printed.ExecuteTemplate(w, "text", r) //nolint:wrapcheck // the caller names the attempt
}

// WriteMarkdown writes a report as a page, such as the summary of a job of GitHub Actions.
func (r *Report) WriteMarkdown(w io.Writer) error {
	return printed.ExecuteTemplate(w, "markdown", r) //nolint:wrapcheck // the caller names the attempt
}

func title(kind replay.Kind) string { return replay.KindSpecs()[rank(kind)].Title }

func minute(t time.Time) string { return t.UTC().Format("2006-01-02 15:04 MST") }

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

func (r *Report) headline() string {
	return fmt.Sprintf("Simulated %s of %s, from %s to %s, as if Colony had %s.", wording.Counted(r.Issues, "issue", "issues"),
		wording.Counted(r.Repositories, "repository", "repositories"), minute(r.Since), minute(r.Until), r.asIf())
}

func (r *Report) judgedBy() string {
	var rules []string
	for _, from := range slices.Sorted(maps.Keys(r.Rules)) {
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
