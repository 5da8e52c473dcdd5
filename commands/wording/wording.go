// Package wording holds every sentence that Colony writes to people. The texts are templates in templates/; what
// strangers wrote goes into them only through Code or Inline.
package wording

import (
	"embed"
	"fmt"
	"strings"
	"sync"
	"text/template"
	"time"

	"github.com/colony-app/colony/lifecycle"
)

//go:embed templates/*.md
var templateFiles embed.FS

// templates are parsed when Colony writes something, and not at each start of a program that has them.
var templates = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{
		"capacities": capacityText,
		"changed":    changedText,
		"code":       Code,
		"codes":      codes,
		"inline":     Inline,
		"many":       many,
		"more":       more,
		"ordinal":    ordinal,
		"states":     states,
		"trim":       strings.TrimSuffix,
		"when":       when,
		"who":        who,
	}).ParseFS(templateFiles, "templates/*.md"))
})

// documents is where the documents are that comments link to.
const documents = "https://github.com/colony-app/colony/blob/main/docs/"

// more links to the page, or the part of one, that explains a comment.
func more(page string) string { return "[Learn more](" + documents + page + ")" }

// many reports whether so many moves or states are folded away.
func many(n int) bool { return n > 5 }

func when(t time.Time) string { return t.UTC().Format("2006-01-02 15:04 UTC") }

// who names an actor without mentioning it: no one is notified for what Colony says about them.
func who(a lifecycle.Actor) string {
	switch {
	case a.Kind == lifecycle.Colony:
		return "Colony"
	case a.Login == "":
		return "a deleted user"
	}
	return Code(a.Login)
}

func states(pairs []lifecycle.Pair) string {
	names := make([]string, len(pairs))
	for i, p := range pairs {
		names[i] = p.To
	}
	return codes(names, ", ")
}

func codes(names []string, between string) string {
	if len(names) == 0 {
		return ""
	}
	return "`" + strings.Join(names, "`"+between+"`") + "`"
}

// render fills a template. Templates are part of the program and tested, so one that fails is a fault of it.
func render(name string, data any) string {
	var b strings.Builder
	if err := templates().ExecuteTemplate(&b, name+".md", data); err != nil {
		panic(fmt.Sprintf("render %s: %v", name, err))
	}
	return strings.TrimSpace(b.String())
}
