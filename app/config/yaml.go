package config

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/colony-app/colony/lifecycle"
	"github.com/goccy/go-yaml"
)

// readDurations reads durations as time.ParseDuration does, so that a bare 0 is one, too.
var readDurations = yaml.CustomUnmarshaler(func(d *time.Duration, text []byte) error {
	var value any
	if err := yaml.Unmarshal(text, &value); err != nil {
		return fmt.Errorf("read a duration: %w", err)
	}
	if value == nil { // the setting stands there without a value
		return nil
	}
	var err error
	if *d, err = time.ParseDuration(fmt.Sprint(value)); err != nil {
		return notDurationError{string(text)}
	}
	return nil
})

// notDurationError is a value, as written, where a duration belongs.
type notDurationError struct{ value string }

func (e notDurationError) Error() string {
	return fmt.Sprintf("%s is not a duration: write it like 500ms, 20s, 30m or 72h; only 0 needs no unit", strings.TrimSpace(e.value))
}

// where places the error.
func (e notDurationError) where(file []byte, at *lifecycle.Settings) lifecycle.Problem {
	for _, t := range (Config{}).times() {
		path, err := yaml.PathString("$." + t.setting)
		if err != nil {
			continue
		}
		node, err := path.ReadNode(bytes.NewReader(file))
		if err != nil || node.String() != e.value {
			continue
		}
		return at.Problem(t.setting+": "+e.Error(), wrong(t.setting, "", "").Path...)
	}
	return at.Problem(e.Error())
}

// readFile puts a file over the settings. Unknown settings are errors; every problem has its line, but does not show it: it may hold a
// secret.
func readFile(name string, text []byte, c *Config) ([]lifecycle.Problem, *lifecycle.Settings) {
	at, err := lifecycle.ReadOwn(name, text)
	if tooMuch, ok := errors.AsType[*lifecycle.FileError](err); ok {
		return withoutExcerpts(tooMuch.Problems), nil
	}
	err = yaml.UnmarshalWithOptions(at.Text(), c, yaml.Strict(), readDurations)
	if err == nil {
		return nil, at
	}
	found := at.Explain(err, c)
	if notDuration, ok := errors.AsType[notDurationError](err); ok {
		found = []lifecycle.Problem{notDuration.where(at.Text(), at)}
	}
	return withoutExcerpts(found), at
}

func withoutExcerpts(problems []lifecycle.Problem) []lifecycle.Problem {
	for i := range problems {
		problems[i].Excerpt = ""
	}
	return problems
}

// Lint lists what is wrong with a file, without the environment and the flags that may complete it: what it lacks is no problem, and the
// files that hold its secrets are not read.
func Lint(name string, text []byte) []lifecycle.Problem {
	c := Default()
	problems, at := readFile(name, text, &c)
	if len(problems) > 0 {
		return problems
	}
	for _, e := range Problems(c.Validate()) {
		if !e.missing {
			problems = append(problems, at.Problem(e.Error(), e.Path...))
		}
	}
	return withoutExcerpts(problems)
}
