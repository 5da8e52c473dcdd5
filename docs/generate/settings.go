package main

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/lifecycle"
)

// setting is one leaf of the configuration.
type setting struct {
	name    string // as in config.yml, with dots
	meaning string
	value   string // the default, for people
}

// environment is the variable that would override the setting.
func (s setting) environment() string {
	return "COLONY_" + strings.ToUpper(strings.ReplaceAll(s.name, ".", "_"))
}

func settings() []setting {
	var found []setting
	collect(reflect.ValueOf(config.Default()), "", &found)
	return found
}

func collect(v reflect.Value, prefix string, found *[]setting) {
	for i := range v.NumField() {
		tag, field := v.Type().Field(i).Tag, v.Field(i)
		switch name := tag.Get("yaml"); {
		case name == "-":
		case field.Kind() == reflect.Struct:
			collect(field, prefix+name+".", found)
		default:
			*found = append(*found, setting{prefix + name, tag.Get("means"), defaultOf(field)})
		}
	}
}

func defaultOf(v reflect.Value) string {
	if v.IsZero() {
		return "–"
	}
	if d, ok := reflect.TypeAssert[time.Duration](v); ok {
		return code(lifecycle.Span(d))
	}
	if v.Kind() == reflect.Slice {
		words := make([]string, v.Len())
		for i := range words {
			words[i] = fmt.Sprint(v.Index(i).Interface())
		}
		return code("[" + strings.Join(words, ", ") + "]")
	}
	return code(fmt.Sprint(v.Interface()))
}

// settingTable lists every setting, with the variable that overrides it.
func settingTable(string) (string, error) {
	t := newTable("setting", "variable", "what it is", "default")
	variables := config.EnvironmentVariables()
	for _, s := range settings() {
		if s.meaning == "" {
			return "", fmt.Errorf("the setting %s has no meaning", s.name)
		}
		variable := ""
		if i := slices.Index(variables, s.environment()); i >= 0 {
			variable, variables = code(variables[i]), slices.Delete(variables, i, i+1)
		}
		t.row(code(s.name), variable, s.meaning, s.value)
	}
	if len(variables) > 0 {
		return "", fmt.Errorf("the variables %v are named like no setting", variables)
	}
	return t.String(), nil
}
