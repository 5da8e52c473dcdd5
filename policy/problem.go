package policy

import (
	"fmt"
	"strings"
)

// problem is what is wrong with a setting, by its path.
type problem struct {
	path    []any
	message string
}

// String names the setting and what is wrong with it.
func (f problem) String() string {
	var name strings.Builder
	for i, step := range f.path {
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
	return name.String() + ": " + f.message
}
