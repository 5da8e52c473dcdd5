package cli

import "fmt"

// exits says when a subcommand exits with 0, 1 and 2, and with 3 if there is such a status. What it does not foresee is a 1, and a command line that cannot be understood a 2;
// where a 1 is an answer, what prevents the answer is a 2.
type exits []string

// exitStatuses has a row for each subcommand, which is also the end of its --help.
var exitStatuses = map[string]exits{
	"setup":      {"if the App exists and its credentials are written or printed, or if it printed the steps", "if no App was created, or a credential could not be fetched or written", "if the command line is wrong, the address is taken or a file is there already"},
	"init":       {"if the settings are written", "if they could not be written whole", "if the command line is wrong, or the file is there already or cannot be written"},
	"serve":      {"after a signal", "if anything else fails", "if the command line or a setting is wrong or GitHub refuses the App (the message names the setting)"},
	"doctor":     {"if all is well", "if there is a warning", "if there is a problem"},
	"audit":      {"if it finds nothing", "if it finds something", "if it cannot check"},
	"status":     {"if it printed the status", "if it could not read a repository or a part of one", "if it cannot ask GitHub"},
	"simulate":   {"if it printed the report", "if it stopped early or could not read a repository", "if it cannot simulate"},
	"demo":       {"after a signal, or at the end of the story", "if a step of the story goes wrong, or anything else fails", "if the command line is wrong or the address is taken"},
	"playground": {"after a signal, or if it printed the list", "if anything else fails", "if the command line is wrong or the address is taken"},
	"bench":      {"if Colony did everything right", "if anything was lost, doubled or done wrongly by Colony, or cannot be measured", "if a name is unknown"},
	"lifecycle":  {"if it printed the lifecycle", "if it cannot write", "if there is no such lifecycle, or its file has an error"},
	"check":      {"if the move is legal", "if it is not", "if a word is unknown or GitHub cannot be asked", "if it is not known because what a guard needs cannot be read"},
	"lint":       {"if Colony can use every file", "if it cannot use one", "if it cannot read one"},
	"schema":     {"if it printed the schema", "if it cannot write", "if there is no such schema"},
	"version":    {"always", "if it cannot write", "if the command line is wrong"},

	"uninstall":    {"if none of Colony's labels is left", "if a dry run has a label to delete, or nobody answered yes", "if it cannot read or write a repository, or a Colony works there"},
	"labels list":  {"if every repository has the labels that it needs, and none is left over", "if one is missing, differs or is left over", "if it cannot read a repository"},
	"labels apply": {"if the labels are as the lifecycle needs them", "if a dry run has something to do", "if it cannot read or write a repository, or cannot tell which lifecycle is in force there"},
	"labels prune": {"if nothing is left over", "if it keeps a label, or a dry run has one to delete", "if it cannot read or write a repository, or cannot tell which labels are in use there"},
}

// exitsOf is how the --help of a subcommand ends.
func exitsOf(subcommand string) string {
	e := exitStatuses[subcommand]
	if len(e) > 3 {
		return fmt.Sprintf("Exits with 0 %s, with 1 %s, with 2 %s, and with 3 %s.", e[0], e[1], e[2], e[3])
	}
	return fmt.Sprintf("Exits with 0 %s, with 1 %s, and with 2 %s.", e[0], e[1], e[2])
}
