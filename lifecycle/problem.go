package lifecycle

import (
	"fmt"
	"strings"
)

// Severity says how bad a problem is.
type Severity string

// The severities.
const (
	Error       Severity = "" // the file is not taken
	Warning     Severity = "warning"
	Information Severity = "information"
)

func (s Severity) String() string {
	if s == Error {
		return "error"
	}
	return string(s)
}

// MarshalText lets JSON name each severity.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Problem is one thing that is wrong, or suspicious, in a lifecycle file.
type Problem struct {
	File     string   `json:"file"`
	Line     int      `json:"line"`   // from 1
	Column   int      `json:"column"` // from 1, in characters; one beyond the last where something is missing at the end of the line
	Severity Severity `json:"severity"`
	Message  string   `json:"message"`
	// Excerpt is the line of the file, for people.
	Excerpt string `json:"excerpt"`
}

func (p Problem) String() string {
	message := p.Message
	if p.Severity != Error {
		message = p.Severity.String() + ": " + message
	}
	where := fmt.Sprintf("%s:%d:%d: %s", p.File, p.Line, p.Column, message)
	if p.Excerpt == "" {
		return where
	}
	return fmt.Sprintf("%s\n    %s\n    %s^", where, p.Excerpt, p.margin())
}

// margin is as wide as what is before the problem in its line: a tab is as wide as a terminal makes it.
func (p Problem) margin() string {
	before := []rune(p.Excerpt)
	before = before[:min(max(p.Column-1, 0), len(before))]
	for i, r := range before {
		if r != '\t' {
			before[i] = ' '
		}
	}
	return string(before)
}

// FileError lists everything that is wrong in a lifecycle file, in the order of the file.
type FileError struct{ Problems []Problem }

func (e *FileError) Error() string {
	lines := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		lines[i] = p.String()
	}
	return strings.Join(lines, "\n")
}
