package lifecycle

import (
	"reflect"
	"regexp"
	"strings"
)

// Shape returns the Go type that lifecycle files are decoded into; its yaml tags are the settings. It is for code that describes the
// files to others, as a JSON Schema does.
func Shape() reflect.Type { return reflect.TypeFor[fileDocument]() }

// IsOneOrMore reports whether a type of Shape stands for a word or a list of words.
func IsOneOrMore(t reflect.Type) bool { return t == reflect.TypeFor[oneOrMore]() }

// Facet describes one setting of a lifecycle file: what it is for, and what of its value can be checked without the rest of the
// file. Parse knows more.
type Facet struct {
	// Path is the setting's name below those it belongs to: "states.type". What holds for each value of a list or a map has its
	// name: a map's values are "executors.reasons.*".
	Path string
	// Meaning is for people who write the setting.
	Meaning string
	// Needed says that the setting cannot be left out.
	Needed bool
	// OneOf lists the words it may be, each with what it means where that is not plain.
	OneOf []Word
	// NoneOf lists words that it may not be.
	NoneOf []string
	// Pattern is a regular expression without lookarounds for the text, and for each of a list.
	Pattern string
	// Longest is how many characters a text may have, and Most how many values a list; 0 is no bound.
	Longest, Most int
	// From and To bound a number; without To there is no bound above.
	From, To int
	// Once says that a list names nothing twice.
	Once bool
	// Digits says that a word of digits is no number, although YAML takes it for one.
	Digits bool
}

// Word is one of the words that a setting can be.
type Word struct{ Word, Meaning string }

// maxSlug is how many characters a name has at most.
const maxSlug = 64

// plainCharacters is what texts for people are made of, as the inside of a class of a regular expression: see unplain.
var plainCharacters = `^` + regexp.QuoteMeta(unplain) + `\x00-\x1f\x7f-\x9f`

// A text for people. That it holds no address cannot be said without a lookaround.
var plainPattern = `^[` + plainCharacters + `]*$`

// What a line of a comment can begin with: a text without blanks around it that is no command.
var wordsPattern = `^[` + plainCharacters + `/\s]([` + plainCharacters + `/]*[` + plainCharacters + `/\s])?$`

// slugPattern is what names are made of; also outside and previous.
var slugPattern = slug.String()

// labelPattern is the name of a label.
var labelPattern = `^[^,\s\x00-\x1f\x7f-\x9f]([^,\x00-\x1f\x7f-\x9f]*[^,\s\x00-\x1f\x7f-\x9f])?$`

// recommendedPattern is a name, or a command.
var recommendedPattern = strings.Replace(slugPattern, "^", "^/?", 1)

// Facets describes every setting of a lifecycle file.
func Facets() []Facet {
	var facets []Facet
	for _, part := range [][]Facet{
		documentFacets(), stateFacets(), transitionFacets(), executorFacets(), commandFacets(), limitFacets(),
		automaticFacets(), guardFacets(), scaleFacets(), reflectionFacets(),
	} {
		facets = append(facets, part...)
	}
	return facets
}

