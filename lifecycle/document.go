package lifecycle

import (
	"reflect"
	"time"
)

// Document is a lifecycle file: one field for each setting. The tags here, and in the types below it, say everything about a setting that
// its parser and its JSON Schema share:
//
//	yaml             its name
//	is               what it is: words of kindsOfSettings; a fact; or a word, which is one of the words of its path in vocabulary
//	missing          the problem where there is no text, on its row; %q is the name of the row
//	twice            the problem of a name that an earlier row has
//	as               how a problem with a word begins; without it, with the name of the setting
//	most             how many values a list can have, and what these are called
//	longest          how many characters a text can have, for the schema
//	from, to         the bounds of a number, for the schema
//	means            what it is for, for people who write it
type Document struct {
	Name    string `yaml:"name" json:"name" is:"slug" means:"What the lifecycle is called, in kebab-case."`
	Summary string `yaml:"summary" json:"summary" is:"plain,needed" means:"One sentence that says what the lifecycle is for."`
	// Prefix is empty for DefaultLabelPrefix. See LabelPrefix.
	Prefix string `yaml:"label-prefix" json:"label_prefix,omitempty" is:"prefix" means:"What the labels of scales begin with, and mostly those of states, such as status/. The default is colony:."`
	// Initial is a state that has no label, or, once the file is checked, Outside.
	Initial     string           `yaml:"initial" json:"initial" is:"name,needed" means:"The state in which issues begin. If it has no label, every issue without a label of the lifecycle is in it; if it has one, issues enter it from outside of the lifecycle."`
	BadRequest  string           `yaml:"bad-request" json:"bad_request" is:"name" means:"The state that an executor's bad request leads to, where the table allows it. Without it Colony only undoes a bad request."`
	Final       bool             `yaml:"terminal-is-final" json:"terminal_is_final" means:"Terminal states are final: not even /colony:force leads out of them."`
	Force       Force            `yaml:"force" json:"force" means:"What /colony:force may do, the one way round the table: off, the least permission that it takes, or who and into which states. Without it, what the settings say (commands.force), into every state."`
	States      []State          `yaml:"states" json:"states" is:"needed" most:"200 states" means:"The states, in the order in which Colony prints them."`
	Forward     []fileOrder      `yaml:"forward" json:"-" means:"Orders of states: an issue can go from every earlier one to every later one."`
	Transitions []fileTransition `yaml:"transitions" json:"-" means:"The other legal moves. Nobody may make a move that is not in the table, except with /colony:force."`
	Roles       Roles            `yaml:"executors" json:"roles" means:"The roles of bots: the moves that each may make, and the work that it may take. People with triage access or higher may make any move in the table."`
	Commands    Commands         `yaml:"commands" json:"commands" means:"Slash commands that move an issue. Every lifecycle also has: "`
	Limits      Limits           `yaml:"limits" json:"limits" most:"200 rows" means:"How often an issue may make a move before it goes elsewhere. A count starts again when a person moves the issue. Limits do not apply to people."`
	TimeOuts    TimeOuts         `yaml:"time-outs" json:"time_outs" most:"200 rows" means:"Where an issue goes after too long in a state. A state has at most one."`
	Triggers    Triggers         `yaml:"triggers" json:"triggers" most:"200 rows" means:"The facts that move an issue, without anyone asking. The first row that holds wins."`
	Guards      Guards           `yaml:"guards" json:"guards" most:"50 guards" means:"Who may make which moves of the table, and under which conditions. They are about what people and executors ask for, by label or by command."`
	Scales      []Scale          `yaml:"scales" json:"scales" most:"4 scales" means:"Sets of labels in addition to the state, one label for each level: colony:urgency/0 to colony:urgency/3."`
	Priority    []Words          `yaml:"priority" json:"priority" most:"200 rows" means:"The order of waiting issues, the most urgent first: each row names the scales that must be high together. Issues that fit no row come last; within a row the oldest is first."`
	Waiting     Words            `yaml:"waiting" json:"waiting" is:"states" means:"The states in which issues wait for someone to take them; /colony:next lists these issues."`
	Reflection  *Reflection      `yaml:"reflection" json:"reflection,omitempty" means:"Requires a written reflection on issues that ended. Colony reports an issue without it as an orphan."`
	// Intake is empty if there is no state for new issues. No request is checked against it.
	Intake  string `yaml:"intake" json:"-" is:"name" means:"The state into which Colony takes new issues of a repository that sets intake. Without it, that is the initial state, if that has a label."`
	TakesIn string `yaml:"takes-in" json:"-" is:"word" as:"%q" means:"Which new issues Colony takes in if a repository sets intake without when."`
}

// fileOrder makes every later state reachable from every earlier one.
type fileOrder struct {
	Source string   `yaml:"source" is:"plain" means:"Where the order comes from, such as a section of a document."`
	Order  []string `yaml:"order" is:"states" as:"the order" means:"The states, from the first to the last."`
}

type fileTransition struct {
	Kind   Kind        `yaml:"kind" is:"word,needed" means:"What kind of moves these are, for people."`
	Source string      `yaml:"source" is:"plain" means:"Where the moves come from, such as a section of a document."`
	Pairs  []filePairs `yaml:"pairs" means:"The moves."`
}

// filePairs is the product of its two sides.
type filePairs struct {
	From   Words  `yaml:"from" is:"states,needed" means:"The state or states that the move leaves; an issue without a label of the lifecycle is outside."`
	To     Words  `yaml:"to" is:"states,needed" means:"The state or states that it leads to: from each state of the one to each state of the other."`
	Only   string `yaml:"only" is:"word" means:"When the move is legal."`
	Reason Demand `yaml:"reason" is:"word" as:"reason %q of a pair" means:"Whether the move needs a written reason, so that nobody can make it by label."`
	// FreshStart is that of Pair.
	FreshStart bool   `yaml:"fresh-start" means:"The work starts again: Colony closes the pull requests of the issue that were open before the move, with a comment that links back."`
	Why        string `yaml:"why" is:"plain,needed" missing:"this pair has no why" means:"When an issue makes this move, for people."`
}

