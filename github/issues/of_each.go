package issues

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
)

// ofEach asks one question about repositories of one installation, and reads the answer about each, all by their places. GitHub answers nothing if it
// has not one of the repositories. It reports whether elements of lists, or parts of them, are not in the answer.
func (s lists) ofEach(ctx context.Context, of []Repository, what string, fields func(n int) string, read func(n int, told json.RawMessage) error) (withholds bool, err error) {
	if len(of) == 0 {
		return false, nil
	}
	var data map[string]json.RawMessage
	withheld, err := s.about(s.client(of[0]), Ref{Repository: of[0]}).queryPartly(ctx, queryOfEach(of, fields), nil, &data)
	if err != nil {
		return false, fmt.Errorf("%s of %d repositories: %w", what, len(of), err)
	}
	for n, repo := range of {
		if err := read(n, data[fmt.Sprint("r", n)]); err != nil {
			return false, fmt.Errorf("%s of %s: %w", what, repo, err)
		}
	}
	return len(withheld) > 0, nil
}

// queryOfEach is the question. Repositories with the same fields share a fragment.
func queryOfEach(of []Repository, fields func(n int) string) string {
	var query, fragments strings.Builder
	known := map[string]int{}
	query.WriteString("query {\n")
	for n, repo := range of {
		asked := fields(n)
		fragment, ok := known[asked]
		if !ok {
			fragment = len(known)
			known[asked] = fragment
			fmt.Fprintf(&fragments, "fragment f%d on Repository {\n  %s\n}\n", fragment, asked)
		}
		fmt.Fprintf(&query, "  r%d: repository(owner: %s, name: %s) { ...f%d }\n", n, quoted(repo.Owner), quoted(repo.Name), fragment)
	}
	return query.String() + "}\n" + fragments.String()
}

// quoted is a text as GraphQL has it, which is as JSON has it.
func quoted(text string) string {
	is, _ := json.Marshal(text) // a string
	return string(is)
}
