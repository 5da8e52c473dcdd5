package commands

import (
	"net/url"
	"strings"
)

// Home is the issue that commands are written on.
type Home struct {
	Reference
	// Web is the address of GitHub's pages, such as https://github.com: addresses of issues begin with it.
	Web string
}

// Complete returns a reference as it is compared: with its repository, in lower case, as GitHub does not regard case there.
func (h Home) Complete(r Reference) Reference {
	r = r.In(h.Owner, h.Name)
	return Reference{Owner: strings.ToLower(r.Owner), Name: strings.ToLower(r.Name), Number: r.Number}
}

// Is reports whether a reference names the issue itself.
func (h Home) Is(r Reference) bool { return h.Same(r.In(h.Owner, h.Name)) }

// Near reports whether a reference is to the repository of the issue.
func (h Home) Near(r Reference) bool {
	return h.Same(Reference{Owner: r.Owner, Name: r.Name, Number: h.Number}.In(h.Owner, h.Name))
}

// Shows returns how a reference is written on the issue: short for one of the same repository.
func (h Home) Shows(r Reference) string {
	if h.Near(r) {
		return Reference{Number: r.Number}.String()
	}
	return r.String()
}

// Refers reads a word that names an issue; an address must be of the same GitHub. The reference is complete.
func (h Home) Refers(word string) (Reference, bool) {
	if strings.Contains(word, "://") {
		address, err := url.Parse(word)
		web, webErr := url.Parse(h.Web)
		if err != nil || webErr != nil || !strings.EqualFold(address.Host, web.Host) {
			return Reference{}, false
		}
		address.Fragment, address.RawQuery = "", "" // of a comment on it
		word = address.String()
	}
	r, ok := ParseReference(word)
	return h.Complete(r), ok
}
