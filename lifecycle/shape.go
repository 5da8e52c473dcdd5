package lifecycle

import (
	"cmp"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Shape returns the Go type that lifecycle files are decoded into; its yaml tags are the settings. It is for code that describes the
// files to others, as a JSON Schema does.
func Shape() reflect.Type { return reflect.TypeFor[Document]() }

// Written returns the type that has the settings of another one, as files write them.
func Written(t reflect.Type) reflect.Type {
	switch t {
	case reflect.TypeFor[Duration]():
		return reflect.TypeFor[string]()
	case reflect.TypeFor[Condition]():
		return reflect.TypeFor[FileCondition]()
	case reflect.TypeFor[Exception]():
		return reflect.TypeFor[fileException]()
	}
	return t
}

// IsOneOrMore reports whether a type of Shape is a word or a list of words.
func IsOneOrMore(t reflect.Type) bool {
	return t == reflect.TypeFor[Words]() || t == reflect.TypeFor[OneOrMore[Fact]]()
}

// Facet describes one setting of a file: what it is for, and what of its value can be checked without the rest of the file. What reads
// the file knows more.
type Facet struct {
	// Meaning is for people who write the setting.
	Meaning string
	// Needed says that the setting cannot be left out.
	Needed bool
	// OneOf lists the words it can be, each with what it means where that is not plain.
	OneOf []Word
	// NoneOf lists words that it must not be.
	NoneOf []string
	// Pattern is a regular expression without lookarounds for the text, and for each of a list.
	Pattern string
	// Longest is how many characters a text can have, and Most how many values a list; 0 is no bound.
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

// kindsOfSettings are the words of the tag "is", each with what a schema can say of it.
var kindsOfSettings = map[string]Facet{
	"needed":      {Needed: true},
	"once":        {Once: true},
	"slug":        {Pattern: slug.String(), Longest: maxSlug, Needed: true},
	"name":        {Pattern: slug.String()},                                    // of something; also outside and previous
	"named":       {Longest: maxNamedText, Most: maxNamed},                     // what a condition names
	"states":      {Pattern: slug.String(), Once: true},                        // a list of states
	"plain":       {Pattern: `^[` + plainCharacters + `]*$`, Longest: maxText}, // a text for people; that it holds no address would need a lookaround
	"prefix":      {Pattern: `^[` + plainCharacters + ` ][` + plainCharacters + `]*$`, Longest: maxPrefix},
	"words":       {Pattern: `^[` + plainCharacters + `/\s]([` + plainCharacters + `/]*[` + plainCharacters + `/\s])?$`}, // a text without blanks around it that is no command
	"label":       {Pattern: `^[^,\s\x00-\x1f\x7f-\x9f]([^,\x00-\x1f\x7f-\x9f]*[^,\s\x00-\x1f\x7f-\x9f])?$`, Longest: maxLabelName, NoneOf: markLabels()},
	"color":       {Pattern: hexColor.String(), Digits: true},
	"recommended": {Pattern: strings.Replace(slug.String(), "^", "^/?", 1)}, // a name, or a command
}

// durationPattern is what time.ParseDuration takes, without a sign.
const durationPattern = `^([0-9]+(\.[0-9]*)?(ns|us|µs|ms|s|m|h))+$`

// vocabulary lists the words of the settings that have some, by their paths.
var vocabulary = func() map[string][]Word {
	var facts, lasting []Word
	for _, f := range FactSpecs() {
		facts = append(facts, Word{string(f.Fact), f.Meaning})
		if !f.Once() {
			lasting = append(lasting, Word{Word: string(f.Fact)})
		}
	}
	force := []Word{{ForceOff, "nobody may go round the table"}}
	for _, by := range forcers {
		force = append(force, Word{Word: by})
	}
	demands := []Word{{string(Optional), "it may follow"}, {string(Required), "it has to follow"}}
	return map[string][]Word{
		"force.by": force,
		"takes-in": {
			{TakesEvery, "each issue that someone opens"}, {TakesLabelled, "each issue that gets one of the repository's labels"}, {TakesAssigned, "each issue that is assigned to one of the repository's assignees"},
		},
		"states.type": {
			{string(Active), "work is under way, or waits for someone to take it"},
			{string(Blocked), "the issue waits until a cause is gone; see recovery"},
			{string(AwaitingHuman), "the issue waits for a person's answer"},
			{string(Terminal), "the end: no way out"},
		},
		"states.recovery": {{string(RecoveryAuto), "automatically, once the cause is gone"}, {string(RecoveryManual), "only when a person acts"}},
		"states.closes":   {{string(ClosedCompleted), ""}, {string(ClosedNotPlanned), ""}},
		"transitions.kind": {
			{string(Forward), "towards the end"},
			{string(Backward), "back to something done before"},
			{string(Pause), "aside, until someone resumes it"},
			{string(Resume), "out of a pause or a block"},
			{string(Again), "into the state that the issue is already in: one more round"},
			{string(Abandon), "given up"},
		},
		"transitions.pairs.only":   {{Previous, "only back to the state that the issue came from"}},
		"transitions.pairs.reason": {{string(Required), "it does"}},
		"commands.target":          demands,
		"commands.reason":          demands,
		"triggers.on":              facts,
		"triggers.unless":          lasting,
		"guards.of":                {{string(People), "people"}, {string(Bots), "executors"}},
	}
}()

// more is what the tags of some settings do not say.
var more = map[string]Facet{
	"states.name":         {NoneOf: []string{Outside}},
	"commands":            {Meaning: strings.Join(BuiltInVerbs(), ", ") + "."},
	"commands.verb":       {NoneOf: BuiltInVerbs()},
	"executors.reasons.*": {Meaning: "One word of letters, digits, hyphens and underscores.", Pattern: reasonWord.String()},
	"commands.instead.*":  {Meaning: "The state to go to.", Pattern: slug.String()},
}

func markLabels() []string {
	var labels []string
	for _, m := range Marks() {
		labels = append(labels, m.Label)
	}
	return labels
}

// Facets describes settings by the tags of their fields: yaml, means, is, longest, most, from and to. What the tags do not say is here, by the
// setting's name below those it belongs to: "states.type". A map's values are "executors.reasons.*".
type Facets struct {
	// Words are those of the settings that have some.
	Words map[string][]Word
	More  map[string]Facet
}

// Described describes the settings of a lifecycle file.
func Described() Facets { return Facets{vocabulary, more} }

// Of describes the setting of a field, by its path.
func (f Facets) Of(field reflect.StructField, path string) Facet {
	number := func(tag string) int {
		digits, _, _ := strings.Cut(field.Tag.Get(tag), " ")
		n, _ := strconv.Atoi(digits)
		return n
	}
	is := Facet{
		Meaning: field.Tag.Get("means"), OneOf: f.Words[path],
		Longest: number("longest"), Most: number("most"), From: number("from"), To: number("to"),
	}
	if field.Type == reflect.TypeFor[Duration]() {
		is.Pattern = durationPattern
	}
	for kind := range strings.SplitSeq(field.Tag.Get("is"), ",") {
		is = is.with(kindsOfSettings[kind])
	}
	return is.with(f.More[path])
}

func (f Facet) with(other Facet) Facet {
	f.Meaning += other.Meaning
	f.Pattern, f.Longest, f.Most = cmp.Or(f.Pattern, other.Pattern), cmp.Or(f.Longest, other.Longest), cmp.Or(f.Most, other.Most)
	f.From, f.To = cmp.Or(f.From, other.From), cmp.Or(f.To, other.To)
	f.Needed, f.Once, f.Digits = f.Needed || other.Needed, f.Once || other.Once, f.Digits || other.Digits
	f.NoneOf = append(slices.Clone(f.NoneOf), other.NoneOf...)
	return f
}
