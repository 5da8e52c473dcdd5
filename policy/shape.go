package policy

import "reflect"

// Shape returns the Go type that SettingsFile is decoded into; its yaml tags are the settings. It is for code that describes the file to
// others, as a JSON Schema does.
func Shape() reflect.Type { return reflect.TypeFor[fileSettings]() }
