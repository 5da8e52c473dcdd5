package config

import (
	"errors"
	"fmt"
	"strings"

	"github.com/colony-app/colony/policy"
)

// SettingError is a setting that Colony cannot run with, why, and what to do about it.
type SettingError struct {
	Path []any // keys and indexes
	Says string
	Do   string
	// missing says that the setting is not there, and can be given in another way than by the file.
	missing bool
}

func (e SettingError) Error() string {
	return policy.SettingName(e.Path) + ": " + e.Says + " -> " + e.Do
}

func wrong(setting, do, format string, args ...any) SettingError {
	var path []any
	for key := range strings.SplitSeq(setting, ".") {
		path = append(path, key)
	}
	return SettingError{Path: path, Says: fmt.Sprintf(format, args...), Do: do}
}

// Joined lists the errors of a type that an error consists of; an error of another type has none.
func Joined[E error](err error) (found []E) {
	if several, ok := err.(interface{ Unwrap() []error }); ok {
		for _, one := range several.Unwrap() {
			found = append(found, Joined[E](one)...)
		}
		return found
	}
	if one, ok := errors.AsType[E](err); ok {
		found = append(found, one)
	}
	return found
}

// What to do about settings, where several need the same.
const doChoose = "take one of these"
