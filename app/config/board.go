package config

import (
	"net/netip"
	"net/url"
	"strings"
)

// validateBoard says what the board lacks, if there is to be one.
func (c Config) validateBoard(say complaint) {
	if !c.Board.Enabled {
		return
	}
	const like = "write the address at which browsers reach Colony, like https://colony.example.com"
	u, err := url.Parse(c.Board.URL)
	switch {
	case c.Board.URL == "":
		say(absent("board.url", like, "is missing: GitHub sends people back there who signed in"))
	case err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Hostname() == "" || u.User != nil || strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.Fragment != "":
		say(wrong("board.url", like, "%q is not the address of a host that begins with https://", c.Board.URL))
	case u.Scheme == "http" && !IsLoopback(u.Hostname()):
		say(wrong("board.url", like, "%q does not begin with https://, and sessions would go over the net for everyone to read", c.Board.URL))
	}
	const atGeneral = " of the App's settings on GitHub, General"
	if c.GitHub.OAuth.ClientID == "" {
		say(absent("github.oauth.client_id", "copy the Client ID"+atGeneral, "is missing: people sign in to the board with it"))
	}
	if c.GitHub.OAuth.ClientSecret == "" {
		say(absent("github.oauth.client_secret", "generate a client secret"+atGeneral, "is missing: people sign in to the board with it"))
	}
}

// IsLoopback reports whether a host can mean this machine only.
func IsLoopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return strings.EqualFold(host, "localhost") || err == nil && ip.Unmap().IsLoopback()
}
