package commands

import (
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"
)

// Reference names an issue of some repository. GitHub compares owners and names without regard to case, so they are in lower
// case here and references can be compared.
type Reference struct {
	Owner, Repo string
	Number      int
}

// ReferenceTo returns the reference to an issue.
func ReferenceTo(owner, repo string, number int) Reference {
	return Reference{strings.ToLower(owner), strings.ToLower(repo), number}
}

func (r Reference) String() string { return fmt.Sprintf("%s/%s#%d", r.Owner, r.Repo, r.Number) }

// Home is the issue that commands are written on.
type Home struct {
	Reference
	// Web is the address of GitHub's pages, such as https://github.com: addresses of issues begin with it.
	Web string
}

// Shows returns how a reference is written on the issue: short for one of the same repository.
func (h Home) Shows(r Reference) string {
	if h.Owner == r.Owner && h.Repo == r.Repo {
		return fmt.Sprintf("#%d", r.Number)
	}
	return r.String()
}

var (
	shortReference = regexp.MustCompile(`^(?:([A-Za-z0-9][A-Za-z0-9-]{0,38}(?:_[A-Za-z0-9]+)?)/([A-Za-z0-9._-]{1,100}))?#([1-9][0-9]{0,9})$`)
	pathReference  = regexp.MustCompile(`^/([A-Za-z0-9][A-Za-z0-9-]{0,38}(?:_[A-Za-z0-9]+)?)/([A-Za-z0-9._-]{1,100})/(?:issues|pull)/([1-9][0-9]{0,9})$`)
)

// Refers reads a word as GitHub does where it links issues: #12, owner/repository#12, or the address of an issue's page on the
// same server. See https://docs.github.com/get-started/writing-on-github/working-with-advanced-formatting/autolinked-references-and-urls.
func (h Home) Refers(word string) (r Reference, ok bool) {
	parts := shortReference.FindStringSubmatch(word)
	if parts == nil {
		parts = h.path(word)
	}
	if parts == nil {
		return Reference{}, false
	}
	number, err := strconv.Atoi(parts[3])
	if err != nil {
		return Reference{}, false
	}
	if parts[1] == "" {
		return Reference{h.Owner, h.Repo, number}, true
	}
	return ReferenceTo(parts[1], parts[2], number), true
}

// path matches the path of an address on the server of the issue.
func (h Home) path(word string) []string {
	address, err := url.Parse(word)
	web, webErr := url.Parse(h.Web)
	if err != nil || webErr != nil || web.Host == "" || !strings.EqualFold(address.Host, web.Host) || address.User != nil {
		return nil
	}
	if address.Scheme != "https" && address.Scheme != web.Scheme {
		return nil
	}
	return pathReference.FindStringSubmatch(strings.TrimPrefix(address.Path, strings.TrimSuffix(web.Path, "/")))
}
