package cli

import (
	"fmt"
	"io"
	"reflect"

	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// The JSON form, for programs: the rows as lifecycle files have them, with each move spelled out. Its names are those of the tags, and do not
// change when those of the Go types do.
type (
	lifecycleJSON struct {
		lifecycle.Document
		Intake  string           `json:"intake,omitempty"`
		TakesIn string           `json:"takes_in,omitempty"`
		Force   forceJSON        `json:"force"`
		Scales  []scaleJSON      `json:"scales"`
		Guards  []guardJSON      `json:"guards"`
		Pairs   []lifecycle.Pair `json:"pairs"`
	}
	// forceJSON adds the permission, which no issue is reconciled by.
	forceJSON struct {
		lifecycle.Force
		By string `json:"by,omitempty"`
	}
	// scaleJSON has its labels by level, from 0.
	scaleJSON struct {
		lifecycle.Scale
		Levels any      `json:"levels,omitempty"`
		Labels []string `json:"labels"`
	}
	// guardJSON has its conditions as lifecycle files write them: "moved-by: people".
	guardJSON struct {
		lifecycle.Guard
		Requires []string `json:"requires,omitempty"`
		Forbids  []string `json:"forbids,omitempty"`
		Unless   []string `json:"unless,omitempty"`
	}
)

func printJSON(w io.Writer, life *statemachine.Table) error {
	out := lifecycleJSON{Document: life.Document, Intake: life.Intake, TakesIn: life.TakesIn, Force: forceJSON{life.Force, life.Force.By}, Pairs: life.Pairs}
	for _, s := range life.Scales {
		scale := scaleJSON{Scale: s}
		for level := range s.Levels {
			scale.Labels = append(scale.Labels, s.Label(level))
		}
		out.Scales = append(out.Scales, scale)
	}
	for _, g := range life.Guards {
		guard := guardJSON{g, written(g.Requires), written(g.Forbids), written(g.Unless)}
		out.Guards = append(out.Guards, guard)
	}
	withoutNull(reflect.ValueOf(&out).Elem())
	if err := printPlain(w, out); err != nil {
		return fmt.Errorf("write lifecycle %s as JSON: %w", life.Name, err)
	}
	return nil
}

func written[C fmt.Stringer](conditions []C) (all []string) {
	for _, c := range conditions {
		all = append(all, c.String())
	}
	return all
}

// withoutNull makes of no list an empty one: programs need not tell null from [].
func withoutNull(v reflect.Value) {
	switch {
	case v.Kind() == reflect.Struct:
		for _, field := range v.Fields() {
			withoutNull(field)
		}
	case v.Kind() == reflect.Slice && v.IsNil() && v.CanSet():
		v.Set(reflect.MakeSlice(v.Type(), 0, 0))
	case v.Kind() == reflect.Slice:
		for i := range v.Len() {
			withoutNull(v.Index(i))
		}
	}
}
