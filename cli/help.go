package cli

import (
	_ "embed"
	"fmt"
	"strings"
	"text/template"

	"github.com/alecthomas/kong"

	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/app/setup"
	"github.com/colony-app/colony/bench"
	"github.com/colony-app/colony/playground/command"
	"github.com/colony-app/colony/schema"
)

//go:embed help.tmpl
var helpText string

// help has a template for each subcommand, by its name: what --help says in addition to the arguments and flags.
var help = template.Must(template.New("").Funcs(template.FuncMap{
	"exits":      exitsOf,
	"master":     func() string { return setup.SprintMaster },
	"playground": func() string { return command.About("colony playground") },
	"schema":     func(of string) string { return schema.FirstLine(schema.URL(of)) },
	"scenarios": func() string {
		var lines strings.Builder
		for _, s := range bench.Names() {
			fmt.Fprintf(&lines, "  - %s: %s\n", s[0], s[1])
		}
		return lines.String()
	},
	"variables": func() string { return strings.Join(config.EnvironmentVariables(), "\n  - ") },
}).Parse(helpText))

func newParser(options ...kong.Option) *kong.Kong {
	parser := kong.Must(&commandLine{}, append(options, kong.Name("colony"), kong.Vars{"version": version()}, playgroundVars)...)
	var explain func(*kong.Node)
	explain = func(n *kong.Node) {
		name := strings.TrimPrefix(n.FullPath(), "colony ")
		if text := help.Lookup(name); text != nil {
			var detail strings.Builder
			parser.FatalIfErrorf(text.Execute(&detail, name))
			n.Detail = detail.String()
		}
		for _, child := range n.Children {
			explain(child)
		}
	}
	explain(parser.Model.Node)
	return parser
}
