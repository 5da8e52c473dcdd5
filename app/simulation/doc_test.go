// Package simulation plays random histories of a repository with one to three Colonies on the playground.
//
// A history draws what happens, also between any two calls of a Colony:
//
//   - People and bots label, swap, comment, edit, close, lock and transfer. They rename and delete labels.
//   - Webhooks come twice, late, in another order, or not at all. A Colony can refuse one.
//   - A call fails before or after its effect, breaks off, or meets a limit. The log is up to 8 s late.
//   - A Colony dies between two calls. The queue is lost.
//
// After one last sweep the test computes each issue from its log. The issue has that state's label and no other. Each refused change has
// one comment, each permitted command one receipt, each move someone who ordered it or a fact that caused it. A second sweep writes nothing.
//
// A history leaves out:
//
//   - A move by a label that Colony wrote from a stale read, and a change that the log hides.
//   - What was on an issue whose label colony:forced is lost.
//   - A transferred issue after its transfer, since its labels are final there.
//   - Everything but the labels of an issue whose conversation was locked.
//   - A command for a move that a trigger makes too: before its receipt, the log does not show which of the two made the move.
//
// A failing test shortens its history and prints the command to play it again. SEED=N .ci/run simulation repeats a whole run. Package long
// has the flags.
package simulation
