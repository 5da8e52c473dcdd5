package statemachine

import (
	"reflect"
	"regexp"
	"strings"
)

// Shape returns the Go type that lifecycle files are decoded into; its yaml tags are the settings. It is for whoever describes the
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
	// Meaning is told to people who write the setting.
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

// recommendedPattern is a name, or a command.
var recommendedPattern = strings.Replace(slugPattern, "^", "^/?", 1)

// Facets describes every setting of a lifecycle file.
func Facets() []Facet {
	var facets []Facet
	for _, part := range [][]Facet{
		documentFacets(), stateFacets(), transitionFacets(), executorFacets(), commandFacets(), limitFacets(),
		automaticFacets(), scaleFacets(), reflectionFacets(),
	} {
		facets = append(facets, part...)
	}
	return facets
}

func documentFacets() []Facet {
	return []Facet{
		{Path: "name", Meaning: "What the lifecycle is called, in kebab-case.", Needed: true, Pattern: slugPattern, Longest: maxSlug},
		{Path: "summary", Meaning: "One sentence that says what the lifecycle is for.", Needed: true, Pattern: plainPattern, Longest: maxText},
		{Path: "initial", Meaning: "The state in which issues begin. Without a label it is the state of every issue that carries none; with one, issues enter it from outside of the lifecycle.", Needed: true, Pattern: slugPattern},
		{Path: "bad-request", Meaning: "The state that a bad request of an executor leads to, where the table allows it. Without it a bad request is only undone.", Pattern: slugPattern},
		{Path: "label-prefix", Meaning: "What the labels of states and scales begin with, such as status/; colony: unless told.", Pattern: `^[` + plainCharacters + ` ][` + plainCharacters + `]*$`, Longest: maxPrefix},
		{Path: "terminal-is-final", Meaning: "Terminal states are for ever: not even /colony:force leads out of them."},
		{Path: "states", Meaning: "The states, in the order in which they are printed.", Needed: true, Most: maxStates},
		{Path: "forward", Meaning: "Orders of states: every later one can be reached from every earlier one."},
		{Path: "forward.source", Meaning: "Where the order comes from, such as a section of a document.", Pattern: plainPattern, Longest: maxText},
		{Path: "forward.order", Meaning: "The states, from the first to the last.", Pattern: slugPattern, Once: true},
		{Path: "transitions", Meaning: "The other legal moves. What is not in the table is legal for nobody."},
		{Path: "executors", Meaning: "The roles of bots: what each may ask for, and what work it may take. People who may edit labels have the whole table."},
		{Path: "commands", Meaning: "Slash commands that move an issue, beside those that come with every lifecycle: " + strings.Join(BuiltInVerbs(), ", ") + "."},
		{Path: "limits", Meaning: "What is counted, and how often a move may be made before the issue goes elsewhere. A count begins anew with whatever a person moves; people are not limited.", Most: maxRows},
		{Path: "time-outs", Meaning: "Where an issue goes that has been in a state for too long. A state has one at most.", Most: maxRows},
		{Path: "triggers", Meaning: "What moves an issue by itself. The first row that holds counts.", Most: maxRows},
		{Path: "scales", Meaning: "Sets of labels beside the state, one for each level: colony:urgency/0 to colony:urgency/3.", Most: maxScales},
		{Path: "priority", Meaning: "The order in which waiting issues are taken, the most urgent first: each row names the scales that have to be high together. What fits no row comes last; of the same row the oldest is first.", Most: maxRows},
		{Path: "waiting", Meaning: "The states in which an issue waits to be taken; /colony:next lists them.", Pattern: slugPattern, Once: true},
		{Path: "intake", Meaning: "The state into which a repository takes new issues by itself, if it is set to. Without it, that is the initial state, if that has a label.", Pattern: slugPattern},
		{Path: "takes-in", Meaning: "Which new issues a repository takes in that sets intake without when.", OneOf: []Word{
			{TakesEvery, "each that is opened"}, {TakesLabelled, "each that gets one of the labels that the repository names"}, {TakesAssigned, "each that is assigned to one of the people that the repository names"},
		}},
		{Path: "breaker", Meaning: "When Colony stops on an issue and asks for a person, in place of what the server's configuration says."},
		{Path: "breaker.refusals", Meaning: "How many refusals, or moves by itself for reasons that last, are allowed within the time.", Needed: true, From: 1, To: mostRefusals},
		{Path: "breaker.within", Meaning: "The time: 30m.", Needed: true, Pattern: durationPattern},
		{Path: "reflection", Meaning: "Asks for a written reflection on issues that came to an end. What lacks it is reported as an orphan."},
	}
}

