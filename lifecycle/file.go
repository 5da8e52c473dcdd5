package lifecycle

import "fmt"

// The shape of a lifecycle file. Lifecycle is what remains once it has been checked.

type fileDocument struct {
	Name        string           `yaml:"name"`
	Summary     string           `yaml:"summary"`
	LabelPrefix string           `yaml:"label-prefix"`
	Initial     string           `yaml:"initial"`
	BadRequest  string           `yaml:"bad-request"`
	Final       bool             `yaml:"terminal-is-final"`
	Force       *fileForce       `yaml:"force"`
	States      []fileState      `yaml:"states"`
	Forward     []fileOrder      `yaml:"forward"`
	Transitions []fileTransition `yaml:"transitions"`
	Executors   []fileExecutor   `yaml:"executors"`
	Commands    []fileCommand    `yaml:"commands"`
	Limits      []fileLimit      `yaml:"limits"`
	TimeOuts    []fileTimeOut    `yaml:"time-outs"`
	Triggers    []fileTrigger    `yaml:"triggers"`
	Guards      []fileGuard      `yaml:"guards"`
	Scales      []fileScale      `yaml:"scales"`
	Priority    []oneOrMore      `yaml:"priority"`
	Waiting     oneOrMore        `yaml:"waiting"`
	Reflection  *fileReflection  `yaml:"reflection"`
	Intake      string           `yaml:"intake"`
	TakesIn     string           `yaml:"takes-in"`
	Breaker     *fileBreaker     `yaml:"breaker"`
}

type fileState struct {
	Name        string      `yaml:"name"`
	Type        StateType   `yaml:"type"`
	Recovery    Recovery    `yaml:"recovery"`
	Label       string      `yaml:"label"`
	Previously  []string    `yaml:"previously"`
	Color       string      `yaml:"color"`
	Description string      `yaml:"description"`
	Meaning     string      `yaml:"meaning"`
	Glyph       string      `yaml:"glyph"`
	Closes      CloseReason `yaml:"closes"`
	Recommended string      `yaml:"recommended"`
	Sealed      bool        `yaml:"sealed"`
}

func (f fileState) state() State {
	return State(f)
}

// fileOrder makes every later state reachable from every earlier one.
type fileOrder struct {
	Source string   `yaml:"source"`
	Order  []string `yaml:"order"`
}

type fileTransition struct {
	Kind   Kind        `yaml:"kind"`
	Source string      `yaml:"source"`
	Pairs  []filePairs `yaml:"pairs"`
}

// filePairs is the product of its two sides.
type filePairs struct {
	From   oneOrMore `yaml:"from"`
	To     oneOrMore `yaml:"to"`
	Only   string    `yaml:"only"`
	Reason Demand    `yaml:"reason"`
	Why    string    `yaml:"why"`
}

type fileExecutor struct {
	Role     string            `yaml:"role"`
	WorksIn  oneOrMore         `yaml:"works-in"`
	Requests oneOrMore         `yaml:"requests"`
	Reasons  map[string]string `yaml:"reasons"`
	Claims   []fileClaim       `yaml:"claims"`
}

type fileClaim struct {
	From oneOrMore `yaml:"from"`
	To   oneOrMore `yaml:"to"`
}

type fileCommand struct {
	Verb       string            `yaml:"verb"`
	From       oneOrMore         `yaml:"from"`
	To         string            `yaml:"to"`
	Instead    map[string]string `yaml:"instead"`
	Otherwise  string            `yaml:"otherwise"`
	By         Commanders        `yaml:"by"`
	FreshStart bool              `yaml:"fresh-start"`
	Target     Demand            `yaml:"target"`
	Reason     Demand            `yaml:"reason"`
	Help       string            `yaml:"help"`
}

type fileLimit struct {
	Count   string    `yaml:"count"`
	To      string    `yaml:"to"`
	From    oneOrMore `yaml:"from"`
	AtMost  int       `yaml:"at-most"`
	Instead string    `yaml:"instead"`
	Why     string    `yaml:"why"`
	OnPull  bool      `yaml:"on-pull-request"`
}

type fileTimeOut struct {
	In    oneOrMore `yaml:"in"`
	After string    `yaml:"after"`
	To    string    `yaml:"to"`
	Why   string    `yaml:"why"`
}

type fileTrigger struct {
	On         Fact      `yaml:"on"`
	In         oneOrMore `yaml:"in"`
	Unless     oneOrMore `yaml:"unless"`
	To         string    `yaml:"to"`
	Since      Since     `yaml:"since"`
	AsksPerson bool      `yaml:"asks-person"`
	Holds      bool      `yaml:"holds"`
	Why        string    `yaml:"why"`
}

type fileGuard struct {
	Name       string          `yaml:"name"`
	Why        string          `yaml:"why"`
	Link       string          `yaml:"link"`
	From       oneOrMore       `yaml:"from"`
	To         oneOrMore       `yaml:"to"`
	Commands   oneOrMore       `yaml:"command"`
	Of         Askers          `yaml:"of"`
	Roles      oneOrMore       `yaml:"role"`
	Requires   []FileCondition `yaml:"requires"`
	Forbids    []FileCondition `yaml:"forbids"`
	Unless     []fileException `yaml:"unless"`
	NeedsHuman bool            `yaml:"needs-human"`
}

// FileCondition is how lifecycle files write a Condition: a setting for each kind, see ConditionKinds. The decoder of YAML needs its name.
type FileCondition struct {
	Is         oneOrMore `yaml:"is"`
	Login      oneOrMore `yaml:"login"`
	Role       oneOrMore `yaml:"role"`
	By         oneOrMore `yaml:"by"`
	MovedBy    oneOrMore `yaml:"moved-by"`
	InStateFor string    `yaml:"in-state-for"`
	Permission oneOrMore `yaml:"permission"`
	Team       oneOrMore `yaml:"team"`
	Fact       oneOrMore `yaml:"fact"`
	Label      oneOrMore `yaml:"label"`
	Milestone  oneOrMore `yaml:"milestone"`
	Assignee   oneOrMore `yaml:"assignee"`
	Type       oneOrMore `yaml:"type"`
	Title      oneOrMore `yaml:"title"`
	Body       oneOrMore `yaml:"body"`
	Section    oneOrMore `yaml:"section"`
	AtMost     int       `yaml:"at-most"`
}

type fileException struct {
	FileCondition `yaml:",inline"`
	Why           string `yaml:"why"`
}

type fileBreaker struct {
	Refusals int    `yaml:"refusals"`
	Within   string `yaml:"within"`
}

type fileScale struct {
	Name    string `yaml:"name"`
	Levels  int    `yaml:"levels"`
	High    int    `yaml:"high"`
	Color   string `yaml:"color"`
	Meaning string `yaml:"meaning"`
}

type fileReflection struct {
	In     oneOrMore `yaml:"in"`
	Words  string    `yaml:"words"`
	Within string    `yaml:"within"`
}

// oneOrMore is a word or a list of words.
type oneOrMore []string

// UnmarshalYAML accepts both spellings.
func (o *oneOrMore) UnmarshalYAML(decode func(any) error) error {
	var one string
	if err := decode(&one); err == nil {
		*o = oneOrMore{one}
		return nil
	}
	var more []string
	if err := decode(&more); err != nil {
		return fmt.Errorf("a state or a list of states: %w", err)
	}
	*o = more
	return nil
}