func documentFacets() []Facet {
	return []Facet{
		{Path: "name", Meaning: "What the lifecycle is called, in kebab-case.", Needed: true, Pattern: slugPattern, Longest: maxSlug},
		{Path: "summary", Meaning: "One sentence that says what the lifecycle is for.", Needed: true, Pattern: plainPattern, Longest: maxText},
		{Path: "initial", Meaning: "The state in which issues begin. If it has no label, every issue without a label of the lifecycle is in it; if it has one, issues enter it from outside of the lifecycle.", Needed: true, Pattern: slugPattern},
		{Path: "bad-request", Meaning: "The state that an executor's bad request leads to, where the table allows it. Without it Colony only undoes a bad request.", Pattern: slugPattern},
		{Path: "label-prefix", Meaning: "What the labels of scales begin with, and mostly those of states, such as status/. The default is colony:.", Pattern: `^[` + plainCharacters + ` ][` + plainCharacters + `]*$`, Longest: maxPrefix},
		{Path: "terminal-is-final", Meaning: "Terminal states are final: not even /colony:force leads out of them."},
		{Path: "force", Meaning: "What /colony:force may do, the one way round the table: off, the least permission that it takes, or who and into which states. Without it, what the settings say (commands.force), into every state."},
		{Path: "force.by", Meaning: "The least permission in the repository that it takes, or off. Settings may ask for more (commands.force), never for less.", OneOf: forceWords()},
		{Path: "force.into", Meaning: "The states that it may lead to; without it, every state with a label.", Pattern: slugPattern, Once: true},
		{Path: "states", Meaning: "The states, in the order in which Colony prints them.", Needed: true, Most: maxStates},
		{Path: "forward", Meaning: "Orders of states: an issue can go from every earlier one to every later one."},
		{Path: "forward.source", Meaning: "Where the order comes from, such as a section of a document.", Pattern: plainPattern, Longest: maxText},
		{Path: "forward.order", Meaning: "The states, from the first to the last.", Pattern: slugPattern, Once: true},
		{Path: "transitions", Meaning: "The other legal moves. Nobody may make a move that is not in the table, except with /colony:force."},
		{Path: "executors", Meaning: "The roles of bots: the moves that each may make, and the work that it may take. People with triage access or higher may make any move in the table."},
		{Path: "commands", Meaning: "Slash commands that move an issue. Every lifecycle also has: " + strings.Join(BuiltInVerbs(), ", ") + "."},
		{Path: "limits", Meaning: "How often an issue may make a move before it goes elsewhere. A count starts again when a person moves the issue. Limits do not apply to people.", Most: maxRows},
		{Path: "time-outs", Meaning: "Where an issue goes after too long in a state. A state has at most one.", Most: maxRows},
		{Path: "triggers", Meaning: "The facts that move an issue, without anyone asking. The first row that holds wins.", Most: maxRows},
		{Path: "guards", Meaning: "Who may make which moves of the table, and under which conditions. They are about what people and executors ask for, by label or by command.", Most: maxGuards},
		{Path: "scales", Meaning: "Sets of labels in addition to the state, one label for each level: colony:urgency/0 to colony:urgency/3.", Most: maxScales},
		{Path: "priority", Meaning: "The order of waiting issues, the most urgent first: each row names the scales that must be high together. Issues that fit no row come last; within a row the oldest is first.", Most: maxRows},
		{Path: "waiting", Meaning: "The states in which issues wait for someone to take them; /colony:next lists these issues.", Pattern: slugPattern, Once: true},
		{Path: "intake", Meaning: "The state into which Colony takes new issues of a repository that sets intake. Without it, that is the initial state, if that has a label.", Pattern: slugPattern},
		{Path: "takes-in", Meaning: "Which new issues Colony takes in if a repository sets intake without when.", OneOf: []Word{
			{TakesEvery, "each issue that someone opens"}, {TakesLabelled, "each issue that gets one of the repository's labels"}, {TakesAssigned, "each issue that is assigned to one of the repository's assignees"},
		}},
		{Path: "breaker", Meaning: "When Colony stops on an issue and asks for a person. It replaces what the server's configuration says."},
		{Path: "breaker.refusals", Meaning: "How many refusals, or moves by facts that stand, Colony allows within the time.", Needed: true, From: 1, To: mostRefusals},
		{Path: "breaker.within", Meaning: "The time: 30m.", Needed: true, Pattern: durationPattern},
		{Path: "reflection", Meaning: "Requires a written reflection on issues that ended. Colony reports an issue without it as an orphan."},
	}
}

