package statemachine

import "time"

// Wait says when an issue has to be reconciled again although nothing happens there. The zero value: it need not be.
type Wait struct {
	Why WaitReason
	// Until is the time of that reconciliation. Zero: immediately after the writes for Held, and when the caller retries for Lag, Late and Unread.
	Until time.Time
}

// WaitReason is why an issue is reconciled again.
type WaitReason string

// The reasons to reconcile an issue again. Without one it rests.
const (
	// Quiet: the next write is a refusal, and the label picker sends the two halves of a swap as two events.
	Quiet WaitReason = "quiet"
	// Lag: the log does not show yet what happened. Nothing is written before.
	Lag WaitReason = "lag"
	// Late: a row of the lifecycle might depend on what GitHub does not show yet. Everything else is written before.
	Late WaitReason = "late"
	// Unread: what a guard needs cannot be read, and is worth another try.
	Unread WaitReason = "unread"
	// Undecided: the same, and no try is worth it before the next event or sweep.
	Undecided WaitReason = "undecided"
	// Tidy: Colony has stopped on the issue, and restores its labels once it was quiet.
	Tidy WaitReason = "tidy"
	// Early: a row that tells of what lasts has not lasted long enough.
	Early WaitReason = "early"
	// Held: the decision whether Colony moves the issue comes right after these writes. Until applies if GitHub takes none of them.
	Held WaitReason = "held"
)
