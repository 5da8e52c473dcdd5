package playground_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/colony-app/colony/playground"
)

// Every kind of refusal, as it is on the wire. That the bodies are of the schemas GitHub describes, and that the headers
// are there which every answer has, is checked for all answers of all tests (package schematest).
func TestStatusesOnTheWire(t *testing.T) {
	const docs = "https://docs.github.com/rest"
	limits := docs + "/overview/rate-limits-for-the-rest-api"
	for name, test := range map[string]struct {
		prepare           func(*world)
		login, method     string
		path, body        string
		status            int
		message           string
		documentation     string
		errors            any
		header, notHeader map[string]string
	}{
		"301, moved": {
			prepare: func(w *world) { w.check(w.RenameRepository("acme", "shop", "store")) },
			login:   "alice", method: "GET", path: "/repos/acme/shop/issues?state=all", status: 301, message: "Moved Permanently",
			documentation: docs + "/guides/best-practices-for-using-the-rest-api#follow-redirects",
			header:        map[string]string{"Location": "{base}/repositories/{shop}/issues?state=all"},
		},
		"307, moved, a write": {
			prepare: func(w *world) { w.check(w.RenameRepository("acme", "shop", "store")) },
			login:   "alice", method: "POST", path: "/repos/acme/shop/labels", body: `{"name":"x"}`, status: 307, message: "Moved Permanently",
			documentation: docs + "/guides/best-practices-for-using-the-rest-api#follow-redirects",
			header:        map[string]string{"Location": "{base}/repositories/{shop}/labels"},
		},
		"400, not JSON": {
			login: "alice", method: "POST", path: "/repos/acme/shop/labels", body: `{`, status: 400, message: "Problems parsing JSON",
			documentation: docs + "/issues/labels#create-a-label",
		},
		"401, nobody": {
			method: "POST", path: "/repos/acme/shop/labels", body: `{"name":"x"}`, status: 401, message: "Requires authentication",
			documentation: docs + "/issues/labels#create-a-label", header: map[string]string{"X-RateLimit-Limit": "60"},
		},
		"401, a token that is none": {
			login: "-", method: "GET", path: "/repos/acme/shop", status: 401, message: "Bad credentials",
			documentation: docs, header: map[string]string{"X-RateLimit-Limit": "60"},
		},
		"403, a reader": {
			login: "mallory", method: "POST", path: "/repos/acme/shop/issues/1/labels", body: `{"labels":["bug"]}`, status: 403,
			message: "Must have admin rights to Repository.", documentation: docs + "/issues/labels#add-labels-to-an-issue",
			header: map[string]string{"X-RateLimit-Remaining": "4999", "X-RateLimit-Used": "1"},
		},
		"403, an App without the permission": {
			login: "dev", method: "DELETE", path: "/repos/acme/shop", status: 403, message: "Resource not accessible by integration",
			documentation: docs + "/repos/repos#delete-a-repository",
			header:        map[string]string{"X-Accepted-GitHub-Permissions": "administration=write"},
		},
		"403, a locked conversation": {
			prepare: func(w *world) {
				w.must("alice", "PUT", "/repos/acme/shop/issues/1/lock", `{"lock_reason":"too heated"}`)
			},
			login: "mallory", method: "POST", path: "/repos/acme/shop/issues/1/comments", body: `{"body":"x"}`, status: 403,
			message: "Unable to create comment because issue is locked.", documentation: "https://docs.github.com/articles/locking-conversations/",
		},
		"403, the limit of the hour": {
			prepare: func(w *world) { w.SetRateLimit(0) },
			login:   "alice", method: "GET", path: "/repos/acme/shop", status: 403, message: "API rate limit exceeded for user ID {alice}.",
			documentation: docs + "/repos/repos#get-a-repository",
			header:        map[string]string{"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "{hour}", "X-RateLimit-Resource": "core"},
			notHeader:     map[string]string{"Retry-After": ""},
		},
		"403, the secondary limit": {
			prepare: func(w *world) {
				w.Fault(playground.Fault{Kind: playground.FaultSecondaryLimit, RetryAfter: time.Minute})
			},
			login: "alice", method: "GET", path: "/repos/acme/shop", status: 403,
			message:       "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.",
			documentation: limits + "#about-secondary-rate-limits", header: map[string]string{"Retry-After": "60", "X-RateLimit-Remaining": "5000"},
		},
		"403, the points of the minute": {
			prepare: func(w *world) {
				w.SetPointLimit(9)
				w.must("alice", "PATCH", "/repos/acme/shop/issues/1", `{"title":"Again"}`)
			},
			login: "alice", method: "PATCH", path: "/repos/acme/shop/issues/1", body: `{"title":"And again"}`, status: 403,
			message:       "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.",
			documentation: limits + "#about-secondary-rate-limits", header: map[string]string{"Retry-After": "60", "X-RateLimit-Remaining": "4999"},
		},
		"404, a private repository": {
			prepare: func(w *world) { w.check(w.SetPrivate("acme", "shop", true)) },
			login:   "mallory", method: "GET", path: "/repos/acme/shop/issues/1", status: 404, message: "Not Found",
			documentation: docs + "/issues/issues#get-an-issue",
		},
		"404, a label that is not there": {
			login: "alice", method: "DELETE", path: "/repos/acme/shop/issues/1/labels/question", status: 404, message: "Label does not exist",
			documentation: docs + "/issues/labels#remove-a-label-from-an-issue",
		},
		"409, a file that has changed": {
			login: "alice", method: "PUT", path: "/repos/acme/shop/contents/README.md", body: `{"message":"m","content":"eA==","sha":"00"}`,
			status: 409, message: "README.md does not match 00", documentation: docs + "/repos/contents#create-or-update-file-contents",
		},
		"410, a deleted issue": {
			prepare: func(w *world) { w.check(w.DeleteIssue("acme", "shop", 1, "alice")) },
			login:   "alice", method: "GET", path: "/repos/acme/shop/issues/1", status: 410, message: "This issue was deleted",
			documentation: docs + "/issues/issues#get-an-issue",
		},
		"422, a field that is missing": {
			login: "alice", method: "POST", path: "/repos/acme/shop/issues", body: `{}`, status: 422,
			message: "Invalid request.\n\n\"title\" wasn't supplied.", documentation: docs + "/issues/issues#create-an-issue",
		},
		"422, a field that is wrong": {
			login: "alice", method: "POST", path: "/repos/acme/shop/labels", body: `{"name":"bug"}`, status: 422, message: "Validation Failed",
			documentation: docs + "/issues/labels#create-a-label",
			errors:        []any{map[string]any{"resource": "Label", "field": "name", "code": "already_exists"}},
		},
		"429, the limit of the hour": {
			prepare: func(w *world) {
				w.Fault(playground.Fault{Kind: playground.FaultPrimaryLimit, Status: 429, Reset: time.Hour})
			},
			login: "alice", method: "GET", path: "/repos/acme/shop", status: 429, message: "API rate limit exceeded for user ID {alice}.",
			documentation: limits, header: map[string]string{"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "{hour}"},
		},
		"502, a bad moment": {
			prepare: func(w *world) { w.Fault(playground.Fault{Kind: playground.FaultStatus, Status: 502}) },
			login:   "alice", method: "GET", path: "/repos/acme/shop", status: 502, message: "Bad Gateway", documentation: docs,
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			shop := w.AddRepository("acme", "shop")
			w.open("alice", "Broken")
			_, alice := w.raw("GET", "/users/alice", "")
			w.SetRateLimit(5000) // counts from here
			if test.prepare != nil {
				test.prepare(w)
			}
			replace := func(text string) string {
				for mark, value := range map[string]string{
					"{base}": w.base, "{shop}": fmt.Sprint(shop), "{alice}": fmt.Sprintf("%.0f", alice["id"]),
					"{hour}": fmt.Sprint(w.clock.Now().Add(time.Hour).Unix()),
				} {
					text = strings.ReplaceAll(text, mark, value)
				}
				return text
			}
			var header []string
			switch test.login {
			case "":
			case "-":
				header = []string{"Authorization", "Bearer nonsense"}
			default:
				header = []string{"Authorization", w.auth(test.login)}
			}
			response, answer := w.raw(test.method, test.path, test.body, header...)
			delete(answer, "url") // of a redirect: it is the header Location as well
			want := map[string]any{"message": replace(test.message), "documentation_url": test.documentation, "status": fmt.Sprint(test.status)}
			if test.errors != nil {
				want["errors"] = test.errors
			}
			if diff := cmp.Diff(want, answer); diff != "" || response.StatusCode != test.status {
				t.Errorf("%s: %s", response.Status, diff)
			}
			if response.Header.Get("Content-Type") != "application/json; charset=utf-8" || response.Header.Get("X-GitHub-Request-Id") == "" {
				t.Errorf("headers: %v", response.Header)
			}
			for name, value := range test.header {
				if got := response.Header.Get(name); got != replace(value) {
					t.Errorf("%s: %q, want %q", name, got, replace(value))
				}
			}
			for name := range test.notHeader {
				if response.Header.Get(name) != "" {
					t.Errorf("%s is there", name)
				}
			}
		})
	}
}

func TestPagesAndValidatorsOnTheWire(t *testing.T) {
	w := newWorld(t)
	shop := w.AddRepository("acme", "shop")
	for range 3 {
		w.open("alice", "One of three")
	}
	for _, root := range []string{"", "/api/v3"} {
		path := root + "/repos/acme/shop/issues?per_page=1&page=2"
		first, _ := w.raw("GET", path, "", "Authorization", w.auth("alice"))
		page := func(n int, rel string) string {
			return fmt.Sprintf(`<%s%s/repositories/%d/issues?per_page=1&page=%d>; rel="%s"`, w.base, root, shop, n, rel)
		}
		if want := page(1, "prev") + ", " + page(3, "next") + ", " + page(3, "last") + ", " + page(1, "first"); first.Header.Get("Link") != want {
			t.Errorf("Link: %s", cmp.Diff(want, first.Header.Get("Link")))
		}
		next := fmt.Sprintf("%s/repositories/%d/issues?per_page=1&page=3", root, shop)
		if last, _ := w.raw("GET", next, "", "Authorization", w.auth("alice")); last.StatusCode != http.StatusOK || !strings.Contains(last.Header.Get("Link"), page(2, "prev")) {
			t.Errorf("the next page: %s %v", last.Status, last.Header)
		}
		tag := first.Header.Get("ETag")
		again, _ := w.raw("GET", path, "", "Authorization", w.auth("alice"), "If-None-Match", tag)
		if again.StatusCode != http.StatusNotModified || again.Header.Get("ETag") != tag {
			t.Errorf("unchanged: %s %v", again.Status, again.Header)
		}
		if other, _ := w.raw("GET", path, "", "Authorization", w.auth("bob"), "If-None-Match", tag); other.StatusCode != http.StatusOK {
			t.Errorf("another's tag: %s", other.Status)
		}
	}
}
