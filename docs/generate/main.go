// Command generate writes into the documents what the program itself knows: the tables of the lifecycle, the commands, the
// settings, and what Colony says. So the documents cannot tell anything else than the program does.
//
// It is run by "go generate ./..."; a test of this package fails when a document was not generated anew.
package main

import (
	"fmt"
	"os"
)

//go:generate go run .

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "generate the documents:", err)
		os.Exit(1)
	}
}

func run() error {
	root, err := repositoryRoot()
	if err != nil {
		return err
	}
	texts, err := documents(root)
	if err != nil {
		return err
	}
	for _, path := range sortedKeys(texts) {
		if err := writeChanged(root, path, texts[path]); err != nil {
			return err
		}
	}
	return nil
}
