package access

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"github.com/colony-app/colony/github/issues"
)

// askedAtOnce is for how many repositories one question asks. GitHub counts such a question as one point
// (https://docs.github.com/graphql/overview/rate-limits-and-query-limits-for-the-graphql-api).
const askedAtOnce = 100

// Among returns the repositories, out of some, that a viewer can read, in their order. On a server that has GraphQL, it costs a call for each
// hundred repositories that nothing is known about yet. Elsewhere it costs one for each. Errors are those of MayRead.
func (r *Reader) Among(ctx context.Context, v Viewer, repositories []issues.Repository) ([]issues.Repository, error) {
	now := r.Clock.Now()
	var unknown []issues.Repository
	for _, repo := range repositories {
		if v.everything || !IsName(repo.Owner, repo.Name) {
			continue
		}
		if _, ok := r.kept(questionOf(v, repo.Owner, repo.Name, 0), now); !ok || isFresh(ctx) {
			unknown = append(unknown, repo)
		}
	}
	said := map[question]bool{}
	for len(unknown) > 0 {
		some := unknown[:min(askedAtOnce, len(unknown))]
		unknown = unknown[len(some):]
		answers, err := r.askSome(ctx, v, some)
		if err != nil {
			return nil, err
		}
		for i, repo := range some {
			q := questionOf(v, repo.Owner, repo.Name, 0)
			answers[i].until = now.Add(Kept)
			r.answers.Add(q, answers[i])
			said[q] = answers[i].may
		}
	}
	var readable []issues.Repository
	for _, repo := range repositories {
		may, ok := said[questionOf(v, repo.Owner, repo.Name, 0)] // what was just asked might be forgotten already
		if !ok {
			var err error
			if may, err = r.MayRead(ctx, v, repo.Owner, repo.Name, 0); err != nil {
				return nil, err
			}
		}
		if may {
			readable = append(readable, repo)
		}
	}
	return readable, nil
}

func (r *Reader) askSome(ctx context.Context, v Viewer, some []issues.Repository) ([]answer, error) {
	answers := make([]answer, len(some))
	if len(some) > 1 {
		may, ok, err := r.askGraphQL(ctx, v, some)
		if err != nil {
			return nil, err
		}
		if ok {
			for i := range may {
				answers[i].may = may[i]
			}
			return answers, nil
		}
	}
	for i, repo := range some {
		var err error
		if answers[i], err = r.askMay(ctx, v, repo.Owner, repo.Name, 0); err != nil {
			return nil, err
		}
	}
	return answers, nil
}

// askGraphQL asks for some repositories with one question. ok is false if the server does not have GraphQL.
func (r *Reader) askGraphQL(ctx context.Context, v Viewer, some []issues.Repository) (may []bool, ok bool, err error) {
	var said struct {
		Data   map[string]*struct{ ID string } `json:"data"`
		Errors []struct {
			Type    string `json:"type"`
			Message string `json:"message"`
			Path    []any  `json:"path"`
		} `json:"errors"`
	}
	err = r.Client(v.token).GraphQL(ctx, questionFor(some), &said)
	switch status, _ := statusOf(err); {
	case status == http.StatusUnauthorized:
		return nil, false, r.forget(v)
	case status == http.StatusNotFound:
		return nil, false, nil
	case err != nil:
		return nil, false, fmt.Errorf("ask GitHub which repositories %s may read: %w", v, err)
	}
	refused := map[string]bool{}
	for _, e := range said.Errors {
		name := ""
		if len(e.Path) > 0 {
			name, _ = e.Path[0].(string)
		}
		if e.Type != "NOT_FOUND" && e.Type != "FORBIDDEN" || name == "" {
			return nil, false, fmt.Errorf("ask GitHub which repositories %s may read: GitHub answered %q", v, e.Message)
		}
		refused[name] = true
	}
	may = make([]bool, len(some))
	for i := range some {
		may[i] = said.Data[alias(i)] != nil
		if !may[i] && !refused[alias(i)] {
			return nil, false, fmt.Errorf("ask GitHub which repositories %s may read: it does not say whether %s", v, some[i])
		}
	}
	return may, true, nil
}

// questionFor asks for the issues of repositories, each under an alias: a token that can read the repository only gets an error for them. Names hold nothing that would end a string: see IsName.
func questionFor(some []issues.Repository) string {
	var b strings.Builder
	b.WriteString("query {")
	for i, repo := range some {
		fmt.Fprintf(&b, " %s: repository(owner: %q, name: %q, followRenames: false) { id issues(first: 1) { totalCount } }", alias(i), repo.Owner, repo.Name)
	}
	b.WriteString(" }")
	return b.String()
}

func alias(i int) string { return fmt.Sprintf("r%d", i) }
