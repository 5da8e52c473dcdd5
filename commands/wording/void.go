package wording

// Void says why the commands of a text are not run, no matter who wrote them.
type Void string

// The reasons.
const (
	// WasEdited is a text that someone changed after it was written.
	WasEdited Void = "edited"
	// MayBeEdited is a text about which GitHub does not tell whether someone did.
	MayBeEdited Void = "maybe-edited"
	// MayHaveRun is a text whose commands might have been run, which no one can know now: its conversation was locked, so that it could get no
	// receipt.
	MayHaveRun Void = "maybe-run"
)

// NotWritten reports whether the text might not be what its author wrote.
func (v Void) NotWritten() bool { return v == WasEdited || v == MayBeEdited }

// NotRun says that the commands of a text are not run, in one line.
func NotRun(why Void) string { return render("not_run", map[string]any{"Why": string(why)}) }
