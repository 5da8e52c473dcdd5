package config

import (
	"errors"

	"github.com/colony-app/colony/lifecycle"
)

// readFile puts a file over the settings. Unknown settings are errors; every problem has its line, but does not show it: it might hold a secret.
func readFile(name string, text []byte, c *Config) ([]lifecycle.Problem, *lifecycle.Settings) {
	at, err := lifecycle.ReadOwn(name, text, c)
	if wrong, ok := errors.AsType[*lifecycle.FileError](err); ok {
		return withoutExcerpts(wrong.Problems), nil
	}
	return nil, at
}

func withoutExcerpts(problems []lifecycle.Problem) []lifecycle.Problem {
	for i := range problems {
		problems[i].Excerpt = ""
	}
	return problems
}

// Lint lists what is wrong with a file, without the environment and the flags that can complete it. What it lacks is no problem, and the files
// that hold its secrets are not read.
func Lint(name string, text []byte) []lifecycle.Problem {
	c := Default()
	problems, at := readFile(name, text, &c)
	if len(problems) > 0 {
		return problems
	}
	for _, e := range Joined[SettingError](c.Validate()) {
		if !e.missing {
			problems = append(problems, at.Problem(e.Error(), e.Path...))
		}
	}
	return withoutExcerpts(problems)
}
