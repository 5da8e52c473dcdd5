package lifecycle

// Mark is a label that Colony puts next to the state. It shares the prefix and is never a state.
type Mark struct {
	Label       string
	Color       string
	Description string
}

// The labels of the marks, the same in every lifecycle.
const (
	// NeedsHuman asks for a person. It goes when a person makes the next allowed move.
	NeedsHuman = "colony:needs-human"
	// Forced brackets a move that overrides the workflow, so that the log itself says so. Only Colony's own label counts: the fold ignores one that
	// anybody else puts there.
	Forced = "colony:forced"
	// Checked records that Colony checked the guards of a move that needed nothing else to be written, so that the log says so. It goes immediately;
	// only Colony's own counts.
	Checked = "colony:checked"
)

// Marks returns the labels that Colony provisions in addition to the states of a lifecycle.
func Marks() []Mark {
	return []Mark{
		{
			Label: NeedsHuman, Color: "d93f0b",
			Description: "Colony asks a person to look. It goes when a person next makes a legal move.",
		},
		{
			Label: Forced, Color: "5319e7",
			Description: "Colony marks forced moves.",
		},
		{
			Label: Checked, Color: "c5def5",
			Description: "Colony notes that it checked the conditions of a move.",
		},
	}
}

// IsMark reports whether a label is one of Colony's marks.
func IsMark(label string) bool {
	return SameLabel(label, NeedsHuman) || SameLabel(label, Forced) || SameLabel(label, Checked)
}
