// Command write makes the tables of a document anew: write FILE.
package main

import (
	"fmt"
	"os"

	"github.com/colony-app/colony/playground/internal/manual"
)

func main() {
	if err := write(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "write:", err)
		os.Exit(1)
	}
}

func write(name string) error {
	text, err := os.ReadFile(name) //nolint:gosec // the caller's own file
	if err != nil {
		return fmt.Errorf("read the document: %w", err)
	}
	renewed, err := manual.Renew(string(text))
	if err != nil {
		return fmt.Errorf("renew %s: %w", name, err)
	}
	if err := os.WriteFile(name, []byte(renewed), 0o600); err != nil { //nolint:gosec // the caller's own file
		return fmt.Errorf("write the document: %w", err)
	}
	return nil
}
