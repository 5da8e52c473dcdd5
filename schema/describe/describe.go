// Package describe makes the JSON Schemas of the files that repositories bring. Which settings there are it takes from the very
// types that the files are read into, what they may be from the tables that the readers check them with. A setting without a
// description, or a description without a setting, is an error.
package describe

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/invopop/jsonschema"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/policy"
	"github.com/colony-app/colony/schema"
	"github.com/colony-app/colony/statemachine"
)

// draft is the version that editors support best: yaml-language-server checks newer ones only in part.
const draft = "http://json-schema.org/draft-07/schema#"

// Files returns the schemas by their names.
func Files() (map[string][]byte, error) {
	lifecycle, err := Lifecycle()
	if err != nil {
		return nil, err
	}
	config, err := Config()
	if err != nil {
		return nil, err
	}
	return map[string][]byte{schema.Lifecycle: lifecycle, schema.Config: config}, nil
}

// Lifecycle returns the schema of lifecycle files.
func Lifecycle() ([]byte, error) {
	s, err := describe(lifecycle.Shape(), lifecycle.Facets())
	if err != nil {
		return nil, fmt.Errorf("describe lifecycle files: %w", err)
	}
	s.Title, s.Description = "A lifecycle of Colony", "The states of an issue, every legal move between them, and the facts, times and limits that move issues."
	stateRules(at(s, "states").Items)
	wordOr(s, "force", "by")
	return write(schema.Lifecycle, s)
}

// wordOr lets a setting be one of the words of a setting below it, instead of all of its settings.
func wordOr(s *jsonschema.Schema, name, below string) {
	whole := *at(s, name)
	word := *at(s, name+"."+below)
	word.Description = ""
	meaning := whole.Description
	whole.Description = ""
	s.Properties.Set(name, &jsonschema.Schema{Description: meaning, AnyOf: []*jsonschema.Schema{&word, &whole}})
}

// stateRules says what settings of a state go together.
func stateRules(state *jsonschema.Schema) {
	blocked := &jsonschema.Schema{Properties: jsonschema.NewProperties(), Required: []string{"type"}}
	blocked.Properties.Set("type", &jsonschema.Schema{Const: string(lifecycle.Blocked)})
	state.AllOf = []*jsonschema.Schema{
		{
			If: blocked, Then: &jsonschema.Schema{Required: []string{"recovery"}},
			Else: &jsonschema.Schema{Not: &jsonschema.Schema{Required: []string{"recovery"}}},
		},
		{
			If:   &jsonschema.Schema{Required: []string{"label"}},
			Then: &jsonschema.Schema{Required: []string{"color", "description"}},
		},
	}
}

// Config returns the schema of a repository's settings, .github/colony.yml.
func Config() ([]byte, error) {
	s, err := describe(policy.Shape(), configFacets())
	if err != nil {
		return nil, fmt.Errorf("describe %s: %w", policy.SettingsFile, err)
	}
	s.Title, s.Description = "The settings of Colony in a repository", "Which lifecycle the issues of the repository have, who its executors are, and what Colony does there without being asked."
	return write(schema.Config, s)
}

