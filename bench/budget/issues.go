package budget

import (
	"fmt"
	"net/http"
)

// issue is one that a person can move.
type issue struct {
	repo   string
	number int
}

// stock is issues that were not moved yet.
type stock struct{ left []issue }

// take takes issues out of the stock.
func (s *stock) take(n int) (taken []issue) {
	taken, s.left = s.left[:n], s.left[n:]
	return taken
}

// seed opens the issues of an organisation: many in the first repository, and some in each of the others.
func (w *world) seed(size Size) error {
	for n := range size.Issues {
		for _, name := range w.names[1:] {
			if err := w.open(name, n, &w.others); err != nil {
				return err
			}
		}
	}
	for n := range 2*size.Bulk + size.Burst + size.PerMinute*size.Minutes {
		if err := w.open(w.names[0], n, &w.crowd); err != nil {
			return err
		}
	}
	return nil
}

// open opens an issue that can be moved.
func (w *world) open(repo string, n int, into *stock) error {
	var opened struct{ Number int }
	if err := w.act(people[0], http.MethodPost, repo+"/issues", map[string]any{"title": fmt.Sprintf("Part %d", n), "labels": []string{labelBefore}}, &opened); err != nil {
		return err
	}
	into.left = append(into.left, issue{repo, opened.Number})
	return nil
}
