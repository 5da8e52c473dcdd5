package app

import (
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"
)

// fieldsOf lists the paths at which a type's values stand in JSON.
func fieldsOf(prefix string, of reflect.Type) (paths []string) {
	for field := range of.Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if field.Type.Kind() == reflect.Struct {
			paths = append(paths, fieldsOf(prefix+name+".", field.Type)...)
			continue
		}
		paths = append(paths, prefix+name)
	}
	return paths
}

func TestReadyzIsWrittenAsItsPageSays(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../docs/operations.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, found := strings.Cut(string(page), "### What `/readyz` tells")
	table, _, ends := strings.Cut(table, "\n#")
	if !found || !ends {
		t.Fatal("the page no longer describes /readyz")
	}
	snake := regexp.MustCompile(`^[a-z]+(_[a-z]+)*(\.[a-z]+(_[a-z]+)*)*$`)
	for _, path := range fieldsOf("", reflect.TypeFor[Readiness]()) {
		if !snake.MatchString(path) {
			t.Errorf("%q is not in lower case, with underscores", path)
		}
		if !strings.Contains(table, "`"+path+"`") {
			t.Errorf("docs/operations.md does not describe %q", path)
		}
	}
}
