// Package schema holds the JSON Schemas of the files that repositories bring, for editors: draft 7, which all of them know
// (http://json-schema.org/draft-07/schema). They are generated from what the files are read with; see describe.
package schema

import (
	"embed"
	"fmt"
	"strings"
)

//go:embed lifecycle.json config.json
var files embed.FS

// What there is a schema of.
const (
	Lifecycle = "lifecycle" // lifecycle files
	Config    = "config"    // .github/colony.yml
)

// Names lists the schemas.
func Names() []string { return []string{Lifecycle, Config} }

// URL is where a schema is published, for the first line of a file.
func URL(name string) string {
	return "https://raw.githubusercontent.com/colony-app/colony/main/schema/" + name + ".json"
}

// FirstLine is the comment by which editors find a schema (https://github.com/redhat-developer/yaml-language-server#using-inlined-schema).
func FirstLine(url string) string { return "# yaml-language-server: $schema=" + url }

// Text returns a schema. The error lists the names there are.
func Text(name string) ([]byte, error) {
	text, err := files.ReadFile(name + ".json")
	if err != nil {
		return nil, fmt.Errorf("no schema is called %q; there are: %s", name, strings.Join(Names(), ", "))
	}
	return text, nil
}