func stateFacets() []Facet {
	return []Facet{
		{Path: "states.name", Meaning: "What the state is called, in kebab-case.", Needed: true, Pattern: slugPattern, Longest: maxSlug, NoneOf: []string{Outside}},
		{Path: "states.type", Meaning: "Who is expected to act.", Needed: true, OneOf: []Word{
			{string(Active), "work is under way or waits to be picked up"},
			{string(Blocked), "nothing moves until a cause is gone; see recovery"},
			{string(AwaitingHuman), "a person is asked for something"},
			{string(Terminal), "the end: no way out"},
		}},
		{Path: "states.recovery", Meaning: "How a blocked state is left.", OneOf: []Word{
			{string(RecoveryAuto), "by itself, once the cause is gone"},
			{string(RecoveryManual), "only when a person acts"},
		}},
		{Path: "states.label", Meaning: "The label that stores the state; it begins with the label-prefix. Only the initial state may be without one.", Pattern: `.`, Longest: maxLabelName, NoneOf: markLabels()},
		{Path: "states.color", Meaning: "The label's colour: six hexadecimal digits.", Pattern: hexColor.String(), Digits: true},
		{Path: "states.description", Meaning: "The label's description; GitHub takes 100 characters.", Longest: maxLabelDescription},
		{Path: "states.meaning", Meaning: "One sentence that says to people what the state is.", Needed: true, Pattern: plainPattern, Longest: maxText},
		{Path: "states.glyph", Meaning: "A sign for the state in lists.", Longest: maxGlyph},
		{Path: "states.closes", Meaning: "How GitHub closes an issue that comes to this terminal state; without it the issue stays open.", OneOf: []Word{
			{string(ClosedCompleted), ""}, {string(ClosedNotPlanned), ""},
		}},
		{Path: "states.recommended", Meaning: "What Colony advises people to do in this state: a state to move the issue to, or a command of the lifecycle such as /retry.", Pattern: recommendedPattern},
	}
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
			{string(Pause), "aside, until somebody resumes"},
			{string(Resume), "out of a pause or a block"},
			{string(Again), "into the state that the issue is in: one more round"},
			{string(Abandon), "given up"},
		}},
		{Path: "transitions.source", Meaning: "Where the moves come from, such as a section of a document.", Pattern: plainPattern, Longest: maxText},
		{Path: "transitions.pairs", Meaning: "The moves."},
		{Path: "transitions.pairs.from", Meaning: "The state or the states that the move leaves; outside is that of an issue without a label of the lifecycle.", Needed: true, Pattern: slugPattern, Once: true},
		{Path: "transitions.pairs.to", Meaning: "The state or the states that it leads to: from each of the one to each of the other.", Needed: true, Pattern: slugPattern, Once: true},
		{Path: "transitions.pairs.only", Meaning: "When the move is legal.", OneOf: []Word{{Previous, "only back to the state that the issue came from"}}},
		{Path: "transitions.pairs.reason", Meaning: "Whether the move needs a written reason, so that a label alone cannot make it.", OneOf: []Word{{string(Required), "it does"}}},
		{Path: "transitions.pairs.why", Meaning: "When this move is made, for people.", Needed: true, Pattern: plainPattern, Longest: maxText},
	}
}

func executorFacets() []Facet {
	return []Facet{
		{Path: "executors.role", Meaning: "What the role is called, in kebab-case.", Needed: true, Pattern: slugPattern, Longest: maxSlug},
		{Path: "executors.works-in", Meaning: "The states in which the role works.", Pattern: slugPattern, Once: true},
		{Path: "executors.requests", Meaning: "Where it may move an issue from each of them.", Pattern: slugPattern, Once: true},
		{Path: "executors.reasons", Meaning: "By target: the reason that a request of this role stands for, where the table wants one."},
		{Path: "executors.reasons.*", Meaning: "One word of letters, digits, hyphens and underscores.", Pattern: reasonWord.String()},
		{Path: "executors.claims", Meaning: "Work that the role may take although it does not work there."},
		{Path: "executors.claims.from", Meaning: "The state or the states in which the work waits.", Needed: true, Pattern: slugPattern, Once: true},
		{Path: "executors.claims.to", Meaning: "The state that says that it is taken.", Needed: true, Pattern: slugPattern, Once: true},
	}
}

func commandFacets() []Facet {
	demands := []Word{{string(Optional), "it may follow"}, {string(Required), "it has to follow"}}
	return []Facet{
		{Path: "commands.verb", Meaning: "What people write after /colony:, in kebab-case.", Needed: true, Pattern: slugPattern, Longest: maxSlug, NoneOf: BuiltInVerbs()},
		{Path: "commands.from", Meaning: "The states in which it may be written; without it, wherever the table has the move.", Pattern: slugPattern},
		{Path: "commands.to", Meaning: "The state that it moves to; previous is the state before the present one.", Needed: true, Pattern: slugPattern},
		{Path: "commands.instead", Meaning: "Replaces a previous state by another target."},
		{Path: "commands.otherwise", Meaning: "The state to go to where the previous one is not known or cannot be returned to.", Pattern: slugPattern},
		{Path: "commands.instead.*", Meaning: "The state to go to.", Pattern: slugPattern},
		{Path: "commands.by", Meaning: "Who may write it; operators unless told.", OneOf: []Word{
			{string(Operators), "those with the permission of commands.move"}, {string(Maintainers), "those with the permission of commands.force"},
		}},
		{Path: "commands.fresh-start", Meaning: "The work begins anew: Colony closes the issue's open pull requests, with a comment that links back."},
		{Path: "commands.target", Meaning: "Whether a state after the verb replaces to.", OneOf: demands},
		{Path: "commands.reason", Meaning: "Whether a reason follows.", OneOf: demands},
		{Path: "commands.help", Meaning: "One sentence in /colony:help.", Needed: true, Pattern: plainPattern, Longest: maxText},
	}
}

