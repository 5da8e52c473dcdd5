package client

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/colony-app/colony/github/ratelimit"
)

// What making reads conditional costs: the same answers with and without the cache, each time new or not modified.
func BenchmarkRead(b *testing.B) {
	for _, items := range []int{4, 15, 99} {
		text := "[" + strings.Repeat(`{"name":"bug","description":"Something is not working","url":"https://api.github.test/repos/acme/widgets/labels/bug"},`, 5*items) + `{"name":"last"}]`
		for _, changes := range []bool{true, false} {
			n := 0
			github := ratelimit.RoundTripperFunc(func(request *http.Request) (*http.Response, error) {
				if changes {
					n++
				}
				if tag := fmt.Sprint(n); request.Header.Get("If-None-Match") == tag {
					return an(http.StatusNotModified, "", "Etag", tag), nil
				}
				return an(http.StatusOK, text, "Etag", fmt.Sprint(n)), nil
			})
			for name, by := range map[string]http.RoundTripper{"bare": github, "cached": conditional(wholeAnswers{github, time.Minute}, newAnswers(), 1)} {
				b.Run(fmt.Sprintf("%dKB/changes=%t/%s", len(text)>>10, changes, name), func(b *testing.B) {
					b.ReportAllocs()
					request := httptest.NewRequest(http.MethodGet, anAddress, http.NoBody)
					for b.Loop() {
						response, err := by.RoundTrip(request)
						if err != nil {
							b.Fatal(err)
						}
						var labels []struct{ Name string }
						if err := json.NewDecoder(response.Body).Decode(&labels); err != nil && response.StatusCode == http.StatusOK {
							b.Fatal(err)
						}
						_, _ = io.Copy(io.Discard, response.Body) // it is in memory
					}
				})
			}
		}
	}
}
