// Command colony keeps the work of a GitHub organisation moving through a state machine whose only store is the
// colony:* label on each issue.
package main

import "github.com/colony-app/colony/cli"

func main() { cli.Main() }