func stateFacets() []Facet {
	return []Facet{
		{Path: "states.name", Meaning: "What the state is called, in kebab-case.", Needed: true, Pattern: slugPattern, Longest: maxSlug, NoneOf: []string{Outside}},
		{Path: "states.type", Meaning: "Who should act.", Needed: true, OneOf: []Word{
			{string(Active), "work is under way, or waits for someone to take it"},
			{string(Blocked), "the issue waits until a cause is gone; see recovery"},
			{string(AwaitingHuman), "the issue waits for a person's answer"},
			{string(Terminal), "the end: no way out"},
		}},
		{Path: "states.recovery", Meaning: "How an issue leaves a blocked state.", OneOf: []Word{
			{string(RecoveryAuto), "automatically, once the cause is gone"},
			{string(RecoveryManual), "only when a person acts"},
		}},
		{Path: "states.label", Meaning: "The label that stores the state: any name that GitHub takes, without a comma. Only the initial state may have none.", Pattern: labelPattern, Longest: maxLabelName, NoneOf: markLabels()},
		{Path: "states.previously", Meaning: "Other names that mean the same: what the label was called before, or the label that a repository had in its place. Colony renames such a label, and puts the present one on issues.", Pattern: labelPattern, Longest: maxLabelName, NoneOf: markLabels(), Most: maxPreviously, Once: true},
		{Path: "states.color", Meaning: "The label's colour: six hexadecimal digits.", Pattern: hexColor.String(), Digits: true},
		{Path: "states.description", Meaning: "The label's description; GitHub takes 100 characters.", Longest: maxLabelDescription},
		{Path: "states.meaning", Meaning: "One sentence for people that says what the state is.", Needed: true, Pattern: plainPattern, Longest: maxText},
		{Path: "states.glyph", Meaning: "A sign for the state in lists.", Longest: maxGlyph},
		{Path: "states.closes", Meaning: "How Colony closes an issue that reaches this terminal state; without it the issue stays open.", OneOf: []Word{
			{string(ClosedCompleted), ""}, {string(ClosedNotPlanned), ""},
		}},
		{Path: "states.recommended", Meaning: "What Colony advises people to do in this state: a state to move the issue to, or a command of the lifecycle such as /retry.", Pattern: recommendedPattern},
		{Path: "states.sealed", Meaning: "Whether title and text have to stay as they were when the issue was approved, that is, came to this state. Needs a trigger on text-changed."},
	}
}

func forceWords() []Word {
	words := []Word{{ForceOff, "nobody may go round the table"}}
	for _, by := range forcers {
		words = append(words, Word{Word: by})
	}
	return words
}

func markLabels() []string {
	var labels []string
	for _, m := range Marks() {
		labels = append(labels, m.Label)
	}
	return labels
}

func transitionFacets() []Facet {
	return []Facet{
		{Path: "transitions.kind", Meaning: "What kind of moves these are, for people.", Needed: true, OneOf: []Word{
			{string(Forward), "towards the end"},
			{string(Backward), "back to something done before"},
			{string(Pause), "aside, until someone resumes it"},
			{string(Resume), "out of a pause or a block"},
			{string(Again), "into the state that the issue is already in: one more round"},
			{string(Abandon), "given up"},
		}},
		{Path: "transitions.source", Meaning: "Where the moves come from, such as a section of a document.", Pattern: plainPattern, Longest: maxText},
		{Path: "transitions.pairs", Meaning: "The moves."},
		{Path: "transitions.pairs.from", Meaning: "The state or states that the move leaves; an issue without a label of the lifecycle is outside.", Needed: true, Pattern: slugPattern, Once: true},
		{Path: "transitions.pairs.to", Meaning: "The state or states that it leads to: from each state of the one to each state of the other.", Needed: true, Pattern: slugPattern, Once: true},
		{Path: "transitions.pairs.only", Meaning: "When the move is legal.", OneOf: []Word{{Previous, "only back to the state that the issue came from"}}},
		{Path: "transitions.pairs.reason", Meaning: "Whether the move needs a written reason, so that nobody can make it by label.", OneOf: []Word{{string(Required), "it does"}}},
		{Path: "transitions.pairs.why", Meaning: "When an issue makes this move, for people.", Needed: true, Pattern: plainPattern, Longest: maxText},
	}
}

func executorFacets() []Facet {
	return []Facet{
		{Path: "executors.role", Meaning: "What the role is called, in kebab-case.", Needed: true, Pattern: slugPattern, Longest: maxSlug},
		{Path: "executors.works-in", Meaning: "The states in which the role works.", Pattern: slugPattern, Once: true},
		{Path: "executors.requests", Meaning: "The states to which it may move an issue from each of them.", Pattern: slugPattern, Once: true},
		{Path: "executors.reasons", Meaning: "By target: the reason that this role's move stands for, where the table requires one."},
		{Path: "executors.reasons.*", Meaning: "One word of letters, digits, hyphens and underscores.", Pattern: reasonWord.String()},
		{Path: "executors.claims", Meaning: "The work that the role may take from states in which it does not work."},
		{Path: "executors.claims.from", Meaning: "The state or the states in which the work waits.", Needed: true, Pattern: slugPattern, Once: true},
		{Path: "executors.claims.to", Meaning: "The state of the work once the role has taken it.", Needed: true, Pattern: slugPattern, Once: true},
	}
}

