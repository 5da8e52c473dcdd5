package main

import (
	"fmt"

	describeapi "github.com/colony-app/colony/app/api/describe"
	"github.com/colony-app/colony/schema/describe"
)

// schemas returns the JSON Schemas and the description of the API, by their path below the root of the repository.
func schemas(root string) (map[string]string, error) {
	files, err := describe.Files()
	if err != nil {
		return nil, fmt.Errorf("describe the files of repositories: %w", err)
	}
	texts := map[string]string{}
	for name, text := range files {
		texts["schema/"+name+".json"] = string(text)
	}
	api, err := describeapi.OpenAPI(root)
	if err != nil {
		return nil, fmt.Errorf("describe the API: %w", err)
	}
	texts["app/api/openapi.json"] = string(api)
	return texts, nil
}
