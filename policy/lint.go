package policy

import (
	"fmt"

	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// Beside is what is next to a settings file that is checked away from GitHub.
type Beside struct {
	// Own is the lifecycle of the repository's own file, nil without one that can be used. OwnFile says that there is such a file.
	Own     *statemachine.Table
	OwnFile bool
	// Below is the lifecycle that is in force if neither that file nor the settings name one, and Assumed says that the person who
	// checks has not named it.
	Below   *statemachine.Table
	Assumed bool
}

// Lint lists what is wrong or without effect in a settings file: it is read as a running Colony reads it.
func Lint(name string, text []byte, beside Beside) []lifecycle.Problem {
	c, err := setting{name: name, own: beside.Own, ownFile: beside.OwnFile, below: beside.Below}.read(text)
	if err != nil {
		problems := problemsOf(name, err)
		if beside.Assumed && beside.Own == nil && !c.named && c.life != nil {
			problems = append(problems, lifecycle.Problem{File: name, Line: 1, Column: 1, Severity: lifecycle.Information, Message: fmt.Sprintf(
				"the file was checked against lifecycle %s, as it names none: if your server has another one, name it with --lifecycle", beside.Below.Name)})
		}
		return problems
	}
	for i := range c.ignored {
		c.ignored[i].Severity = lifecycle.Warning
	}
	return c.ignored
}
