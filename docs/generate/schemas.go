package main

import (
	"fmt"

	"github.com/colony-app/colony/docs/generate/describe"
)

// schemas returns the JSON Schemas, by their path below the root of the repository.
func schemas() (map[string]string, error) {
	files, err := describe.Files()
	if err != nil {
		return nil, fmt.Errorf("describe the files of repositories: %w", err)
	}
	texts := map[string]string{}
	for name, text := range files {
		texts["schema/"+name+".json"] = string(text)
	}
	return texts, nil
}
