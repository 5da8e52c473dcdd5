package app_test

import "testing"

// A command that the page may hide does not run, however much its writer may do; its writer learns so, once, and writes it again.
func TestACommandThatThePageMayHideIsNotRunAndAnswered(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.open("ada", "")
	i.label("olivia", "colony:in-development")
	w.settle()
	for _, text := range []string{
		"The log:\n\n<details>\n\nThirty lines.\n\n/colony:pause", "> <!--<![CDATA[\n/colony:pause\n\n/colony:move done", "* <s>\n/colony:pause\n", "a <s> b\n\n/colony:force done because\n",
	} {
		id := i.comment("mona", text)
		w.settle()
		i.has("colony:in-development")
		i.colonyReacts(id, "confused")
		i.colonySays("did not run a command in this comment: some HTML above it is not closed or not complete")
		w.settle()
	}
	id := i.comment("mona", "The log:\n\n<details>\n\nThirty lines.\n\n/colony:move done\n\n</details>\n\n/colony:pause")
	w.settle()
	i.has("colony:paused")
	i.colonyReacts(id, "+1")
}
