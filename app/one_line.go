package app

import "strings"

// OneLine is an error's text for a list with a line for each finding.
func OneLine(err error) string { return strings.Join(strings.Fields(err.Error()), " ") }
