package playground

import (
	"cmp"
	"slices"
)

// TimelineItems is the field timelineItems of Issue, oldest first: what mentions it, its labels, and its being closed and opened again. It refuses
// other kinds of lines, and their filters.
func (n *issueNode) TimelineItems(args struct {
	After, Before *string
	First, Last   *int32
	ItemTypes     *[]string
	Since         *dateTime
	Skip          *int32
},
) (*list[*timelineItem], error) {
	if args.ItemTypes == nil || args.Since != nil || args.Skip != nil {
		return nil, n.c.notImplemented("Issue.timelineItems but with itemTypes alone")
	}
	var found []*timelineItem
	if slices.Contains(*args.ItemTypes, "CROSS_REFERENCED_EVENT") {
		for _, m := range n.i.mentions {
			if n.c.actor.sees(m.source.repo) && !m.source.deleted && m.source.movedTo == nil {
				found = append(found, &timelineItem{c: n.c, m: m})
			}
		}
	}
	for _, e := range n.c.p.visibleEvents(n.i) {
		if is, known := timelineEvents[e.event]; known && slices.Contains(*args.ItemTypes, is) {
			found = append(found, &timelineItem{c: n.c, e: e})
		}
	}
	slices.SortStableFunc(found, func(a, b *timelineItem) int { return cmp.Compare(a.number(), b.number()) })
	return listed(found, "timelineItems", bounds{args.First, args.Last, args.After, args.Before}, (*timelineItem).id)
}

// timelineEvents are the lines of the log that timelineItems has, by what GitHub calls their kind.
var timelineEvents = map[string]string{
	"labeled": "LABELED_EVENT", "unlabeled": "UNLABELED_EVENT", "closed": "CLOSED_EVENT", "reopened": "REOPENED_EVENT",
}

// timelineItem is a line of an issue's timeline: a cross-reference, or else a line of the log.
type timelineItem struct {
	c *call
	m *crossReference
	e *issueEvent
}

// number is the place of a line among all that ever happened.
func (n *timelineItem) number() int64 {
	if n.m != nil {
		return n.m.id
	}
	return n.e.id
}

func (n *timelineItem) id() string {
	if n.m != nil {
		return nodeID("CRE", n.m.id)
	}
	return nodeID("E", n.e.id)
}

func (n *timelineItem) is(event string) (*timelineItem, bool) {
	return n, n.e != nil && n.e.event == event
}

// ToCrossReferencedEvent and its likes say which kind of line it is.
func (n *timelineItem) ToCrossReferencedEvent() (*timelineItem, bool) { return n, n.m != nil }

func (n *timelineItem) ToLabeledEvent() (*timelineItem, bool) { return n.is("labeled") }

func (n *timelineItem) ToUnlabeledEvent() (*timelineItem, bool) { return n.is("unlabeled") }

func (n *timelineItem) ToClosedEvent() (*timelineItem, bool) { return n.is("closed") }

func (n *timelineItem) ToReopenedEvent() (*timelineItem, bool) { return n.is("reopened") }

func (n *timelineItem) CreatedAt() dateTime {
	if n.m != nil {
		return *editedAt(n.m.created)
	}
	return *editedAt(n.e.created)
}

func (n *timelineItem) Source() *subject { return &subject{n.c, n.m.source} }

func (n *timelineItem) Actor() *actorNode { return editorNode(n.e.actor) }

// Label is the label as it was called then: the log is not rewritten when one is renamed.
func (n *timelineItem) Label() *labelNode {
	name, _ := n.e.label["name"].(string)
	if l := n.e.issue.repo.label(name); l != nil {
		return &labelNode{l}
	}
	color, _ := n.e.label["color"].(string)
	return &labelNode{&label{name: name, color: color}}
}
