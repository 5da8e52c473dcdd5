package handlers

import "strings"

// isColonys reports whether a label may be a state or a mark of Colony. Which ones are is the lifecycle's to say; the
// prefix only decides whether to look. Label names compare case-insensitively, as on GitHub.
func isColonys(label string) bool {
	const prefix = "colony:"
	return len(label) >= len(prefix) && strings.EqualFold(label[:len(prefix)], prefix)
}

// mayCommand reports whether a text may hold a command. It errs towards yes: code, quotes and HTML comments are the
// parser's business.
func mayCommand(text string) bool {
	return strings.Contains(strings.ToLower(text), "/colony")
}