// fileClaim is the product of its two sides.
type fileClaim struct {
	From Words `yaml:"from" is:"states,needed" means:"The state or the states in which the work waits."`
	To   Words `yaml:"to" is:"states,needed" means:"The state of the work once the role has taken it."`
}

// FileCondition is how lifecycle files write a Condition: a setting for each kind. Its further tags are the vocabulary, see ConditionSpec. The decoder
// of YAML needs its name.
type FileCondition struct {
	Is         Words    `yaml:"is" is:"named" example:"author" says:"you are the %s" denies:"you are not the %s" means:"Who asks is the author, made the previous move (previous-mover), or is an executor with more than one role (several-roles)."`
	Login      Words    `yaml:"login" is:"named" example:"octocat" says:"you are %s" denies:"you are not %s" means:"Who asks has one of these logins."`
	Role       Words    `yaml:"role" is:"named" example:"reviewer" says:"you have the role %s" denies:"you do not have the role %s" means:"Who asks is an executor with one of these roles."`
	By         Words    `yaml:"by" is:"named" example:"command" says:"you ask by %s" denies:"you do not ask by %s" means:"The request is a command, or a label."`
	MovedBy    Words    `yaml:"moved-by" is:"named" example:"people" says:"%s made the move before" denies:"%s did not make the move before" means:"People, executors, or Colony on its own made the last move. Pausing, blocking and going back do not count."`
	InStateFor Duration `yaml:"in-state-for" example:"24h" says:"the issue has been in its state for %s" denies:"the issue has been in its state for less than %s" means:"The issue has been in its state this long."`
	Permission Words    `yaml:"permission" is:"named" read:"yes" example:"maintain" says:"you have the permission %s or higher" denies:"you do not have the permission %s" means:"Who asks has at least this permission: read, triage, write, maintain or admin."`
	Team       Words    `yaml:"team" is:"named" read:"yes" example:"acme/leads" says:"you are a member of the team %s" denies:"you are not a member of the team %s" means:"Who asks is in one of these teams (organisation/team)."`
	Fact       Words    `yaml:"fact" is:"named" read:"yes" example:"review-approved" says:"the fact %s holds" denies:"the fact %s does not hold" means:"One of these facts holds."`
	Label      Words    `yaml:"label" is:"named" read:"yes" example:"security" says:"the issue has the label %s" denies:"the issue does not have the label %s" means:"The issue has one of these labels."`
	Milestone  Words    `yaml:"milestone" is:"named" read:"yes" example:"any" says:"the issue is in the milestone %s" denies:"the issue is not in the milestone %s" means:"The issue is in one of these milestones, or in any."`
	Assignee   Words    `yaml:"assignee" is:"named" read:"yes" example:"any" says:"the issue is assigned to %s" denies:"the issue is not assigned to %s" means:"The issue is assigned to one of these logins, to its author, or to any."`
	Type       Words    `yaml:"type" is:"named" read:"yes" example:"Bug" says:"the issue has the type %s" denies:"the issue does not have the type %s" means:"The issue has one of these issue types."`
	Title      Words    `yaml:"title" is:"named" read:"yes" example:"^fix:" says:"the title matches %s" denies:"the title does not match %s" means:"The title matches one of these RE2 patterns."`
	Body       Words    `yaml:"body" is:"named" read:"yes" example:"(?i)acceptance" says:"the text matches %s" denies:"the text does not match %s" means:"The text of the issue matches one of these RE2 patterns."`
	Section    Words    `yaml:"section" is:"named" read:"yes" example:"Steps to reproduce" says:"the section %s is filled in" denies:"the section %s is empty" means:"One of these sections of the text is filled in, such as those of an issue form."`
	AtMost     int      `yaml:"at-most" from:"1" to:"1000" read:"yes" example:"3" says:"fewer than %s other issues are in that state" denies:"%s or more other issues are in that state" means:"Fewer than this many other open issues are in the state that the move leads to."`
}

// conditionOf returns the one condition that is set. Without exactly one it has no kind, and AtMost is their number.
func conditionOf(f FileCondition) Condition {
	var set []Condition
	for field, value := range reflect.ValueOf(f).Fields() {
		kind := ConditionKind(SettingOf(field))
		switch value := value.Interface().(type) {
		case Words:
			if value != nil {
				set = append(set, Condition{Kind: kind, Words: value})
			}
		case Duration:
			if value != 0 {
				set = append(set, Condition{Kind: kind, For: value})
			}
		case int:
			if value != 0 {
				set = append(set, Condition{Kind: kind, AtMost: value})
			}
		}
	}
	if len(set) != 1 {
		return Condition{AtMost: len(set), For: f.InStateFor}
	}
	return set[0]
}

// fileException is how lifecycle files write an Exception.
type fileException struct {
	FileCondition `yaml:",inline"`
	Why           string `yaml:"why" is:"plain,needed" means:"Why there is the exception, for people."`
}

// OneOrMore is a word or a list of words.
type OneOrMore[T ~string] []T

// Words is a word or a list of words.
type Words = OneOrMore[string]

// Duration is a time that lifecycle files write like 30m or 72h.
type Duration time.Duration

// String writes it as lifecycle files do.
func (d Duration) String() string { return Span(d) }

// MarshalText writes it as lifecycle files do; a time that is not set is empty.
func (d Duration) MarshalText() ([]byte, error) {
	if d == 0 {
		return nil, nil
	}
	return []byte(d.String()), nil
}
