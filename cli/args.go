package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/colony-app/colony/bounded"
	"github.com/colony-app/colony/statemachine"
)

// unknownWord is a word of the command line that names nothing: it teaches what was probably meant, and what there is.
func unknownWord(what, word string, known []string) error {
	meant := ""
	if closest, ok := statemachine.Closest(word, known); ok {
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

// lifecycleText understands the name of a shipped lifecycle, the path of a file, and "-" for the standard input. It returns
// the text, and what to call it in messages. Names are kebab-case, so that whatever has a dot or a slash in it is a path.
func lifecycleText(word string) (name string, text []byte, err error) {
	switch {
	case word == "-" || strings.ContainsAny(word, `./\`):
		if name, text, err = fileText(word); err != nil {
			err = notRead("read the file", err)
		}
		return name, text, err
	case slices.Contains(statemachine.ShippedNames(), word):
		text, err = statemachine.ShippedFile(word)
		return word + ".yml", text, err
	}
	return "", nil, unknownWord("lifecycle", word, statemachine.ShippedNames())
}

// fileText reads a file, or the standard input for "-", and returns what to call it in messages. It has the bound that a server has.
func fileText(path string) (name string, text []byte, err error) {
	if path == "-" {
		name = "standard input"
		text, err = bounded.Read(os.Stdin, name, statemachine.MaxFile)
		return name, text, err
	}
	text, err = bounded.File(path, statemachine.MaxFile)
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

// lifecycleOf returns the lifecycle that a word of the command line names.
func lifecycleOf(word string) (*statemachine.Lifecycle, error) {
	name, text, err := lifecycleText(word)
	if err != nil {
		return nil, err
	}
	return parsed(name, text)
}

func parsed(name string, text []byte) (*statemachine.Lifecycle, error) {
	life, err := statemachine.Parse(name, text)
	if err != nil {
		return nil, wrongUsage{fmt.Sprintf("%s is not a lifecycle that can be used:\n%v", name, err)}
	}
	return life, nil
}

// stateOf understands a state's name and its label, in any case.
func stateOf(life *statemachine.Lifecycle, word string) (string, error) {
	if s, ok := life.State(strings.ToLower(word)); ok {
		return s.Name, nil
	}
	if s, ok := life.StateOf(word); ok {
		return s.Name, nil
	}
	known := life.StateNames()
	if life.Initial == statemachine.Outside {
		known = append([]string{statemachine.Outside}, known...)
	}
	return "", unknownWord("state of lifecycle "+life.Name, word, known)
}

// actorOf understands the kinds of actors and the roles of a lifecycle. A role is an executor bound to it.
func actorOf(life *statemachine.Lifecycle, word string) (statemachine.Actor, error) {
	known := []string{string(statemachine.Operator), string(statemachine.Executor)}
	for _, r := range life.Roles {
		known = append(known, r.Name)
	}
	known = append(known, string(statemachine.Author), string(statemachine.Colony))

	word = strings.ToLower(word)
	switch kind := statemachine.ActorKind(word); kind {
	case statemachine.Operator, statemachine.Executor, statemachine.Author, statemachine.Colony:
		return statemachine.Actor{Kind: kind}, nil
	}
	if _, ok := life.Roles.Named(word); ok {
		return statemachine.Actor{Kind: statemachine.Executor, Roles: []string{word}}, nil
	}
	return statemachine.Actor{}, unknownWord("actor or role of lifecycle "+life.Name, word, known)
}