func configFacets() []lifecycle.Facet {
	var shipped []lifecycle.Word
	for _, name := range lifecycle.ShippedNames() {
		w := lifecycle.Word{Word: name}
		if life, err := statemachine.Shipped(name); err == nil {
			w.Meaning = strings.TrimSuffix(life.Summary, ".")
		}
		shipped = append(shipped, w)
	}
	var followed []lifecycle.Word
	for _, r := range lifecycle.EveryReading() {
		followed = append(followed, lifecycle.Word{Word: string(r), Meaning: "what GitHub says about " + strings.ReplaceAll(string(r), "-", " ")})
	}
	const slug = `^[a-z0-9]+(-[a-z0-9]+)*$`
	return []lifecycle.Facet{
		{Path: "mode", Meaning: "How far Colony goes here, unless the server caps it. Without it, what the owner or the server names, and if nobody does, enforce because of this file.", OneOf: []lifecycle.Word{
			{Word: string(lifecycle.ModeOff), Meaning: "it reads and judges nothing but this file"},
			{Word: string(lifecycle.ModeObserve), Meaning: "it reads and judges, and writes nothing"},
			{Word: string(lifecycle.ModeWarn), Meaning: "it finishes legal moves and comments on the others, which stand"},
			{Word: string(lifecycle.ModeEnforce), Meaning: "it undoes illegal moves"},
		}},
		{Path: "lifecycle", Meaning: "The lifecycle of the issues here, one that comes with Colony. If you have a lifecycle of your own in " + policy.LifecycleFile + ", Colony uses that instead.", OneOf: shipped},
		{Path: "executors", Meaning: "Who the executors are: bots, and people's accounts that may make only the moves of a role."},
		{Path: "executors.logins", Meaning: "By login: its roles. With an empty list it has the role of the state that the issue is in."},
		{Path: "executors.logins.*", Meaning: "Roles of the lifecycle.", Pattern: slug},
		{Path: "executors.widen", Meaning: "Moves of the table that a role may make beyond its own."},
		{Path: "executors.widen.role", Meaning: "A role of the lifecycle.", Needed: true, Pattern: slug},
		{Path: "executors.widen.from", Meaning: "The state that the move leaves.", Needed: true, Pattern: slug},
		{Path: "executors.widen.to", Meaning: "The state that it leads to.", Needed: true, Pattern: slug},
		{Path: "intake", Meaning: "Which new issues Colony takes into the lifecycle. It replaces the owner's and the server's."},
		{Path: "intake.when", Meaning: "Which issues; without it, what the lifecycle says with takes-in, or none.", OneOf: []lifecycle.Word{
			{Word: string(policy.None), Meaning: "none"},
			{Word: string(policy.Every), Meaning: "each issue that someone opens"},
			{Word: string(policy.Labelled), Meaning: "each issue that gets one of the labels"},
			{Word: string(policy.Assigned), Meaning: "each issue that is assigned to one of the assignees"},
		}},
		{Path: "intake.labels", Meaning: "The labels for labelled; without it, colony:enqueue. If a label begins with colony:, Colony creates it and removes it from the issue again.", Longest: 50, Most: 100},
		{Path: "intake.assignees", Meaning: "The logins for assigned.", Most: 100},
		{Path: "intake.authors", Meaning: "Whose issues: logins, or what GitHub calls an author's association, in capitals: MEMBER. Without it, everybody's.", Most: 100},
		{Path: "dispatch", Meaning: "The capacity of a state: how many issues may be in it at once. While there is capacity, Colony moves the next waiting issue there: by priority, then the oldest. It replaces the owner's and the server's.", Most: 100},
		{Path: "dispatch.from", Meaning: "The states in which issues wait.", Needed: true, Pattern: slug, Once: true},
		{Path: "dispatch.to", Meaning: "The state that Colony moves the next one to.", Needed: true, Pattern: slug},
		{Path: "dispatch.at-most", Meaning: "How many open issues may be in it.", Needed: true, From: 1, To: 1000},
		{Path: "follow", Meaning: "The facts that may move issues, beside labels and commands, if the lifecycle has triggers for them. It replaces the owner's and the server's.", OneOf: followed, Once: true},
		{Path: "limits", Meaning: "Other numbers for the limits of the lifecycle, by what they count. It replaces the owner's and the server's."},
		{Path: "limits.*", Meaning: "How often an issue may make the move.", From: 1, To: 1000},
		{Path: "time-outs", Meaning: "Other lengths for the time-outs of the lifecycle, by the state that an issue is in. It replaces the owner's."},
		{Path: "time-outs.*", Meaning: "How long an issue may be in the state, written like 30m or 72h."},
		{Path: "commands", Meaning: "Which permission commands need, where it is more than the owner's and the server's settings ask for."},
		{Path: "commands.move", Meaning: "The permission in the repository that a command needs to move an issue.", OneOf: permissionWords()},
		{Path: "commands.force", Meaning: "The permission that /colony:force needs, where the lifecycle does not ask for more; off: nobody may go round the table.", OneOf: append(permissionWords(), lifecycle.Word{Word: lifecycle.ForceOff})},
		{Path: "comments", Meaning: "What stands at the end of each of Colony's comments. It replaces the owner's."},
		{Path: "comments.text", Meaning: "A sentence. Nothing in it is Markdown, and it mentions nobody."},
		{Path: "comments.link", Meaning: "The address of a page, which begins with https://."},
		{Path: "mentions", Meaning: "Whether a comment of Colony's mentions the person whose label change it undoes, since GitHub does not notify them otherwise. It replaces the owner's.", OneOf: []lifecycle.Word{
			{Word: string(policy.MentionsOn), Meaning: "it does; this is the default"}, {Word: string(policy.MentionsOff), Meaning: "it shows the login as code"},
		}},
		{Path: "notify", Meaning: "Whom Colony tells of an issue. It replaces the owner's.", Most: 100},
		{Path: "notify.in", Meaning: "The states that the row is about. Without it, a row about findings is about all of them.", Pattern: slug, Once: true},
		{Path: "notify.on", Meaning: "The comments in which mention counts, by what they are about.", Once: true, OneOf: []lifecycle.Word{
			{Word: string(policy.FindsRefused), Meaning: "a change that Colony undoes"},
			{Word: string(policy.FindsMoved), Meaning: "a move of its own that it announces"},
			{Word: string(policy.FindsAsked), Meaning: "a question to a person"},
			{Word: string(policy.FindsHalted), Meaning: "Colony has stopped on the issue"},
		}},
		{Path: "notify.remind", Meaning: "How long before the time-out of these states Colony writes a comment that reminds people, written like 30m or 24h."},
		{Path: "notify.mention", Meaning: "Who is mentioned at the end of these comments: a login, or a team written OWNER/TEAM.", Pattern: `^[A-Za-z0-9][A-Za-z0-9_-]{0,38}(/[a-z0-9][a-z0-9_-]{0,98})?$`, Most: 10, Once: true},
		{Path: "notify.assign", Meaning: "Who is assigned to an issue as long as it is in one of these states, by login.", Pattern: `^[A-Za-z0-9][A-Za-z0-9_-]{0,38}$`, Once: true},
		{Path: "dashboard", Meaning: "Whether Colony keeps one pinned issue with how many issues are in each state and which of them wait for a person. In the owner's " + policy.SettingsFolder + " repository it is about all repositories of the owner; it does not switch on theirs."},
		{Path: "close", Meaning: "Whether Colony closes an issue that reaches a terminal state, where the lifecycle says so. It replaces the owner's and the server's."},
		{Path: "adopt", Meaning: "Whether pull requests, answers, dependencies and time-outs also move issues that were in a state before Colony was installed and that nobody has moved since. It replaces the owner's and the server's."},
	}
}

