package wording

import (
	"net/url"
	"regexp"
	"strings"
)

// plainAddress is an address that cannot end a link in Markdown, in HTML or in a terminal.
var plainAddress = regexp.MustCompile(`^https?://[a-zA-Z0-9.:\[\]-]+(/[a-zA-Z0-9._~/?#&=%+:;,!@-]*)?$`)

// GitHubAddress returns an address if it is one of GitHub's pages, whose address is web; empty otherwise. Anyone with
// write access can write another one into a comment.
func GitHubAddress(web, address string) string {
	if !plainAddress.MatchString(address) {
		return ""
	}
	at, err := url.Parse(address)
	if err != nil {
		return ""
	}
	if of, err := url.Parse(web); err != nil || of.Host == "" || !strings.EqualFold(at.Host, of.Host) {
		return ""
	}
	return address
}
