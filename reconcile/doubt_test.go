package reconcile_test

import "testing"

// A command that the page may hide does not run, however much its writer may do; its writer learns so, once, and writes it again.
func TestACommandThatThePageMayHideIsNotRunAndAnswered(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.open("ada", "")
	i.Label("olivia", "colony:in-development")
	w.Settle()
	for _, text := range []string{
		"The log:\n\n<details>\n\nThirty lines.\n\n/colony:pause", "> <!--<![CDATA[\n/colony:pause\n\n/colony:move done", "* <s>\n/colony:pause\n", "a <s> b\n\n/colony:force done because\n",
	} {
		id := i.Comment("mona", text)
		w.Settle()
		i.Has("colony:in-development")
		i.ColonyReacts(id, "confused")
		i.ColonySays("did not run a command in this comment: some HTML above it is not closed or not complete")
		w.Settle()
	}
	id := i.Comment("mona", "The log:\n\n<details>\n\nThirty lines.\n\n/colony:move done\n\n</details>\n\n/colony:pause")
	w.Settle()
	i.Has("colony:paused")
	i.ColonyReacts(id, "+1")
}
