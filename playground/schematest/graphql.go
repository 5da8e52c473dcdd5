package schematest

import (
	"fmt"
	"slices"
	"strings"

	graphql "github.com/graph-gophers/graphql-go"
	"github.com/graph-gophers/graphql-go/ast"
)

// GraphQLSignatures lists what a schema says, without words for people: "Issue.number: Int!", "IssueState.OPEN", "Issue implements Node". Sorted; of
// the named types only, or of all types without names.
func GraphQLSignatures(source string, names ...string) ([]string, error) {
	schema, err := graphql.ParseSchema(source, nil)
	if err != nil {
		return nil, fmt.Errorf("read the schema: %w", err)
	}
	var found []string
	for name, named := range schema.AST().Types {
		if strings.HasPrefix(name, "__") || len(names) > 0 && !slices.Contains(names, name) {
			continue
		}
		switch t := named.(type) {
		case *ast.ObjectTypeDefinition:
			found = append(found, fieldSignatures(name, t.Fields)...)
			for _, general := range t.Interfaces {
				found = append(found, name+" implements "+general.Name)
			}
		case *ast.InterfaceTypeDefinition:
			found = append(found, fieldSignatures(name, t.Fields)...)
		case *ast.InputObject:
			for _, value := range t.Values {
				found = append(found, name+"."+value.Name.Name+": "+value.Type.String())
			}
		case *ast.EnumTypeDefinition:
			for _, value := range t.EnumValuesDefinition {
				found = append(found, name+"."+value.EnumValue)
			}
		case *ast.ScalarTypeDefinition:
			found = append(found, "scalar "+name)
		}
	}
	slices.Sort(found)
	return found, nil
}

func fieldSignatures(name string, fields ast.FieldsDefinition) []string {
	var found []string
	for _, field := range fields {
		var arguments []string
		for _, a := range field.Arguments {
			argument := a.Name.Name + ": " + a.Type.String()
			if a.Default != nil {
				argument += " = " + a.Default.String()
			}
			arguments = append(arguments, argument)
		}
		signature := name + "." + field.Name
		if len(arguments) > 0 {
			signature += "(" + strings.Join(arguments, ", ") + ")"
		}
		found = append(found, signature+": "+field.Type.String())
	}
	return found
}

// PublishedGraphQL are the signatures that GitHub publishes of the types that the playground has a part of.
func PublishedGraphQL() []string {
	return strings.Split(strings.TrimSpace(string(mustUnpack("graphql.txt.gz"))), "\n")
}
