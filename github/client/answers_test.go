package client

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

const anAddress = "https://api.github.test/repos/acme/widgets/issues?per_page=2"

func an(status, header, body string) string {
	return "HTTP/2.0 " + status + "\r\nEtag: W/\"" + body + "\"\r\n" + header + "\r\n" + body
}

// GitHub's "not modified" must not bring back an answer that failed, or one after which there may be more by now.
func TestWhichAnswersAreKept(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		kept bool
	}{
		{an("200 OK", "", "[1]"), true},
		{strings.Replace(an("200 OK", "", "[2]"), "HTTP/2.0", "HTTP/1.1", 1), true},
		{an("200 OK", "", `{"total_count":2}`), true},
		{an("200 OK", `Link: <https://api.github.test/2>; rel="next"`+"\r\n", "[1,2]"), true},
		{an("200 OK", `Link: <https://api.github.test/1>; rel="prev"`+"\r\n", "[1,2]"), false},
		{an("200 OK", "", "[3,2]"), false},
		{"HTTP/2.0 200 OK\r\n\r\n[1]", false}, // without a tag there is no condition
		{an("500 Internal Server Error", "", ""), false},
		{an("404 Not Found", "", "{}"), false},
		{an("304 Not Modified", "", ""), false},
		{an("200 OK", "", `"`+strings.Repeat("x", maxAnswer)+`"`), false},
	} {
		answers := installationAnswers{newAnswerStore(), 1}
		answers.Set(anAddress, []byte(an("200 OK", "", "[0]")))
		answers.Set(anAddress, []byte(c.text))
		answers.Set(anAddress, []byte(c.text)) // as after "not modified"
		got, kept := answers.Get(anAddress)
		if kept != c.kept || kept && string(got) != c.text {
			t.Errorf("%.80q: kept %t as %.80q, want %t", c.text, kept, got, c.kept)
		}
	}
}

// Of the headers those are kept that an answer is used again by.
func TestTheEssenceOfAnAnswer(t *testing.T) {
	t.Parallel()
	const needed = "Cache-Control: private, max-age=0\r\nContent-Length: 3\r\nLink: <x>; rel=\"next\"\r\nVary: Authorization\r\nX-Varied-Authorization: token x\r\n"
	answers := installationAnswers{newAnswerStore(), 1}
	answers.Set(anAddress, []byte(an("200 OK", needed+"X-Github-Request-Id: 1\r\nServer: github.com\r\n", "[1]")))
	if got, _ := answers.Get(anAddress); string(got) != an("200 OK", needed, "[1]") {
		t.Errorf("%q is kept", got)
	}
}

// One installation may not read what another may.
func TestAnswersOfOneInstallation(t *testing.T) {
	t.Parallel()
	store := newAnswerStore()
	one, other := installationAnswers{store, 1}, installationAnswers{store, 2}
	one.Set(anAddress, []byte(an("200 OK", "", "[1]")))
	if text, there := other.Get(anAddress); there {
		t.Errorf("another installation got %q", text)
	}
	other.Set(anAddress, []byte(an("200 OK", "", "[2]")))
	if text, there := one.Get(anAddress); !there || string(text) != an("200 OK", "", "[1]") {
		t.Errorf("the installation itself got %q", text)
	}
}

// All answers together are bounded in bytes, also those of an installation that got none before; and of more than fit,
// read over and over in a cycle, the cache keeps as many as fit.
func TestAnswersAreBounded(t *testing.T) {
	t.Parallel()
	store := newAnswerStore()
	noise := rand.New(rand.NewPCG(1, 2))
	text := make([]byte, 40_000)
	const rounds, each, installations = 4, 300, 3 // 36 MB that do not pack well
	kept := 0
	for range rounds {
		kept = 0
		for installation := range int64(installations) {
			for n := range each {
				answers, address := installationAnswers{store, installation}, fmt.Sprintf("https://api.github.test/%d", n)
				if _, there := answers.Get(address); there {
					kept++
					continue
				}
				for i := range text {
					text[i] = byte(' ' + noise.IntN(90))
				}
				answers.Set(address, []byte(fmt.Sprintf("HTTP/2.0 200 OK\r\nEtag: W/\"%d\"\r\n\r\n%s", n, text)))
				if weight := store.kept.WeightedSize(); weight > answersBytes {
					t.Fatalf("%d bytes are kept, more than %d", weight, answersBytes)
				}
			}
		}
	}
	if share := float64(kept) / (each * installations); share < 0.3 {
		t.Errorf("%.0f %% of the answers are found again, want 30 %% at least", 100*share)
	}
}