func limitFacets() []Facet {
	return []Facet{
		{Path: "limits.count", Meaning: "What is counted, for people: fix attempts.", Needed: true, Pattern: plainPattern, Longest: maxText},
		{Path: "limits.to", Meaning: "The state whose entries are counted.", Needed: true, Pattern: slugPattern},
		{Path: "limits.from", Meaning: "Where they have to come from; without it, from anywhere.", Pattern: slugPattern, Once: true},
		{Path: "limits.at-most", Meaning: "How many are allowed. Without it they are only counted."},
		{Path: "limits.instead", Meaning: "Where the issue goes rather than there for once more.", Pattern: slugPattern},
		{Path: "limits.why", Meaning: "What people are told then.", Pattern: plainPattern, Longest: maxText},
		{Path: "limits.on-pull-request", Meaning: "The issue's open pull requests are told as well."},
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
		{Path: "time-outs.in", Meaning: "The states in which time is limited.", Needed: true, Pattern: slugPattern, Once: true},
		{Path: "time-outs.after", Meaning: "How long an issue may stay: 30m, 72h.", Needed: true, Pattern: durationPattern},
		{Path: "time-outs.to", Meaning: "Where it goes then.", Needed: true, Pattern: slugPattern},
		{Path: "time-outs.why", Meaning: "What people are told then.", Needed: true, Pattern: plainPattern, Longest: maxText},
		{Path: "triggers.on", Meaning: "The fact that moves the issue.", Needed: true, OneOf: facts},
		{Path: "triggers.in", Meaning: "The states in which it does.", Needed: true, Pattern: slugPattern, Once: true},
		{Path: "triggers.unless", Meaning: "Facts during which the row does nothing.", OneOf: lasting, Once: true},
		{Path: "triggers.to", Meaning: "Where it leads. Without it the issue stays where it is, and a comment says why, unless the row holds.", Pattern: slugPattern},
		{Path: "triggers.since", Meaning: "From when on a fact that comes once counts; without it, as the table of facts says.", OneOf: []Word{
			{string(SinceEntry), "since the issue came into its state"},
			{string(SinceDecision), "since the last decision about the work"},
			{string(SinceEver), "whenever it came, unless a person sent the work back since"},
		}},
		{Path: "triggers.holds", Meaning: "As long as the fact holds, Colony does not move the issue on when there is room in another state (dispatch). It says nothing, and grants what others ask for."},
		{Path: "triggers.asks-person", Meaning: "The move is explained in a comment, and a person is asked for."},
		{Path: "triggers.why", Meaning: "Why the issue is moved, for people.", Needed: true, Pattern: plainPattern, Longest: maxText},
	}
}

// durationPattern is what time.ParseDuration takes, without a sign.
const durationPattern = `^([0-9]+(\.[0-9]*)?(ns|us|µs|ms|s|m|h))+$`

func scaleFacets() []Facet {
	return []Facet{
		{Path: "scales.name", Meaning: "What the labels are called between the label-prefix and the level, in kebab-case.", Needed: true, Pattern: slugPattern, Longest: maxLabelName - len(Scale{prefix: DefaultLabelPrefix}.Label(0))},
		{Path: "scales.levels", Meaning: "How many levels there are; they count from 0.", Needed: true, From: 2, To: maxLevels},
		{Path: "scales.high", Meaning: "The level from which on the priority takes an issue to be high.", Needed: true, From: 1, To: maxLevels - 1},
		{Path: "scales.color", Meaning: "The labels' colour: six hexadecimal digits.", Needed: true, Pattern: hexColor.String(), Digits: true},
		{Path: "scales.meaning", Meaning: "What the scale is, for people; the labels' descriptions begin with it.", Needed: true, Longest: maxSentence, Pattern: plainPattern},
	}
}

func reflectionFacets() []Facet {
	return []Facet{
		{Path: "reflection.in", Meaning: "The terminal states that want one.", Needed: true, Pattern: slugPattern, Once: true},
		{Path: "reflection.words", Meaning: "What the comment begins with: \"Reflection:\".", Needed: true, Longest: maxWords, Pattern: wordsPattern},
		{Path: "reflection.within", Meaning: "How long after the end it may come before its lack is reported: 1h.", Needed: true, Pattern: durationPattern},
	}
}
