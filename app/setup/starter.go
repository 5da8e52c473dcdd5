package setup

import (
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Starter is a file .github/colony.yml with which Colony runs the lifecycle colony as its document has it.
//
//go:embed starters/colony.yml
var Starter []byte

// SprintMaster is the page that says which part of that document each line of Starter is.
const SprintMaster = "https://github.com/colony-app/colony/blob/main/docs/sprint-master.md"

// WriteStarter writes Starter to a file, and makes its folder. Without replace, it keeps a file that is there.
func WriteStarter(path string, replace bool) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil { //nolint:gosec // it is for everybody who reads the repository
		return FieldError{"output", fmt.Sprintf("%v -> name a file that you can write", err)}
	}
	how := os.O_WRONLY | os.O_CREATE | os.O_TRUNC
	if !replace {
		how |= os.O_EXCL
	}
	file, err := os.OpenFile(path, how, 0o644) //nolint:gosec // as above; the person who runs it names the path
	if errors.Is(err, fs.ErrExist) {
		return FieldError{"output", path + " is there already -> name another file, or replace it with --force"}
	}
	if err != nil {
		return FieldError{"output", fmt.Sprintf("%v -> name a file that you can write", err)}
	}
	_, err = file.Write(Starter)
	if err = errors.Join(err, file.Close()); err != nil {
		return fmt.Errorf("write the settings: %w", err)
	}
	return nil
}