func commandFacets() []Facet {
	demands := []Word{{string(Optional), "it may follow"}, {string(Required), "it has to follow"}}
	return []Facet{
		{Path: "commands.verb", Meaning: "What people write after /colony:, in kebab-case.", Needed: true, Pattern: slugPattern, Longest: maxSlug, NoneOf: BuiltInVerbs()},
		{Path: "commands.from", Meaning: "The states in which it works; without it, wherever the table has the move.", Pattern: slugPattern},
		{Path: "commands.to", Meaning: "The state that it moves the issue to; previous is the state before the present one.", Needed: true, Pattern: slugPattern},
		{Path: "commands.instead", Meaning: "By previous state: another state to go to."},
		{Path: "commands.otherwise", Meaning: "The state to go to if the previous one is not known, or the table has no way back to it.", Pattern: slugPattern},
		{Path: "commands.instead.*", Meaning: "The state to go to.", Pattern: slugPattern},
		{Path: "commands.by", Meaning: "Who may write it. The default is operators.", OneOf: []Word{
			{string(Operators), "people with the permission of commands.move"}, {string(Maintainers), "people with the permission of commands.force"},
		}},
		{Path: "commands.fresh-start", Meaning: "The work starts again: Colony closes the issue's open pull requests, with a comment that links back."},
		{Path: "commands.target", Meaning: "Whether a state after the verb replaces to.", OneOf: demands},
		{Path: "commands.reason", Meaning: "Whether a reason follows.", OneOf: demands},
		{Path: "commands.help", Meaning: "One sentence in /colony:help.", Needed: true, Pattern: plainPattern, Longest: maxText},
	}
}

func limitFacets() []Facet {
	return []Facet{
		{Path: "limits.count", Meaning: "What Colony counts, for people: fix attempts.", Needed: true, Pattern: plainPattern, Longest: maxText},
		{Path: "limits.to", Meaning: "Colony counts the moves into this state.", Needed: true, Pattern: slugPattern},
		{Path: "limits.from", Meaning: "The states that they come from; without it, any.", Pattern: slugPattern, Once: true},
		{Path: "limits.at-most", Meaning: "How many Colony allows. Without it Colony only counts them."},
		{Path: "limits.instead", Meaning: "The state to which the issue goes in place of one move more.", Pattern: slugPattern},
		{Path: "limits.why", Meaning: "What Colony tells people then.", Pattern: plainPattern, Longest: maxText},
		{Path: "limits.on-pull-request", Meaning: "Colony also says so on the issue's open pull requests."},
	}
}

func automaticFacets() []Facet {
	var facts, lasting []Word
	for _, f := range FactSpecs() {
		facts = append(facts, Word{string(f.Fact), f.Meaning})
		if !f.Once() {
			lasting = append(lasting, Word{Word: string(f.Fact)})
		}
	}
	return []Facet{
		{Path: "time-outs.in", Meaning: "The states that have a time limit.", Needed: true, Pattern: slugPattern, Once: true},
		{Path: "time-outs.after", Meaning: "How long an issue may stay: 30m, 72h.", Needed: true, Pattern: durationPattern},
		{Path: "time-outs.to", Meaning: "Where it goes then.", Needed: true, Pattern: slugPattern},
		{Path: "time-outs.why", Meaning: "What Colony tells people then.", Needed: true, Pattern: plainPattern, Longest: maxText},
		{Path: "triggers.on", Meaning: "The fact that moves the issue.", Needed: true, OneOf: facts},
		{Path: "triggers.in", Meaning: "The states in which it does.", Needed: true, Pattern: slugPattern, Once: true},
		{Path: "triggers.unless", Meaning: "While one of these facts holds, the row does nothing.", OneOf: lasting, Once: true},
		{Path: "triggers.to", Meaning: "The state to which Colony moves the issue. Without it the issue stays, and a comment says why, unless the row has holds.", Pattern: slugPattern},
		{Path: "triggers.since", Meaning: "Since when a fact that comes once counts; without it, as the table of facts says.", OneOf: []Word{
			{string(SinceEntry), "since the issue came into its state"},
			{string(SinceDecision), "since the last decision about the work"},
			{string(SinceEver), "whenever it came, unless a person sent the work back since"},
		}},
		{Path: "triggers.holds", Meaning: "While the fact holds, Colony does not move the issue on even if there is capacity (dispatch). It says nothing, and people and bots may still move the issue."},
		{Path: "triggers.asks-person", Meaning: "Colony explains the move in a comment and asks for a person."},
		{Path: "triggers.why", Meaning: "Why Colony moves the issue, for people.", Needed: true, Pattern: plainPattern, Longest: maxText},
	}
}

