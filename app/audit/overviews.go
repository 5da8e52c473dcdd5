package audit

import (
	"context"
	"slices"

	"github.com/colony-app/colony/github/issues"
)

// overviewsAtOnce is how many repositories one question is about: GitHub ends a question after ten seconds.
const overviewsAtOnce = 10

// overviews asks for the open issues of repositories of one installation, ten by one question, and returns what waits for the answer about one.
// Without an answer, the repository is listed on its own; so is each one of an audit, which reads closed issues too.
func (a *auditor) overviews(ctx context.Context, list []issues.Repository) func(n int) issues.Overview {
	if a.open == nil || len(list) == 1 {
		return func(int) issues.Overview { return issues.Overview{} }
	}
	type answer struct {
		told []issues.Overview
		done chan struct{}
	}
	var answers []*answer
	for some := range slices.Chunk(list, overviewsAtOnce) {
		one := &answer{make([]issues.Overview, len(some)), make(chan struct{})}
		answers = append(answers, one)
		a.questions.Go(func() {
			defer close(one.done)
			if told, err := a.Reconciler.Store.Overviews(ctx, some); err == nil {
				one.told = told
			}
		})
	}
	return func(n int) issues.Overview {
		one := answers[n/overviewsAtOnce]
		<-one.done
		return one.told[n%overviewsAtOnce]
	}
}
