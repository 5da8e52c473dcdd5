// Command refresh makes the testdata of package schematest again: it takes the operations of the playground's routes and the schemas of the webhooks
// that it sends out of GitHub's published descriptions. From the root of the repository:
//
//	go run ./playground/schematest/refresh
//
// It needs npm, and downloads the three data packages named below into a folder that it removes again. The same packages
// give the same files, byte by byte.
package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	graphql "github.com/graph-gophers/graphql-go"

	"github.com/colony-app/colony/playground"
	"github.com/colony-app/colony/playground/schematest"
)

const (
	restPackage    = "@octokit/openapi@23.0.2"
	webhookPackage = "@octokit/openapi-webhooks@12.1.0"
	graphqlPackage = "@octokit/graphql-schema@15.26.1"
)

// documents says which file of which package becomes which file of testdata.
var documents = []struct {
	from, file, to string
	extract        func([]byte) ([]byte, error)
}{
	{restPackage, "generated/api.github.com.json", "rest.api.github.com.json.gz", part(restOperations(false))},
	{restPackage, "generated/ghes-3.19.json", "rest.ghes-3.19.json.gz", part(restOperations(true))},
	{webhookPackage, "generated/api.github.com.json", "webhooks.api.github.com.json.gz", part(webhookSchemas)},
	{graphqlPackage, "schema.graphql", "graphql.txt.gz", signatures},
	{restPackage, "LICENSE", "LICENSE.openapi", nil},
	{webhookPackage, "LICENSE", "LICENSE.openapi-webhooks", nil},
	{graphqlPackage, "LICENSE.md", "LICENSE.graphql-schema", nil},
}

func main() {
	to := flag.String("to", "playground/schematest/testdata", "the folder to write into")
	flag.Parse()
	if err := refresh(context.Background(), os.Stdout, *to); err != nil {
		fmt.Fprintln(os.Stderr, "refresh:", err)
		os.Exit(1)
	}
}

