package board

import (
	"fmt"

	"github.com/colony-app/colony/app/inspect"
	"github.com/colony-app/colony/statemachine"
)

// The measures of a drawing, in units of its view box.
const (
	nodeHeight, nodeGap    = 26, 10
	nodeLeft, nodeWidth    = 190, 220
	drawingWidth, drawEdge = 600, 12
)

// drawing is a lifecycle with the way of an issue through it: the states in a column, the moves down as arcs at the right, and the moves up
// at the left.
type drawing struct {
	Width, Height int
	Nodes         []node
	Arcs          []arc
	Alternative   string
}

type node struct {
	X, Y, Width, Height, TextX, TextY int
	Name, Glyph, Class                string
	Visits                            int
}

type arc struct{ Path, Class, Title string }

func draw(life *statemachine.Table, s *inspect.Issue) drawing {
	d := drawing{Width: drawingWidth}
	place, visits := map[string]int{}, map[string]int{}
	for _, st := range s.Trail {
		visits[st.To]++
	}
	for n, state := range life.States {
		place[state.Name] = n
		y := drawEdge + n*(nodeHeight+nodeGap)
		class := "state"
		switch {
		case state.Name == s.State:
			class += " now"
		case visits[state.Name] > 0:
			class += " been"
		}
		d.Nodes = append(d.Nodes, node{nodeLeft, y, nodeWidth, nodeHeight, nodeLeft + nodeWidth/2, y + nodeHeight/2 + 5, state.Name, state.Glyph, class, visits[state.Name]})
	}
	d.Height = 2*drawEdge + len(life.States)*(nodeHeight+nodeGap) - nodeGap
	add := func(from, to, class, title string) {
		a, known := place[from]
		b, also := place[to]
		if known && also {
			d.Arcs = append(d.Arcs, arc{arcOf(a, b, len(life.States)), class, title})
		}
	}
	for _, next := range s.Allowed {
		add(s.State, next.To, "next", "may go from "+s.State+" to "+next.To)
	}
	for n, st := range s.Trail {
		add(st.From, st.To, "gone", fmt.Sprintf("move %d: from %s to %s", n+1, st.From, st.To))
	}
	d.Alternative = fmt.Sprintf("The lifecycle %s with its %s. The issue is in %s; it made %s, and may go on to %s.",
		life.Name, count(len(life.States), "state"), s.State, count(len(s.Trail), "move"), count(len(s.Allowed), "state"))
	return d
}

// arcOf is the way from one of so many places to another.
func arcOf(a, b, of int) string {
	side, bend := nodeLeft+nodeWidth, 1
	if b < a {
		side, bend = nodeLeft, -1
	}
	from, to := middle(a), middle(b)
	far := b - a
	if far < 0 {
		far = -far
	}
	reach := side + bend*(24+far*200/max(1, of-1))
	if a == b {
		from, to = from-6, to+6
	}
	return fmt.Sprintf("M%d %d C%d %d %d %d %d %d", side, from, reach, from, reach, to, side+bend*3, to)
}

func middle(n int) int { return drawEdge + n*(nodeHeight+nodeGap) + nodeHeight/2 }
