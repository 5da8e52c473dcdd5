package demo

// Tries is what to try in the demo, on the issues as they are at its start. What is to be typed or picked stands between
// backquotes.
var Tries = []string{
	"A legal move: as tara, put `colony:in-review` on #6 (Show the price beside the name). Colony takes the old label off.",
	"An illegal one: as tara, put `colony:new` on #8 (A new catalogue). Colony takes it off again and explains.",
	"A bot's bad request: as analyzer-bot, put `colony:done` on #3 (Crash when a widget has no name). It is failure-blocked until somebody writes `/colony:retry`.",
	"Commands: as olivia, write `/colony:pause` in a comment on #7 (Round corners), then `/colony:resume`.",
	"Questions: as rita, write `/colony:status` on any issue, or `/colony:why done`, or `/colony:help`.",
}
