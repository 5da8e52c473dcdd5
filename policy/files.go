package policy

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// fileSettings is the shape of SettingsFile. Nothing in it loosens the settings of the server: the permissions that commands need can
// only be raised.
type fileSettings struct {
	Mode      lifecycle.Mode `yaml:"mode"`
	Lifecycle string         `yaml:"lifecycle"`
	Executors Executors      `yaml:"executors"`
	Intake    *Intake        `yaml:"intake"`
	Dispatch  *[]Dispatch    `yaml:"dispatch"`
	Follow    *Follow        `yaml:"follow"`
	Limits    *Limits        `yaml:"limits"`
	TimeOuts  *TimeOuts      `yaml:"time-outs"`
	Commands  *Commands      `yaml:"commands"`
	Comments  *Comments      `yaml:"comments"`
	Mentions  Mentions       `yaml:"mentions"`
	Notify    *[]Notify      `yaml:"notify"`
	Dashboard bool           `yaml:"dashboard"`
	Close     *bool          `yaml:"close"`
	Adopt     *bool          `yaml:"adopt"`
}

// chosen is what a settings file comes to.
type chosen struct {
	// lifecycle is the one in force, with the file's own widening.
	lifecycle *statemachine.Table
	// named says that the file chose it.
	named  bool
	logins map[string][]string
	// intake and what follows are nil if the file does not speak of them.
	intake   *Intake
	dispatch *[]Dispatch
	follow   *Follow
	limits   *Limits
	timeOuts *TimeOuts
	commands *Commands
	comments *Comments
	notify   *[]Notify
	closes   *bool
	adopts   *bool
	// mentions is empty if the file does not speak of them.
	mentions Mentions
	// dashboard says that the repository of the file wants one.
	dashboard bool
	// mode is empty if the file names none.
	mode lifecycle.Mode
	// ignored are settings without effect.
	ignored []lifecycle.Problem
}

// setting is what a settings file is read against.
type setting struct {
	name    string              // of the file, for messages; SettingsFile if empty
	own     *statemachine.Table // of the repository's lifecycle file
	ownFile bool                // whether there is such a file, broken or not
	below   *statemachine.Table // what would be in force without a file
	needed  Commands            // what commands need without it
}

// read reads a settings file. The error is a *statemachine.FileError: then nothing of the file is in force, whatever it chose.
func (s setting) read(text []byte) (chosen, error) {
	var file fileSettings
	at, err := lifecycle.ReadSettings(cmp.Or(s.name, SettingsFile), text, &file)
	if err != nil {
		return chosen{}, err
	}
	c := chosen{lifecycle: s.below, logins: file.Executors.Logins}
	c.intake, c.dispatch, c.follow, c.limits, c.closes, c.adopts = file.Intake, file.Dispatch, file.Follow, file.Limits, file.Close, file.Adopt
	c.timeOuts, c.commands, c.comments, c.mode, c.mentions, c.notify = file.TimeOuts, file.Commands, file.Comments, file.Mode, file.Mentions, file.Notify
	c.dashboard = file.Dashboard
	var wrong []lifecycle.Problem
	if file.Lifecycle != "" {
		shipped, err := statemachine.Shipped(file.Lifecycle)
		switch {
		case err != nil:
			wrong = append(wrong, at.Problem(err.Error(), "lifecycle"))
		case s.own == nil:
			c.lifecycle, c.named = shipped, true
		}
		if s.ownFile {
			c.ignored = append(c.ignored, at.Problem(LifecycleFile+" is the lifecycle here, so that no other can be named: keep one of the two", "lifecycle"))
		}
	}
	if s.own != nil {
		c.lifecycle = s.own
	}
	for i, w := range file.Executors.Widen {
		widened, err := c.lifecycle.Widen(w.Role, w.From, w.To)
		if err != nil {
			wrong = append(wrong, at.Problem(err.Error(), "executors", "widen", i))
			continue
		}
		c.lifecycle = widened
	}
	for _, login := range slices.Sorted(maps.Keys(c.logins)) {
		for i, role := range c.logins[login] {
			if _, known := c.lifecycle.Roles.Named(role); !known {
				message := fmt.Sprintf("%s has the role %q, which lifecycle %s does not know", login, role, c.lifecycle.Name)
				wrong = append(wrong, at.Problem(message, "executors", "logins", login, i))
			}
		}
	}
	wrong = append(wrong, c.automation(at)...)
	if c.commands != nil {
		for _, p := range c.commands.loose(s.needed) {
			c.ignored = append(c.ignored, at.Problem(p.Message, p.Path...))
		}
	}
	if len(wrong) > 0 {
		return c, &lifecycle.FileError{Problems: wrong}
	}
	return c, nil
}

// automation completes and checks what Colony does without being asked.
func (c chosen) automation(at *lifecycle.Settings) []lifecycle.Problem {
	found := append(modeProblems(c.mode), c.mentions.problems()...)
	if i := c.intake; i != nil {
		if i.Labels == nil {
			i.Labels = DefaultIntake().Labels
		}
		found = append(found, i.problems(c.lifecycle)...)
	}
	if c.dispatch != nil {
		found = append(found, problemsOfDispatch(*c.dispatch, c.lifecycle)...)
	}
	if c.follow != nil {
		found = append(found, c.follow.problems()...)
	}
	if c.limits != nil {
		found = append(found, c.limits.problems(c.lifecycle)...)
	}
	if c.timeOuts != nil {
		found = append(found, c.timeOuts.problems(c.lifecycle)...)
	}
	if c.commands != nil {
		found = append(found, c.commands.problems()...)
	}
	if c.notify != nil {
		found = append(found, problemsOfNotify(*c.notify, c.timed())...)
	}
	if c.comments != nil {
		found = append(found, c.comments.problems()...)
	}
	var problems []lifecycle.Problem
	for _, w := range found {
		problems = append(problems, at.Problem(w.Message, w.Path...))
	}
	return problems
}

// problemsOf lists what is wrong with a file.
func problemsOf(path string, err error) []lifecycle.Problem {
	if wrong, ok := errors.AsType[*lifecycle.FileError](err); ok && len(wrong.Problems) > 0 {
		return wrong.Problems
	}
	return []lifecycle.Problem{{File: path, Line: 1, Column: 1, Message: err.Error()}}
}

// timed is the lifecycle with the file's own time-outs.
func (c chosen) timed() *statemachine.Table {
	if c.timeOuts == nil {
		return c.lifecycle
	}
	return c.lifecycle.With(statemachine.Options{TimeOuts: c.timeOuts.lengths()})
}
