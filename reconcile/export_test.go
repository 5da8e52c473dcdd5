package reconcile

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"sync"

	"github.com/colony-app/colony/github/issues"
)

// Forget drops what this process knows of issues.
func (r *Reconciler) Forget() { r.memories.of.Purge() }

// RowsAlone plans with each row of the table of features deleted whenever something is planned from now on.
type RowsAlone struct {
	mu    sync.Mutex
	wrote map[string]int
}

// CheckRows appends a row that fails a plan in which a row changes what others write, or its words.
func CheckRows() *RowsAlone {
	rows := slices.Clone(features)
	c := &RowsAlone{wrote: map[string]int{}}
	features = append(features, feature{
		name: "check", applies: func(planning) bool { return true },
		plan: func(ctx context.Context, p planning) ([]issues.Write, error) { return nil, c.check(ctx, rows, p) },
	})
	return c
}

func (c *RowsAlone) check(ctx context.Context, rows []feature, p planning) error {
	all, err := planRows(ctx, rows, p)
	if err != nil {
		return err
	}
	before := 0 // writes of the rows before
	for i, f := range rows {
		own, err := planRows(ctx, rows[i:i+1], p)
		if err != nil {
			return err
		}
		others, err := planRows(ctx, slices.Delete(slices.Clone(rows), i, i+1), p)
		if err != nil {
			return err
		}
		if want := slices.Concat(all[:before], all[before+len(own):]); len(others)+len(want) > 0 && !reflect.DeepEqual(others, want) {
			panic(fmt.Sprintf("without the row %q others write %v, and with it %v", f.name, others, want))
		}
		before += len(own)
		c.mu.Lock()
		c.wrote[f.name] += len(own)
		c.mu.Unlock()
	}
	return nil
}

// Silent lists the rows that wrote nothing.
func (c *RowsAlone) Silent() (names []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for name, n := range c.wrote {
		if n == 0 {
			names = append(names, name)
		}
	}
	return names
}
