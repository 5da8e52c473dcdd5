package wording

import "testing"

// Only addresses of GitHub's own pages are repeated.
func TestGitHubAddress(t *testing.T) {
	for address, want := range map[string]bool{
		"https://github.com/acme/widgets/pull/7#pullrequestreview-8": true,
		"http://github.com/acme/widgets/issues/7":                    true,
		"https://GitHub.com/acme":                                    true,
		"https://github.com":                                         true,
		"":                                                           false,
		"javascript:alert(1)":                                        false,
		"javascript://github.com/%0aalert(1)":                        false,
		"data:text/html,x":                                           false,
		"//github.com/acme":                                          false,
		"/acme/widgets":                                              false,
		"https://evil.example/github.com":                            false,
		"https://github.com.evil.example/":                           false,
		"https://github.com@evil.example/":                           false,
		"https://me@github.com/":                                     false,
		"https://github.com:8080/":                                   false,
		"https://github.com\\@evil.example/":                         false,
		"https://github.com/> [x](https://evil.example)":             false,
		"https://github.com/\njavascript:alert(1)":                   false,
		"https://github.com/\"onclick=x":                             false,
		" https://github.com/":                                       false,
		"ftp://github.com/":                                          false,
	} {
		if got := GitHubAddress("https://github.com", address); (got == address && got != "") != want || got != "" && got != address {
			t.Errorf("GitHubAddress(%q) = %q", address, got)
		}
	}
	for web, want := range map[string]string{
		"http://127.0.0.1:8080": "http://127.0.0.1:8080/acme", "http://127.0.0.1": "", "": "", "://": "", "http://[::1]:8080": "",
	} {
		if got := GitHubAddress(web, "http://127.0.0.1:8080/acme"); got != want {
			t.Errorf("on %q: %q", web, got)
		}
	}
	if got := GitHubAddress("http://[::1]:8080/", "http://[::1]:8080/acme"); got == "" {
		t.Error("an IPv6 address does not count")
	}
}
