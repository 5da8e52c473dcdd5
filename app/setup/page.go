package setup

import (
	"bytes"
	"crypto/sha256"
	_ "embed" // the page
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"maps"
	"net/http"
	"slices"

	"github.com/colony-app/colony/app/permissions"
)

//go:embed templates/page.html
var pageText string

//go:embed templates/page.css
var style string

var templates = template.Must(template.New("").Funcs(template.FuncMap{
	"style": func() template.CSS { return template.CSS(style) }, //nolint:gosec // a file of this program
}).Parse(pageText))

// styleHash is how the Content-Security-Policy names the one style that can apply.
var styleHash = func() string {
	sum := sha256.Sum256([]byte(style))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}()

// show answers with a page. A form can lead to this server, and to one other place if it is named.
func show(w http.ResponseWriter, status int, name string, content any, other string) {
	var text bytes.Buffer
	if err := templates.ExecuteTemplate(&text, name, content); err != nil {
		http.Error(w, "the page cannot be shown: "+err.Error(), http.StatusInternalServerError)
		return
	}
	forms := "'self'"
	if other != "" {
		forms += " " + other
	}
	for header, value := range map[string]string{
		"Content-Type": "text/html; charset=utf-8",
		"Content-Security-Policy": "default-src 'none'; style-src " + styleHash + "; img-src data:; form-action " + forms +
			"; frame-ancestors 'none'; base-uri 'none'",
		// GitHub refuses a form whose Origin a stricter policy hides. The path, which might hold a code, goes to no one.
		"Referrer-Policy":            "strict-origin",
		"X-Content-Type-Options":     "nosniff",
		"Cross-Origin-Opener-Policy": "same-origin",
		"Cache-Control":              "no-store",
	} {
		w.Header().Set(header, value)
	}
	w.WriteHeader(status)
	_, _ = w.Write(text.Bytes()) // the browser might be gone
}

type field struct {
	Name, Label, Hint, Value, Problem string
	Required                          bool
}

// younger is an event that a person can leave out.
type younger struct {
	Event string
	Out   bool
}

type askView struct {
	Title    string
	Request  Request
	Fields   []field
	Younger  []younger
	Problems []FieldError
}

// ask shows the form, with what is wrong next to each field.
func ask(w http.ResponseWriter, r Request, problems []FieldError) {
	view := askView{Title: "Create Colony's App", Request: r, Problems: problems, Fields: []field{
		{"webhook-url", "Address of Colony", "Where GitHub reaches Colony, such as https://colony.example.com. Without a path, /api/github/hook is added.", r.WebhookURL, "", true},
		{"organization", "Organization", "The organization that will own the App. Leave it empty for your own account.", r.Organization, "", false},
		{"name", "Name of the App", "No other App on this GitHub may have it, and it has 34 characters at most. People see it beside each comment.", r.Name, "", true},
		{"github", "GitHub", "https://github.com, or the address of your GitHub Enterprise Server.", r.GitHub, "", true},
	}}
	for _, event := range permissions.Younger {
		view.Younger = append(view.Younger, younger{event, slices.Contains(r.LeaveOut, event)})
	}
	for i, f := range view.Fields {
		for _, p := range problems {
			if p.Field == f.Name {
				view.Fields[i].Problem = p.Says
			}
		}
	}
	status := http.StatusOK
	if len(problems) > 0 {
		status = http.StatusUnprocessableEntity
	}
	show(w, status, "ask", view, "")
}

type confirmView struct {
	Title       string
	Request     Request
	Manifest    Manifest
	Permissions []string
	Action      string
	JSON        string
}

func confirmation(r Request, state, redirect string) (confirmView, error) {
	view := confirmView{Title: "Is this the App that you want?", Request: r, Manifest: r.Manifest(redirect), Action: r.Action(state)}
	for _, name := range slices.Sorted(maps.Keys(view.Manifest.Permissions)) {
		view.Permissions = append(view.Permissions, name+": "+view.Manifest.Permissions[name])
	}
	text, err := json.MarshalIndent(view.Manifest, "", "  ")
	if err != nil {
		return view, fmt.Errorf("write the manifest: %w", err)
	}
	view.JSON = string(text)
	return view, nil
}

// Elsewhere is where GitHub leads a browser on another machine: an address at which nothing answers, so that the code in it stays there.
const Elsewhere = "http://127.0.0.1/created"

// WriteForm writes a page with the manifest, to be opened by a browser on another machine. It carries no state: a person brings the code.
func WriteForm(w io.Writer, r Request) error {
	view, err := confirmation(r, "", Elsewhere)
	if err != nil {
		return err
	}
	if err := templates.ExecuteTemplate(w, "elsewhere", view); err != nil {
		return fmt.Errorf("write the page: %w", err)
	}
	return nil
}

type doneView struct {
	Title       string
	Credentials Credentials
	Kept        string
	Failure     string
	Steps       []Step
}

type failedView struct{ Title, Says, Back string }