func guardFacets() []Facet {
	facets := []Facet{
		{Path: "guards.name", Meaning: "What the guard is called, in kebab-case.", Needed: true, Pattern: slugPattern, Longest: maxSlug},
		{Path: "guards.why", Meaning: "What it takes, for people: Somebody else than the author has to approve.", Needed: true, Pattern: plainPattern, Longest: maxText},
		{Path: "guards.link", Meaning: "The https address of what explains it.", Longest: maxLink},
		{Path: "guards.from", Meaning: "The states that the moves leave; without it, any.", Pattern: slugPattern, Once: true},
		{Path: "guards.to", Meaning: "The states that they lead to.", Needed: true, Pattern: slugPattern, Once: true},
		{Path: "guards.command", Meaning: "The guard is only about moves that one of these commands asks for. Without it, it is about labels too.", Pattern: slugPattern, Once: true},
		{Path: "guards.of", Meaning: "Whom it is about; without it, everybody.", OneOf: []Word{{string(People), "people"}, {string(Bots), "executors"}}},
		{Path: "guards.role", Meaning: "It is only about executors in one of these roles.", Pattern: slugPattern, Once: true},
		{Path: "guards.requires", Meaning: "What has to hold, all of it.", Most: maxConditions},
		{Path: "guards.forbids", Meaning: "What must not hold, none of it.", Most: maxConditions},
		{Path: "guards.unless", Meaning: "The exceptions: while one of them holds, the guard does not count.", Most: maxConditions},
		{Path: "guards.unless.why", Meaning: "Why there is the exception, for people.", Needed: true, Pattern: plainPattern, Longest: maxText},
		{Path: "guards.needs-human", Meaning: "A refusal also asks for a person."},
	}
	for _, list := range []string{"requires", "forbids", "unless"} {
		for _, s := range conditionKinds {
			f := Facet{Path: "guards." + list + "." + string(s.Kind), Meaning: s.Meaning}
			switch s.Kind {
			case InStateFor:
				f.Pattern = durationPattern
			case CapacityAllowed:
				f.From, f.To = 1, maxCapacity
			default:
				f.Longest, f.Most = maxNamedText, maxNamed
			}
			facets = append(facets, f)
		}
	}
	return facets
}

// durationPattern is what time.ParseDuration takes, without a sign.
const durationPattern = `^([0-9]+(\.[0-9]*)?(ns|us|µs|ms|s|m|h))+$`

func scaleFacets() []Facet {
	return []Facet{
		{Path: "scales.name", Meaning: "The part of the labels between the label-prefix and the level, in kebab-case.", Needed: true, Pattern: slugPattern, Longest: maxLabelName - len(Scale{prefix: DefaultLabelPrefix}.Label(0))},
		{Path: "scales.levels", Meaning: "How many levels there are; they count from 0.", Needed: true, From: 2, To: maxLevels},
		{Path: "scales.high", Meaning: "From this level on an issue counts as high in the priority.", Needed: true, From: 1, To: maxLevels - 1},
		{Path: "scales.color", Meaning: "The labels' colour: six hexadecimal digits.", Needed: true, Pattern: hexColor.String(), Digits: true},
		{Path: "scales.meaning", Meaning: "What the scale is, for people; the labels' descriptions begin with it.", Needed: true, Longest: maxSentence, Pattern: plainPattern},
	}
}

func reflectionFacets() []Facet {
	return []Facet{
		{Path: "reflection.in", Meaning: "The terminal states that require one.", Needed: true, Pattern: slugPattern, Once: true},
		{Path: "reflection.words", Meaning: "What the comment begins with: \"Reflection:\".", Needed: true, Longest: maxWords, Pattern: wordsPattern},
		{Path: "reflection.within", Meaning: "How long after the end Colony waits for it before it reports an orphan: 1h.", Needed: true, Pattern: durationPattern},
	}
}
