package policy

import (
	"fmt"
	"strings"
)

// Problem is what is wrong with a setting, by its path of keys and indexes.
type Problem struct {
	Path    []any
	Message string
}

// SettingName writes a path of keys and indexes for people.
func SettingName(path []any) string {
	var name strings.Builder
	for i, step := range path {
		switch step := step.(type) {
		case int:
			fmt.Fprintf(&name, "[%d]", step)
		case string:
			if i > 0 {
				name.WriteString(".")
			}
			name.WriteString(step)
		}
	}
	return name.String()
}
