package policy

import (
	"cmp"
	"errors"
	"reflect"
	"slices"

	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// Settings is what one layer says: the settings file of a repository or of its owner, or the server's configuration. What is zero is left to
// the layer below; an empty list is not. Nothing in a file loosens the settings of the server: the permissions that commands need can only be
// raised.
type Settings struct {
	Mode      lifecycle.Mode       `yaml:"mode" means:"How far Colony goes here, unless the server caps it. Without it, what the owner or the server names, and if nobody does, enforce because of this file."`
	Lifecycle string               `yaml:"lifecycle" means:"The lifecycle of the issues here, one that comes with Colony. If you have a lifecycle of your own in .github/colony-lifecycle.yml, Colony uses that instead."`
	Executors Executors            `yaml:"executors" means:"Who the executors are: bots, and people's accounts that may make only the moves of a role."`
	Intake    *Intake              `yaml:"intake" means:"Which new issues Colony takes into the lifecycle. It replaces the owner's and the server's."`
	Dispatch  []lifecycle.Dispatch `yaml:"dispatch" most:"100" means:"The capacity of a state: how many issues may be in it at once. While there is capacity, Colony moves the next waiting issue there: by priority, then the oldest. It replaces the owner's and the server's."`
	Follow    Follow               `yaml:"follow" is:"once" means:"The facts that may move issues, beside labels and commands, if the lifecycle has triggers for them. It replaces the owner's and the server's."`
	Limits    Limits               `yaml:"limits" means:"Other numbers for the limits of the lifecycle, by what they count. It replaces the owner's and the server's."`
	TimeOuts  TimeOuts             `yaml:"time-outs" means:"Other lengths for the time-outs of the lifecycle, by the state that an issue is in. It replaces the owner's."`
	Commands  Commands             `yaml:"commands" means:"Which permission commands need, where it is more than the owner's and the server's settings ask for."`
	Comments  *Comments            `yaml:"comments" means:"What stands at the end of each of Colony's comments. It replaces the owner's."`
	Mentions  Mentions             `yaml:"mentions" means:"Whether a comment of Colony's mentions the person whose label change it undoes, since GitHub does not notify them otherwise. It replaces the owner's."`
	Notify    []Notify             `yaml:"notify" most:"100" means:"Whom Colony tells of an issue. It replaces the owner's."`
	Dashboard bool                 `yaml:"dashboard" means:"Whether Colony keeps one pinned issue with how many issues are in each state and which of them wait for a person. In the owner's .github repository it is about all repositories of the owner; it does not switch on theirs."`
	Close     *bool                `yaml:"close" means:"Whether Colony closes an issue that reaches a terminal state, where the lifecycle says so. It replaces the owner's and the server's."`
	Adopt     *bool                `yaml:"adopt" means:"Whether pull requests, answers, dependencies and time-outs also move issues that were in a state before Colony was installed and that nobody has moved since. It replaces the owner's and the server's."`

	// ModeBy says who named the mode, for people.
	ModeBy string `yaml:"-"`
	// ModeCeiling is the most that the server lets anybody name.
	ModeCeiling lifecycle.Mode `yaml:"-"`
	// Asked says that a file of the repository, or of its owner, is in force.
	Asked bool `yaml:"-"`
	// Unforced says that no file of a layer lets anyone force a move outside of the table.
	Unforced bool `yaml:"-"`
}

// over returns what holds of a layer and of the layers below it. The lifecycle, the bots and the dashboard are not handed on in this way.
func (s Settings) over(below Settings) Settings {
	merged, says := below, reflect.ValueOf(s)
	for i := range says.NumField() {
		if field := says.Field(i); !field.IsZero() {
			reflect.ValueOf(&merged).Elem().Field(i).Set(field)
		}
	}
	merged.Commands, merged.Unforced = s.Commands.over(below.Commands), below.Unforced || s.Commands.unforced()
	merged.Lifecycle, merged.Executors, merged.Dashboard = "", Executors{}, false
	return merged
}

// Problems lists what is wrong with it under a lifecycle.
func (s Settings) Problems(life *statemachine.Table) []Problem {
	found := append(modeProblems(s.Mode), s.Mentions.problems()...)
	if s.Intake != nil {
		found = append(found, s.Intake.problems(life)...)
	}
	timed := life
	if s.TimeOuts != nil {
		timed = life.With(statemachine.Options{TimeOuts: s.TimeOuts.lengths()})
	}
	found = append(found, slices.Concat(problemsOfDispatch(s.Dispatch, life), s.Follow.problems(), s.Limits.problems(life), s.TimeOuts.problems(life),
		s.Commands.problems(), problemsOfNotify(s.Notify, timed))...)
	if s.Comments != nil {
		found = append(found, s.Comments.problems()...)
	}
	return found
}

// given returns what a setting says; zero if it says nothing.
func given[T any](setting *T) (value T) {
	if setting != nil {
		value = *setting
	}
	return value
}

type chosen struct {
	Settings
	// life is the lifecycle in force, with the file's own widening.
	life *statemachine.Table
	// named says that the file chose it.
	named bool
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

// read reads a settings file. The error is a *statemachine.FileError: then nothing of the file is in force, no matter what it chose.
func (s setting) read(text []byte) (chosen, error) {
	c := chosen{life: s.below}
	at, err := lifecycle.ReadSettings(cmp.Or(s.name, SettingsFile), text, &c.Settings)
	if err != nil {
		return chosen{}, err
	}
	wrong := s.choose(&c, at)
	var misfits []Problem
	c.life, misfits = c.Executors.Widened(c.life)
	if c.Intake != nil && c.Intake.Labels == nil {
		c.Intake.Labels = DefaultIntake().Labels
	}
	for _, p := range append(misfits, c.Problems(c.life)...) {
		wrong = append(wrong, at.Problem(p.Message, p.Path...))
	}
	for _, p := range c.Commands.loose(s.needed) {
		c.ignored = append(c.ignored, at.Problem(p.Message, p.Path...))
	}
	if len(wrong) > 0 {
		return c, &lifecycle.FileError{Problems: wrong}
	}
	return c, nil
}

// choose takes the lifecycle that the settings name, or the repository's own, and lists what is wrong with its name.
func (s setting) choose(c *chosen, at *lifecycle.Settings) (wrong []lifecycle.Problem) {
	if c.Lifecycle != "" {
		shipped, err := statemachine.Shipped(c.Lifecycle)
		switch {
		case err != nil:
			wrong = append(wrong, at.Problem(err.Error(), "lifecycle"))
		case s.own == nil:
			c.life, c.named = shipped, true
		}
		if s.ownFile {
			c.ignored = append(c.ignored, at.Problem(LifecycleFile+" is the lifecycle here, so that no other can be named: keep one of the two", "lifecycle"))
		}
	}
	if s.own != nil {
		c.life = s.own
	}
	return wrong
}

func problemsOf(path string, err error) []lifecycle.Problem {
	if wrong, ok := errors.AsType[*lifecycle.FileError](err); ok && len(wrong.Problems) > 0 {
		return wrong.Problems
	}
	return []lifecycle.Problem{{File: path, Line: 1, Column: 1, Message: err.Error()}}
}
