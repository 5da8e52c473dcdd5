package inspect

import (
	_ "embed"
	"fmt"
	"io"
	"strings"
	"text/template"
	"time"

	"github.com/colony-app/colony/commands/wording"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

//go:embed text.tmpl
var texts string

// printed has the texts for people at a terminal.
var printed = template.Must(template.New("").Funcs(template.FuncMap{
	"instant": func(t time.Time) string { return t.Format("2006-01-02 15:04 MST") }, "age": age, "named": named, "party": wording.Party, "movers": wording.Movers,
	"counted": wording.Counted, "because": because, "shown": shown, "unstopped": func(text string) string { return strings.TrimSuffix(text, ".") },
}).Parse(texts))

// WriteSummary prints the standing of the issue, for people.
func (out *Issue) WriteSummary(w io.Writer) error { return out.write(w, "summary") }

// WriteHistory prints each move of the issue with who made it, when, how long it was where it came from, and why; and what was refused.
func (out *Issue) WriteHistory(w io.Writer) error { return out.write(w, "history") }

func (out *Issue) write(w io.Writer, text string) error {
	if err := printed.ExecuteTemplate(w, text, out); err != nil {
		return fmt.Errorf("print the issue: %w", err)
	}
	return nil
}

// Access is what it takes to move the issue.
func (out *Issue) Access() statemachine.Access { return statemachine.Access{ToMove: out.MoveTakes} }

// Stay is how long the issue was where its nth move led away from.
func (out *Issue) Stay(n int) time.Duration { return out.Trail[n].At.Sub(out.Trail[n-1].At) }

func because(m Move) string {
	why := m.Reason
	if m.Why != "" {
		why = strings.TrimSuffix(m.Why, ".")
		if m.About != "" {
			why += " (" + m.About + ")"
		}
	}
	if at := m.Link + m.URL; why != "" && at != "" {
		why += ", see " + at
	}
	return shown(why)
}

func named(a lifecycle.Actor) string {
	if a.Kind == lifecycle.Colony {
		return "Colony"
	}
	if a.Login == "" {
		return "a deleted user"
	}
	return a.Login
}

// age is a time span to the minute, or to the second if it is shorter.
func age(d time.Duration) string {
	if d >= time.Minute {
		d = d.Truncate(time.Minute)
	}
	return lifecycle.Span(d.Truncate(time.Second))
}

// shown is what someone wrote, on one line and without what a terminal could take for more than text.
func shown(text string) string {
	inner := fmt.Sprintf("%q", text)
	return strings.ReplaceAll(inner[1:len(inner)-1], `\"`, `"`)
}
