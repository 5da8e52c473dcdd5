package policy

import (
	"slices"
	"strings"
)

// The files in the default branch of a repository that say what its issues are reconciled by.
const (
	// LifecycleFile is a whole lifecycle.
	LifecycleFile = SettingsFolder + "/colony-lifecycle.yml"
	// SettingsFile names a shipped lifecycle, and says who the bots are and what Colony does without being asked.
	SettingsFile = SettingsFolder + "/colony.yml"
	// SettingsFolder holds both, and is what the repository is called that speaks for all others of its owner
	// (https://docs.github.com/communities/setting-up-your-project-for-healthy-contributions/creating-a-default-community-health-file).
	SettingsFolder = ".github"
)

// SpeaksForOthers reports whether a repository is the one whose files hold for all repositories of its owner.
func SpeaksForOthers(name string) bool { return strings.EqualFold(name, SettingsFolder) }

// IsPolicyFile reports whether a path is one of the files, or below a folder that is called like one.
func IsPolicyFile(path string) bool {
	return slices.ContainsFunc([]string{LifecycleFile, SettingsFile}, func(file string) bool {
		return path == file || strings.HasPrefix(path, file+"/")
	})
}
