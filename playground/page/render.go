package page

import (
	"embed"
	"html/template"
	"sync"

	"github.com/colony-app/colony/playground/internal/markdown"
)

//go:embed templates
var templateFiles embed.FS

// templates escape everything they show by where it is; HTML that is not escaped comes from rendered alone. They are parsed when a page is asked for
// first.
var templates = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").ParseFS(templateFiles, "templates/*.html"))
})

// rendered is text as HTML that is safe to show.
func rendered(text string) (template.HTML, error) {
	html, err := markdown.HTML(text)
	return template.HTML(html), err //nolint:gosec // what package markdown rendered is escaped
}
