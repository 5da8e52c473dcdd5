package page

import (
	"embed"
	"html/template"
	"sync"
)

//go:embed templates
var templateFiles embed.FS

// templates escape whatever they show by where it stands; HTML that is not escaped comes from rendered alone.
// They are parsed when a page is asked for first.
var templates = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").ParseFS(templateFiles, "templates/*.html"))
})
