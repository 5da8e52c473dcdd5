//go:build examples

package workflows

import (
	"fmt"
	"regexp"
	"strings"
)

// values holds what expressions may name: github.event.label.name, needs.claim.result. A name that is not there is an error,
// where GitHub takes it for an empty word: so a slip is found.
type values map[string]string

var between = regexp.MustCompile(`\$\{\{\s*(.*?)\s*\}\}`)

// fill replaces what stands between ${{ and }}.
func (v values) fill(text string) (string, error) {
	var wrong error
	filled := between.ReplaceAllStringFunc(text, func(found string) string {
		value, err := v.evaluate(between.FindStringSubmatch(found)[1])
		if err != nil {
			wrong = err
		}
		return value
	})
	return filled, wrong
}

// holds says whether an `if` lets a job run.
func (v values) holds(condition string) (bool, error) {
	value, err := v.evaluate(condition)
	return value != "" && value != no, err
}

const (
	yes = "true"
	no  = "false"
)

// evaluate computes the part of GitHub's expressions that the workflows use: words, names, always(), ==, !=, && and ||, which
// return one of their sides as in GitHub's documentation
// (https://docs.github.com/actions/reference/workflows-and-actions/expressions).
func (v values) evaluate(expression string) (string, error) {
	e := &expressionReader{values: v, tokens: tokens.FindAllString(expression, -1)}
	if left := strings.TrimSpace(tokens.ReplaceAllString(expression, "")); left != "" {
		return "", fmt.Errorf("%q: %q is not understood here", expression, left)
	}
	value, err := e.either()
	if err == nil && len(e.tokens) > 0 {
		err = fmt.Errorf("%q is too much", e.tokens)
	}
	if err != nil {
		return "", fmt.Errorf("%q: %w", expression, err)
	}
	return value, nil
}

var tokens = regexp.MustCompile(`'[^']*'|[A-Za-z_][\w.-]*(?:\(\))?|==|!=|&&|\|\||[()]`)

type expressionReader struct {
	values values
	tokens []string
}

func (e *expressionReader) takes(token string) bool {
	if len(e.tokens) == 0 || e.tokens[0] != token {
		return false
	}
	e.tokens = e.tokens[1:]
	return true
}

func (e *expressionReader) either() (string, error) {
	left, err := e.both()
	for err == nil && e.takes("||") {
		var right string
		right, err = e.both()
		if left == "" || left == no {
			left = right
		}
	}
	return left, err
}

func (e *expressionReader) both() (string, error) {
	left, err := e.compared()
	for err == nil && e.takes("&&") {
		var right string
		right, err = e.compared()
		if left != "" && left != no {
			left = right
		}
	}
	return left, err
}

func (e *expressionReader) compared() (string, error) {
	left, err := e.value()
	if err != nil {
		return "", err
	}
	equal := e.takes("==")
	if !equal && !e.takes("!=") {
		return left, nil
	}
	right, err := e.value()
	if strings.EqualFold(left, right) == equal { // GitHub's words are equal without regard to case
		return yes, err
	}
	return no, err
}

func (e *expressionReader) value() (string, error) {
	if len(e.tokens) == 0 {
		return "", fmt.Errorf("it ends where a value is expected")
	}
	token := e.tokens[0]
	e.tokens = e.tokens[1:]
	switch {
	case token == "(":
		value, err := e.either()
		if err == nil && !e.takes(")") {
			err = fmt.Errorf("a ) is missing")
		}
		return value, err
	case token == "always()":
		return yes, nil
	case token[0] == '\'':
		return strings.Trim(token, "'"), nil
	}
	value, ok := e.values[token]
	if !ok {
		return "", fmt.Errorf("nothing is called %s", token)
	}
	return value, nil
}
