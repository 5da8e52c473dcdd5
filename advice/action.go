package advice

// Action is one thing that a person can do with an issue.
type Action struct {
	// To is the state that it leads to.
	To string
	// Verb is the lifecycle's command for it; empty for `move`.
	Verb string
	// Reason says that it needs a written reason.
	Reason bool
}

// Command is what a person writes for the action, without a reason.
func (a Action) Command() string {
	if a.Verb != "" {
		return "/colony:" + a.Verb
	}
	return "/colony:move " + a.To
}
