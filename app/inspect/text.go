package inspect

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/colony-app/colony/advice"
	"github.com/colony-app/colony/commands/wording"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

const instant = "2006-01-02 15:04 MST"

// WriteSummary prints the standing of the issue, for people.
func (out *Issue) WriteSummary(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s  %s  %s\n", out.Issue, strconv.Quote(out.Title), out.URL)
	fmt.Fprintf(&b, "state:    %s", out.State)
	if out.Since != nil {
		fmt.Fprintf(&b, ", since %s (%s), by %s", out.Since.Format(instant), age(out.Read.Sub(*out.Since)), named(*out.By))
	}
	fmt.Fprintf(&b, "\nrules:    lifecycle %s, %s\n", out.Lifecycle, out.Mode)
	if len(out.MustAct) > 0 {
		fmt.Fprintf(&b, "must act: %s\n", out.parties(out.MustAct))
	}
	for _, a := range out.Attention {
		fmt.Fprintf(&b, "waits:    %s", a.Meaning)
		if a.Action != nil {
			fmt.Fprintf(&b, " Write %s", a.Action.Command)
			if a.Action.Reason {
				b.WriteString(" <reason>")
			}
		}
		b.WriteString("\n")
	}
	var next []string
	for _, n := range out.Allowed {
		next = append(next, n.To)
	}
	if len(next) > 0 {
		fmt.Fprintf(&b, "next:     %s (%s)\n", strings.Join(next, ", "), wording.Movers(out.access()))
	}
	for _, l := range out.Limits {
		if l.AtMost > 0 && l.Count > 0 {
			fmt.Fprintf(&b, "limit:    %s, %d of %d\n", l.Name, l.Count, l.AtMost)
		}
	}
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("print the issue: %w", err)
	}
	return nil
}

// WriteHistory prints each move of the issue with who made it, when, how long it was where it came from, and why; and what was refused.
func (out *Issue) WriteHistory(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "\n%s:\n", wording.Counted(len(out.Trail), "move", "moves"))
	for i, m := range out.Trail {
		fmt.Fprintf(&b, "  %s  %s -> %s, by %s", m.At.Format(instant), m.From, m.To, named(m.By))
		if m.Command != "" {
			fmt.Fprintf(&b, " with /colony:%s", m.Command)
		}
		if i > 0 {
			fmt.Fprintf(&b, ", after %s", age(m.At.Sub(out.Trail[i-1].At)))
		}
		if m.Kind != statemachine.Moved {
			fmt.Fprintf(&b, " (%s)", m.Kind)
		}
		if why := because(m); why != "" {
			fmt.Fprintf(&b, ": %s", why)
		}
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, "%s:\n", wording.Counted(len(out.Refused), "refusal", "refusals"))
	for _, r := range out.Refused {
		to := r.To
		if to == "" {
			to = "no state"
		}
		fmt.Fprintf(&b, "  %s  %s -> %s, by %s: %s", r.At.Format(instant), r.From, shown(to), named(r.By), r.Why)
		switch {
		case r.Stood:
			b.WriteString(" It stood.")
		case r.LedTo != "":
			fmt.Fprintf(&b, " It led to %s.", r.LedTo)
		}
		b.WriteString("\n")
	}
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("print the issue: %w", err)
	}
	return nil
}

// because is why a move was made, in the words of the one who made it.
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

func named(a Actor) string {
	if a.Kind == lifecycle.Colony {
		return "Colony"
	}
	if a.Login == "" {
		return "a deleted user"
	}
	return a.Login
}

func (out *Issue) access() statemachine.Access { return statemachine.Access{ToMove: out.MoveTakes} }

func (out *Issue) parties(who []Party) string {
	var names []string
	for _, p := range who {
		names = append(names, wording.Party(out.access(), advice.Party(p)))
	}
	return strings.Join(names, " or ")
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
