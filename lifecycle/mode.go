package lifecycle

import "slices"

// Mode says how far Colony goes in a repository.
type Mode string

// The modes.
const (
	ModeOff     Mode = "off"     // nothing is read or reconciled
	ModeObserve Mode = "observe" // everything is read and reconciled, nothing is written
	ModeWarn    Mode = "warn"    // allowed moves are finished, others are explained and remain
	ModeEnforce Mode = "enforce" // moves that are not allowed are undone
)

// Modes lists the modes, from the one that does least. The empty mode counts as ModeEnforce.
var Modes = []Mode{ModeOff, ModeObserve, ModeWarn, ModeEnforce}

// Known reports whether it is one of Modes.
func (m Mode) Known() bool { return slices.Contains(Modes, m) }

// Reads reports whether anything is read and reconciled.
func (m Mode) Reads() bool { return m != ModeOff }

// Writes reports whether anything is allowed to be written to GitHub.
func (m Mode) Writes() bool { return m != ModeOff && m != ModeObserve }

// Undoes reports whether a move that is not allowed is undone. Where it is not undone, it remains: see History.Stands.
func (m Mode) Undoes() bool { return m == ModeEnforce || m == "" }

// AtMost returns the mode, or the ceiling where the mode does more. An empty ceiling caps nothing.
func (m Mode) AtMost(ceiling Mode) Mode {
	if at := slices.Index(Modes, ceiling); at >= 0 && slices.Index(Modes, m) > at {
		return ceiling
	}
	return m
}
