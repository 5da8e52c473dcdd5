// Package advice tells people what to do with an issue: why it waits for them, who must act, what is recommended, and the way to a state.
// It reads the lifecycle and the state that the log gives. No label and no move depends on it.
package advice

// Need is why an issue waits for a person.
type Need string

// The needs.
const (
	NeedsRestart    Need = "halted"
	NeedsLook       Need = "needs-human"
	NeedsAnswer     Need = "awaiting-human"
	NeedsRecovery   Need = "blocked"
	NeedsResuming   Need = "paused"
	NeedsHurry      Need = "overdue"
	NeedsReflection Need = "orphan"
)

// NeedSpec is one row of the vocabulary of needs.
type NeedSpec struct {
	Need    Need
	Meaning string
}

// Meaning says the need in words for people.
func (n Need) Meaning() string {
	for _, s := range NeedSpecs() {
		if s.Need == n {
			return s.Meaning
		}
	}
	return ""
}

// NeedSpecs returns the vocabulary of needs, the most pressing first, with the meaning of each for people.
func NeedSpecs() []NeedSpec {
	return []NeedSpec{
		{NeedsRestart, "Colony stopped undoing changes there, or stopped moving it, until a person makes a legal move."},
		{NeedsLook, "It carries the label `colony:needs-human`."},
		{NeedsAnswer, "Its state asks a person for something."},
		{NeedsRecovery, "It is blocked until a person retries it."},
		{NeedsResuming, "It is paused until a person resumes it."},
		{NeedsHurry, "It has been in its state for longer than the lifecycle allows."},
		{NeedsReflection, "It ended without the reflection that its lifecycle requires."},
	}
}
