package lifecycle

// StateType says who is expected to act while an issue is in a state. The words are the field's own.
type StateType string

// The state types a lifecycle file may use.
const (
	Active        StateType = "active"         // work is under way or waits to be picked up
	Blocked       StateType = "blocked"        // nothing moves until a cause is gone; see Recovery
	AwaitingHuman StateType = "awaiting-human" // a person is asked for something
	Terminal      StateType = "terminal"       // the end: no way out
)

// Recovery says how a blocked state is left: on its own once its cause is gone, or only when a person acts.
type Recovery string

// The recoveries a blocked state may have.
const (
	RecoveryAuto   Recovery = "auto"
	RecoveryManual Recovery = "manual"
)

// CloseReason is why an issue is closed, in GitHub's words (https://docs.github.com/rest/issues/issues#update-an-issue).
type CloseReason string

// The reasons that a lifecycle may name.
const (
	ClosedCompleted  CloseReason = "completed"
	ClosedNotPlanned CloseReason = "not_planned"
)

// Outside names the state of an issue without any state label in a lifecycle whose initial state has one. It is not
// among the states that the lifecycle lists.
const Outside = "outside"

// State is one state of a lifecycle, with the label that stores it.
type State struct {
	// Name is the state's slug: kebab-case, 1 to 64 characters.
	Name string
	Type StateType
	// Recovery is set for blocked states only.
	Recovery Recovery
	// Label is the full label name, prefix included; empty for the state of an issue that carries no state label.
	Label string
	// Previously are other names that the label had, or that another label had in its place. In a log, and on an issue, they mean the
	// state; Colony puts Label there instead.
	Previously []string
	// Color is the label's colour: six hexadecimal digits without "#", as GitHub's labels API wants it.
	Color string
	// Description is the label's description, at most 100 characters (GitHub's limit).
	Description string
	// Meaning is one sentence for people, without GitHub's limit on length.
	Meaning string
	// Glyph is a sign for the state in lists for people; it may be empty.
	Glyph string
	// Closes is how GitHub closes an issue that comes to this state; empty if it stays open.
	Closes CloseReason
	// Recommended is what a careful operator does with an issue in this state: the name of the state to move it to, or a command of the
	// lifecycle with a slash before its verb. It may be empty; see advice.Recommend.
	Recommended string
	// Sealed says that title and text of an issue in this state are those that were approved when it came here: see statemachine.Table.Approval.
	Sealed bool
}

// names lists the names of labels that mean the state, the present one first.
func (s *State) names() []string {
	if s.Label == "" {
		return nil
	}
	return append([]string{s.Label}, s.Previously...)
}
