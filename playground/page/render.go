package page

import (
	"embed"
	"html/template"
)

//go:embed templates
var templateFiles embed.FS

// templates escape whatever they show by where it stands; HTML that is not escaped comes from rendered alone.
var templates = template.Must(template.New("").ParseFS(templateFiles, "templates/*.html"))
