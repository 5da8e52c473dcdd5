package describe

import (
	"slices"
	"strings"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/policy"
	"github.com/colony-app/colony/statemachine"
)

// settingsOfFile describes the settings of policy.SettingsFile.
func settingsOfFile() lifecycle.Facets {
	const slug = `^[a-z0-9]+(-[a-z0-9]+)*$`
	return lifecycle.Facets{Words: words(), More: map[string]lifecycle.Facet{
		"executors.logins.*": {Meaning: "Roles of the lifecycle.", Pattern: slug},
		"limits.*":           {Meaning: "How often an issue may make the move.", From: 1, To: 1000},
		"time-outs.*":        {Meaning: "How long an issue may be in the state, written like 30m or 72h."},
		"notify.mention":     {Pattern: policy.Mentionable.String()},
		"notify.assign":      {Pattern: policy.Personal.String()},
	}}
}

// words lists the words of the settings that have some, by their paths.
func words() map[string][]lifecycle.Word {
	var shipped, followed, permissions []lifecycle.Word
	for _, name := range lifecycle.ShippedNames() {
		w := lifecycle.Word{Word: name}
		if life, err := statemachine.Shipped(name); err == nil {
			w.Meaning = strings.TrimSuffix(life.Summary, ".")
		}
		shipped = append(shipped, w)
	}
	for _, r := range lifecycle.EveryReading() {
		followed = append(followed, lifecycle.Word{Word: string(r), Meaning: "what GitHub says about " + strings.ReplaceAll(string(r), "-", " ")})
	}
	for _, p := range []issues.Permission{
		issues.PermissionNone, issues.PermissionRead, issues.PermissionTriage, issues.PermissionWrite, issues.PermissionMaintain, issues.PermissionAdmin,
	} {
		permissions = append(permissions, lifecycle.Word{Word: string(p), Meaning: "those with " + string(p)})
	}
	return map[string][]lifecycle.Word{
		"mode": {
			{Word: string(lifecycle.ModeOff), Meaning: "it reads and judges nothing but this file"},
			{Word: string(lifecycle.ModeObserve), Meaning: "it reads and judges, and writes nothing"},
			{Word: string(lifecycle.ModeWarn), Meaning: "it finishes legal moves and comments on the others, which stand"},
			{Word: string(lifecycle.ModeEnforce), Meaning: "it undoes illegal moves"},
		},
		"lifecycle": shipped,
		"intake.when": {
			{Word: string(policy.None), Meaning: "none"},
			{Word: string(policy.Every), Meaning: "each issue that someone opens"},
			{Word: string(policy.Labelled), Meaning: "each issue that gets one of the labels"},
			{Word: string(policy.Assigned), Meaning: "each issue that is assigned to one of the assignees"},
		},
		"follow":         followed,
		"commands.move":  permissions,
		"commands.force": append(slices.Clip(permissions), lifecycle.Word{Word: lifecycle.ForceOff}),
		"mentions": {
			{Word: string(policy.MentionsOn), Meaning: "it does; this is the default"}, {Word: string(policy.MentionsOff), Meaning: "it shows the login as code"},
		},
		"notify.on": {
			{Word: string(policy.FindsRefused), Meaning: "a change that Colony undoes"},
			{Word: string(policy.FindsMoved), Meaning: "a move of its own that it announces"},
			{Word: string(policy.FindsAsked), Meaning: "a question to a person"},
			{Word: string(policy.FindsHalted), Meaning: "Colony has stopped on the issue"},
		},
	}
}
