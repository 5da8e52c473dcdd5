package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/colony-app/colony/bounded"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// unknownWord is a word of the command line that names nothing: it teaches what was probably meant, and what there is.
func unknownWord(what, word string, known []string) error {
	meant := ""
	if closest, ok := lifecycle.Closest(word, known); ok {
		meant = fmt.Sprintf(" Did you mean %q?", closest)
	}
	return wrongUsage{fmt.Sprintf("no %s is called %q.%s\nThere are: %s", what, word, meant, strings.Join(known, ", "))}
}

// tokenIn returns the token in the variable that --token-env names; empty if that names none.
func tokenIn(variable string) (string, error) {
	token := os.Getenv(variable)
	if variable != "" && token == "" {
		return "", wrongUsage{fmt.Sprintf("--token-env: the environment variable %s is empty or not set", variable)}
	}
	return token, nil
}

// lifecycleText understands the name of a shipped lifecycle, the path of a file, and "-" for the standard input. It returns the text, and what to
// call it in messages. Names are kebab-case, so that a word with a dot or a slash in it is a path.
func lifecycleText(word string) (name string, text []byte, err error) {
	switch {
	case word == "-" || strings.ContainsAny(word, `./\`):
		if name, text, err = fileText(word); err != nil {
			err = notRead("read the file", err)
		}
		return name, text, err
	case slices.Contains(lifecycle.ShippedNames(), word):
		text, err = lifecycle.ShippedFile(word)
		return word + ".yml", text, err
	}
	return "", nil, unknownWord("lifecycle", word, lifecycle.ShippedNames())
}

// fileText reads a file, or the standard input for "-", and returns what to call it in messages. It has the bound that a server has.
func fileText(path string) (name string, text []byte, err error) {
	if path == "-" {
		name = "standard input"
		text, err = bounded.Read(os.Stdin, name, lifecycle.MaxFile)
		return name, text, err
	}
	text, err = bounded.File(path, lifecycle.MaxFile)
	return filepath.ToSlash(path), text, err
}

// doShorten is what to do about a file that is too large.
const doShorten = " -> shorten it, or name another file"

// notRead is the error of a command line that names a file which cannot be read.
func notRead(attempt string, err error) error {
	do := ""
	if _, tooLarge := errors.AsType[*bounded.TooLargeError](err); tooLarge {
		do = doShorten
	}
	return wrongUsage{fmt.Sprintf("%s: %v%s", attempt, err, do)}
}

// lifecycleOf returns the lifecycle that a word of the command line names, and its text.
func lifecycleOf(word string) (*statemachine.Table, []byte, error) {
	name, text, err := lifecycleText(word)
	if err != nil {
		return nil, nil, err
	}
	life, err := statemachine.Parse(name, text)
	if err != nil {
		return nil, nil, wrongUsage{fmt.Sprintf("%s is not a lifecycle that can be used:\n%v", name, err)}
	}
	return life, text, nil
}

// stateOf understands a state's name and its label, in any case.
func stateOf(life *statemachine.Table, word string) (string, error) {
	if s, ok := life.State(strings.ToLower(word)); ok {
		return s.Name, nil
	}
	if s, ok := life.StateOf(word); ok {
		return s.Name, nil
	}
	known := life.StateNames()
	if life.Initial == lifecycle.Outside {
		known = append([]string{lifecycle.Outside}, known...)
	}
	return "", unknownWord("state of lifecycle "+life.Name, word, known)
}

// actorOf understands the kinds of actors and the roles of a lifecycle. A role is a bot bound to it.
func actorOf(life *statemachine.Table, word string) (lifecycle.Actor, error) {
	known := []string{string(lifecycle.Operator), string(lifecycle.Executor)}
	for _, r := range life.Roles {
		known = append(known, r.Name)
	}
	known = append(known, string(lifecycle.Author), string(lifecycle.Colony))

	word = strings.ToLower(word)
	switch kind := lifecycle.ActorKind(word); kind {
	case lifecycle.Operator, lifecycle.Executor, lifecycle.Author, lifecycle.Colony:
		return lifecycle.Actor{Kind: kind}, nil
	}
	if _, ok := life.Roles.Named(word); ok {
		return lifecycle.Actor{Kind: lifecycle.Executor, Roles: []string{word}}, nil
	}
	return lifecycle.Actor{}, unknownWord("actor or role of lifecycle "+life.Name, word, known)
}