// describe makes the schema of a type and puts into it what its facets say.
func describe(shape reflect.Type, facets []lifecycle.Facet) (*jsonschema.Schema, error) {
	reflector := jsonschema.Reflector{
		FieldNameTag: "yaml", Anonymous: true, DoNotReference: true, ExpandedStruct: true, RequiredFromJSONSchemaTags: true,
		Mapper: func(t reflect.Type) *jsonschema.Schema {
			if !lifecycle.IsOneOrMore(t) {
				return nil
			}
			return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{{Type: "string"}, {Type: "array", Items: &jsonschema.Schema{Type: "string"}}}}
		},
	}
	s := reflector.ReflectFromType(shape)
	s.Version = draft
	undescribed := settingPaths(s)
	for _, f := range facets {
		parent, name := "", f.Path
		if i := strings.LastIndex(f.Path, "."); i >= 0 {
			parent, name = f.Path[:i], f.Path[i+1:]
		}
		setting := at(s, f.Path)
		if setting == nil {
			return nil, fmt.Errorf("there is no setting %s", f.Path)
		}
		undescribed = slices.DeleteFunc(undescribed, func(path string) bool { return path == f.Path })
		if err := put(setting, f); err != nil {
			return nil, fmt.Errorf("setting %s: %w", f.Path, err)
		}
		if f.Needed {
			owner := object(at(s, parent))
			owner.Required = append(owner.Required, name)
		}
	}
	if len(undescribed) > 0 {
		return nil, fmt.Errorf("nothing describes %s", strings.Join(undescribed, ", "))
	}
	return s, nil
}

// object returns the schema whose properties the settings below a setting are: its own, or that of the values of a list.
func object(s *jsonschema.Schema) *jsonschema.Schema {
	for s != nil && s.Items != nil {
		s = s.Items
	}
	return s
}

