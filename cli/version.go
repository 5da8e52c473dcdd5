package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/alecthomas/kong"
)

type versionCommand struct{}

func (versionCommand) Run(k *kong.Kong) error {
	_, err := fmt.Fprintln(k.Stdout, version())
	return err
}

// version names the module's version, the commit if the build knew it, the toolchain and the platform.
func version() string {
	release, commit := "(unknown)", ""
	if info, ok := debug.ReadBuildInfo(); ok {
		release = info.Main.Version
		settings := map[string]string{}
		for _, s := range info.Settings {
			settings[s.Key] = s.Value
		}
		if revision := settings["vcs.revision"]; revision != "" {
			commit = ", commit " + revision
		}
		if settings["vcs.modified"] == "true" {
			commit += " with changes"
		}
	}
	return fmt.Sprintf("colony %s%s, %s %s/%s", release, commit, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