func refresh(ctx context.Context, report io.Writer, to string) (err error) {
	scratch, err := os.MkdirTemp("", "ghschema")
	if err != nil {
		return fmt.Errorf("make a folder to download into: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(scratch)) }()
	folders := map[string]string{}
	for _, name := range []string{restPackage, webhookPackage, graphqlPackage} {
		if folders[name], err = download(ctx, scratch, name); err != nil {
			return fmt.Errorf("download %s: %w", name, err)
		}
	}
	for _, d := range documents {
		content, err := os.ReadFile(filepath.Join(folders[d.from], d.file))
		if err != nil {
			return fmt.Errorf("read %s of %s: %w", d.file, d.from, err)
		}
		if d.extract != nil {
			if content, err = d.extract(content); err != nil {
				return fmt.Errorf("extract from %s of %s: %w", d.file, d.from, err)
			}
		}
		if err := os.WriteFile(filepath.Join(to, d.to), content, 0o644); err != nil { //nolint:gosec // the caller's own folder; public data
			return fmt.Errorf("write %s: %w", d.to, err)
		}
		fmt.Fprintf(report, "%s: %d bytes\n", d.to, len(content))
	}
	return nil
}

// download unpacks one npm package and returns its folder.
func download(ctx context.Context, scratch, name string) (string, error) {
	folder, err := os.MkdirTemp(scratch, "package")
	if err != nil {
		return "", fmt.Errorf("make a folder: %w", err)
	}
	packed, err := run(ctx, folder, "npm", "pack", "--silent", name)
	if err != nil {
		return "", err
	}
	if _, err := run(ctx, folder, "tar", "-xzf", strings.TrimSpace(packed)); err != nil {
		return "", err
	}
	return filepath.Join(folder, "package"), nil
}

func run(ctx context.Context, folder, program string, arguments ...string) (string, error) {
	command := exec.CommandContext(ctx, program, arguments...) //nolint:gosec // constants of this program
	command.Dir, command.Stderr = folder, os.Stderr
	output, err := command.Output()
	if err != nil {
		return "", fmt.Errorf("run %s: %w", program, err)
	}
	return string(output), nil
}

type document = map[string]any

// part extracts from an OpenAPI description.
func part(extract func(document) (document, error)) func([]byte) ([]byte, error) {
	return func(content []byte) ([]byte, error) { return extracted(content, extract) }
}

var deprecated = regexp.MustCompile(`@deprecated\(\s*reason: "(?:[^"\\]|\\.)*"\s*\)`)

// signatures extracts, from GitHub's GraphQL schema, what it says of the types that the playground has a part of.
func signatures(content []byte) ([]byte, error) {
	own, err := graphql.ParseSchema(playground.GraphQLSchema(), nil)
	if err != nil {
		return nil, fmt.Errorf("read the playground's schema: %w", err)
	}
	// GitHub deprecates fields that it does not deprecate in their interfaces, which the library takes for a mistake.
	content = deprecated.ReplaceAll(content, nil)
	lines, err := schematest.GraphQLSignatures(string(content), slices.Collect(maps.Keys(own.AST().Types))...)
	if err != nil {
		return nil, fmt.Errorf("read GitHub's schema: %w", err)
	}
	return compressed([]byte(strings.Join(lines, "\n") + "\n"))
}

func extracted(content []byte, extract func(document) (document, error)) ([]byte, error) {
	decoder := json.NewDecoder(bytes.NewReader(content))
	decoder.UseNumber()
	var whole document
	if err := decoder.Decode(&whole); err != nil {
		return nil, fmt.Errorf("read JSON: %w", err)
	}
	part, err := extract(whole)
	if err != nil {
		return nil, err
	}
	info := whole["info"].(document)
	part["openapi"] = whole["openapi"]
	part["info"] = document{"title": info["title"], "version": info["version"], "license": info["license"]}
	if part["components"], err = referenced(whole, part); err != nil {
		return nil, err
	}
	text, err := json.Marshal(part)
	if err != nil {
		return nil, fmt.Errorf("write JSON: %w", err)
	}
	return compressed(text)
}

func compressed(text []byte) ([]byte, error) {
	var packed bytes.Buffer
	writer, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return nil, fmt.Errorf("compress: %w", err)
	}
	if _, err := writer.Write(text); err != nil {
		return nil, fmt.Errorf("compress: %w", err)
	}
	if err := writer.Close(); err != nil {
		return nil, fmt.Errorf("compress: %w", err)
	}
	return packed.Bytes(), nil
}

// restOperations takes the operation of each route of the playground. GitHub Enterprise Server, which is behind, might lack some.
func restOperations(behind bool) func(document) (document, error) {
	return func(whole document) (document, error) { return operationsOf(whole, behind) }
}

func operationsOf(whole document, behind bool) (document, error) {
	shapes := map[string]string{}
	for path := range whole["paths"].(document) {
		shapes[shape(path)] = path
	}
	paths := document{}
	for _, route := range playground.Routes() {
		path, ok := shapes[shape(route.Pattern)]
		if !ok && behind {
			continue
		}
		if !ok {
			return nil, fmt.Errorf("the description has no path %s", route.Pattern)
		}
		item := whole["paths"].(document)[path].(document)
		method := strings.ToLower(route.Method)
		if item[method] == nil {
			return nil, fmt.Errorf("the description has no %s %s", route.Method, route.Pattern)
		}
		if paths[path] == nil {
			paths[path] = document{}
		}
		paths[path].(document)[method] = pruned(item[method], false)
	}
	return document{"paths": paths}, nil
}

// shape is a path with its variables unnamed.
func shape(path string) string {
	segments := strings.Split(path, "/")
	for i, segment := range segments {
		if strings.HasPrefix(segment, "{") {
			segments[i] = "{}"
		}
	}
	return strings.Join(segments, "/")
}

// webhookSchemas takes each event and action that the playground sends.
func webhookSchemas(whole document) (document, error) {
	webhooks := document{}
	for _, event := range playground.Events() {
		names := []string{event.Name}
		if event.Actions != nil {
			names = nil
		}
		for _, action := range event.Actions {
			names = append(names, event.Name+"-"+action)
		}
		for _, name := range names {
			name = strings.ReplaceAll(name, "_", "-")
			item, ok := whole["webhooks"].(document)[name]
			if !ok {
				return nil, fmt.Errorf("the description has no webhook %s", name)
			}
			webhooks[name] = pruned(item, false)
		}
	}
	return document{"webhooks": webhooks}, nil
}

// referenced are the components that a part needs, directly or not.
func referenced(whole, part document) (document, error) {
	components := document{}
	wanted := references(part)
	for len(wanted) > 0 {
		reference := wanted[0]
		wanted = wanted[1:]
		kind, name, ok := strings.Cut(strings.TrimPrefix(reference, "#/components/"), "/")
		if !ok || strings.Contains(name, "/") {
			return nil, fmt.Errorf("the reference %s is not to a component", reference)
		}
		if components[kind] == nil {
			components[kind] = document{}
		}
		if components[kind].(document)[name] != nil {
			continue
		}
		source, ok := whole["components"].(document)[kind].(document)[name]
		if !ok {
			return nil, fmt.Errorf("the reference %s leads nowhere", reference)
		}
		component := pruned(source, false)
		components[kind].(document)[name] = component
		wanted = append(wanted, references(component)...)
	}
	return components, nil
}

func references(node any) []string {
	var found []string
	switch node := node.(type) {
	case document:
		for key, value := range node {
			if text, ok := value.(string); ok && key == "$ref" {
				found = append(found, text)
				continue
			}
			found = append(found, references(value)...)
		}
	case []any:
		for _, value := range node {
			found = append(found, references(value)...)
		}
	}
	return found
}

// pruned is a description without what only people read. The keys of a map of names are kept, no matter what they are called.
func pruned(node any, names bool) any {
	switch node := node.(type) {
	case document:
		kept := document{}
		for key, value := range node {
			switch {
			case names:
				kept[key] = pruned(value, false)
			case forPeople[key] || strings.HasPrefix(key, "x-"):
			case verbatim[key]:
				kept[key] = value
			default:
				kept[key] = pruned(value, namesBelow[key])
			}
		}
		return kept
	case []any:
		kept := []any{}
		for _, value := range node {
			kept = append(kept, pruned(value, false))
		}
		return kept
	default:
		return node
	}
}

var (
	forPeople  = set("description", "summary", "title", "tags", "externalDocs", "example", "examples", "deprecated")
	verbatim   = set("enum", "const", "default", "required")
	namesBelow = set("properties", "patternProperties", "responses", "headers", "content")
)

func set(words ...string) map[string]bool {
	s := map[string]bool{}
	for _, word := range words {
		s[word] = true
	}
	return s
}