// at returns the schema of the setting at a path of names; the empty one is the whole file.
func at(s *jsonschema.Schema, path string) *jsonschema.Schema {
	if path == "" {
		return s
	}
	for name := range strings.SplitSeq(path, ".") {
		s = object(s)
		switch {
		case s == nil:
			return nil
		case name == "*":
			s = s.AdditionalProperties
		case s.Properties == nil:
			return nil
		default:
			s = s.Properties.Value(name)
		}
	}
	return s
}

// settingPaths lists the settings of a schema as facets name them.
func settingPaths(s *jsonschema.Schema) []string {
	var paths []string
	s = object(s)
	if s == nil {
		return nil
	}
	if s.Type == "object" && s.AdditionalProperties != nil && s.AdditionalProperties != jsonschema.FalseSchema && s.Properties.Len() == 0 {
		paths = append(paths, "*")
	}
	for name, setting := range s.Properties.FromOldest() {
		paths = append(paths, name)
		for _, below := range settingPaths(setting) {
			paths = append(paths, name+"."+below)
		}
	}
	return paths
}

// put writes what a facet says into the schema of its setting.
func put(s *jsonschema.Schema, f lifecycle.Facet) error {
	s.Description = f.Meaning
	for _, w := range f.OneOf {
		if w.Meaning != "" {
			s.Description += "\n- " + w.Word + ": " + w.Meaning
		}
	}
	if f.Most > 0 {
		s.MaxItems = number(f.Most)
	}
	switch {
	case s.Type == "integer":
		s.Minimum = json.Number(strconv.Itoa(f.From))
		if f.To > 0 {
			s.Maximum = json.Number(strconv.Itoa(f.To))
		}
	case s.Type == "string":
		text(s, f)
	case len(s.AnyOf) == 2: // a word or a list of words
		text(s.AnyOf[0], f)
		text(s.AnyOf[1].Items, f)
		s.AnyOf[1].UniqueItems = f.Once
	case s.Type == "array" && s.Items.Type == "string":
		text(s.Items, f)
		s.UniqueItems = f.Once
	case boundsText(f):
		return fmt.Errorf("a %s has no text that could be bounded", s.Type)
	}
	if s.Type == "array" && f.Needed {
		s.MinItems = number(1)
	}
	return nil
}

// boundsText reports whether a facet bounds a text, or a list of texts.
func boundsText(f lifecycle.Facet) bool {
	return f.Pattern != "" || f.Longest > 0 || len(f.OneOf)+len(f.NoneOf) > 0 || f.Once
}

func text(s *jsonschema.Schema, f lifecycle.Facet) {
	s.Pattern = f.Pattern
	if f.Longest > 0 {
		s.MaxLength = number(f.Longest)
	}
	if f.Needed && len(f.OneOf) == 0 {
		s.MinLength = number(1)
	}
	for _, w := range f.OneOf {
		s.Enum = append(s.Enum, w.Word)
	}
	if len(f.NoneOf) > 0 {
		s.Not = &jsonschema.Schema{}
		for _, w := range f.NoneOf {
			s.Not.Enum = append(s.Not.Enum, w)
		}
	}
	if f.Digits {
		words := &jsonschema.Schema{Type: "string", Pattern: s.Pattern, MinLength: s.MinLength}
		s.Type, s.Pattern, s.MinLength = "", "", nil
		s.AnyOf = []*jsonschema.Schema{words, {Type: "number"}}
	}
}

func number(n int) *uint64 {
	u := uint64(max(n, 0))
	return &u
}

func write(name string, s *jsonschema.Schema) ([]byte, error) {
	s.ID = jsonschema.ID(schema.URL(name))
	var b bytes.Buffer
	compact, err := json.Marshal(s)
	if err != nil {
		return nil, fmt.Errorf("write the schema %s: %w", name, err)
	}
	if err := json.Indent(&b, compact, "", "  "); err != nil {
		return nil, fmt.Errorf("write the schema %s: %w", name, err)
	}
	return append(b.Bytes(), '\n'), nil
}

// permissionWords are the permissions that commands may need, weakest first.
func permissionWords() []lifecycle.Word {
	var words []lifecycle.Word
	for _, p := range []issues.Permission{
		issues.PermissionNone, issues.PermissionRead, issues.PermissionTriage, issues.PermissionWrite, issues.PermissionMaintain, issues.PermissionAdmin,
	} {
		words = append(words, lifecycle.Word{Word: string(p), Meaning: "those with " + string(p)})
	}
	return words
}
