package lifecycle

// StateType says who is expected to act while an issue is in a state. The words are the field's own.
type StateType string

// The state types a lifecycle file can use.
const (
	Active        StateType = "active"         // work is under way or waits to be picked up
	Blocked       StateType = "blocked"        // nothing moves until a cause is gone; see Recovery
	AwaitingHuman StateType = "awaiting-human" // a person is asked for something
	Terminal      StateType = "terminal"       // the end: no way out
)

// Recovery says how a blocked state is left: on its own once its cause is gone, or only when a person acts.
type Recovery string

// The recoveries a blocked state can have.
const (
	RecoveryAuto   Recovery = "auto"
	RecoveryManual Recovery = "manual"
)

// CloseReason is why an issue is closed, in GitHub's words (https://docs.github.com/rest/issues/issues#update-an-issue).
type CloseReason string

// The reasons that a lifecycle can name.
const (
	ClosedCompleted  CloseReason = "completed"
	ClosedNotPlanned CloseReason = "not_planned"
)

// Outside names the state of an issue without any state label in a lifecycle whose initial state has one. It is not
// among the states that the lifecycle lists.
const Outside = "outside"

// State is one state of a lifecycle, with the label that stores it.
type State struct {
	Name string    `yaml:"name" json:"name" is:"slug" twice:"state %q is listed twice" means:"What the state is called, in kebab-case."`
	Type StateType `yaml:"type" json:"type" is:"word,needed" means:"Who should act."`
	// Recovery is set for blocked states only.
	Recovery Recovery `yaml:"recovery" json:"recovery,omitempty" means:"How an issue leaves a blocked state."`
	// Label is the full name, prefix included; empty for the state of an issue that carries no state label.
	Label       string   `yaml:"label" json:"label,omitempty" is:"label" means:"The label that stores the state: any name that GitHub takes, without a comma. Only the initial state may have none."`
	Previously  []string `yaml:"previously" json:"previously,omitempty" is:"label,once" most:"10 names" means:"Other names that mean the same: what the label was called before, or the label that a repository had in its place. Colony renames such a label, and puts the present one on issues."`
	Color       string   `yaml:"color" json:"color,omitempty" is:"color" means:"The label's colour: six hexadecimal digits."`
	Description string   `yaml:"description" json:"description,omitempty" longest:"100" means:"The label's description; GitHub takes 100 characters."`
	Meaning     string   `yaml:"meaning" json:"meaning" is:"plain,needed" missing:"state %q has no meaning: one sentence for people" means:"One sentence for people that says what the state is."`
	Glyph       string   `yaml:"glyph" json:"glyph,omitempty" longest:"4" means:"A sign for the state in lists."`
	// Closes is empty if an issue that comes to this state stays open.
	Closes CloseReason `yaml:"closes" json:"closes,omitempty" is:"word" means:"How Colony closes an issue that reaches this terminal state; without it the issue stays open."`
	// Recommended is the name of a state, or a command with a slash before its verb. See advice.Of.
	Recommended string `yaml:"recommended" json:"recommended,omitempty" is:"recommended" means:"What comes next once the work of this state is done: a state to move the issue to, or a command of the lifecycle such as /retry. Colony advises it where the state asks a person for a decision, and where work stopped."`
	// Sealed: see statemachine.Table.Approval.
	Sealed bool `yaml:"sealed" json:"sealed,omitempty" means:"Whether title and text have to stay as they were when the issue was approved, that is, came to this state. Needs a trigger on text-changed."`
}
