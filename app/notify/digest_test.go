package notify

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/colony-app/colony/golden"
)

func TestWhenADigestIsSent(t *testing.T) {
	t.Parallel()
	at := func(text string) time.Time {
		parsed, err := time.Parse(time.RFC3339, text)
		if err != nil {
			t.Fatal(err)
		}
		return parsed
	}
	for _, row := range []struct{ name, when, after, want string }{
		{"later today", "08:00", "2026-05-04T07:59:59Z", "2026-05-04T08:00:00Z"},
		{"now is over", "08:00", "2026-05-04T08:00:00Z", "2026-05-05T08:00:00Z"},
		{"another zone", "08:00 Europe/Berlin", "2026-05-04T05:00:00Z", "2026-05-04T06:00:00Z"},
		{"the day there is another", "01:00 Asia/Tokyo", "2026-05-04T15:30:00Z", "2026-05-04T16:00:00Z"},
		{"winter comes", "08:00 Europe/Berlin", "2026-10-24T07:00:00Z", "2026-10-25T07:00:00Z"},
		{"the clocks skip it", "02:30 Europe/Berlin", "2026-03-28T12:00:00Z", "2026-03-29T01:30:00Z"},
		{"the clocks have it twice", "02:30 Europe/Berlin", "2026-10-25T01:30:00Z", "2026-10-26T01:30:00Z"},
	} {
		parsed, err := ParseDigestTime(row.when)
		if err != nil {
			t.Fatal(err)
		}
		if got := parsed.Next(at(row.after)).UTC().Format(time.RFC3339); got != row.want {
			t.Errorf("%s: %s after %s is %s, want %s", row.name, row.when, row.after, got, row.want)
		}
	}
}

// digestOf is one of so many issues, with what strangers may write.
func digestOf(issues int) Digest {
	at := time.Date(2026, 5, 4, 6, 0, 0, 0, time.UTC)
	var all []Waiting
	for n := range issues {
		all = append(all, Waiting{
			Repo: "acme/widgets", Issue: n + 1, Title: "Paint <https://evil.example|it> & tell\n @here <!channel>", URL: fmt.Sprintf("https://github.com/acme/widgets/issues/%d", n+1),
			State: "needs-clarification", Need: []string{"awaiting-human", "needs-human"}[n%2], Since: at.AddDate(0, 0, n-issues), Who: []string{"ada", "anyone who may edit labels"}, Command: "/colony:move analyzing",
		})
	}
	return NewDigest("ops", "2026-05-04", at, all)
}

func TestDigestsLookLikeThis(t *testing.T) {
	t.Parallel()
	for name, d := range map[string]Digest{"digest-one": digestOf(1), "digest-many": digestOf(22)} {
		for _, format := range []Format{JSON, Slack} {
			body, err := render(format, Message{Digest: &d})
			if err != nil {
				t.Fatal(err)
			}
			golden.Hold(t, filepath.Join("testdata", name+"."+string(format)+".json"), string(body)+"\n")
		}
	}
}

func TestADigestIsBounded(t *testing.T) {
	t.Parallel()
	d := digestOf(10_000)
	body, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	if d.Waiting != 10_000 || len(d.Issues) != mostWaiting || len(body) > 64<<10 {
		t.Errorf("of %d issues %d are listed, in %d bytes", d.Waiting, len(d.Issues), len(body))
	}
	if text := digestText(d); strings.Count(text, "\n") != mostWaitingText+1 || !strings.HasSuffix(text, "and 9980 more") {
		t.Errorf("the text is %q", text)
	}
}

func TestADigestSaysHowManyItDoesNotList(t *testing.T) {
	t.Parallel()
	for issues, last := range map[int]string{mostWaitingText - 1: "|acme/widgets#19> ", mostWaitingText: "|acme/widgets#20> ", mostWaitingText + 1: "and 1 more"} {
		lines := strings.Split(digestText(digestOf(issues)), "\n")
		if !strings.Contains(lines[len(lines)-1], last) {
			t.Errorf("of %d issues the last line is %q", issues, lines[len(lines)-1])
		}
	}
}

func TestEveryFieldOfADigestIsDocumented(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "webhooks.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(page), "## The digest")
	for _, of := range []reflect.Type{reflect.TypeFor[Digest](), reflect.TypeFor[Waiting]()} {
		for field := range of.Fields() {
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			if !strings.Contains(section, "`"+name+"`") {
				t.Errorf("docs/webhooks.md does not have the field %s of a digest", name)
			}
		}
	}
}
