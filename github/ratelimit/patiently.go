package ratelimit

import (
	"errors"
	"fmt"
	"net/http"
	"time"
)

// Patiently makes the calls of a program wait until no rate limit refuses them, and sends them again then. It leaves the second half of the calls
// of an hour to a server that works for the same installation, see SparedFor, and of a minute what the server uses. waits is called before each
// wait, by several goroutines at a time. It goes in front of Middleware and Refuse, which refuse calls.
func (l *Limiter) Patiently(waits func(time.Duration)) func(http.RoundTripper) http.RoundTripper {
	l.patient = true
	return func(next http.RoundTripper) http.RoundTripper {
		return RoundTripperFunc(func(request *http.Request) (*http.Response, error) {
			for {
				wait := l.SparedFor(InstallationOf(request.Context()))
				if wait == 0 {
					response, err := next.RoundTrip(request)
					limited := (*Error)(nil)
					if !errors.As(err, &limited) {
						return response, err //nolint:wrapcheck // a round tripper returns what it got
					}
					wait = limited.Wait
					if request, err = again(request); err != nil {
						return nil, err
					}
				}
				waits(wait)
				select {
				case <-l.clock.After(wait):
				case <-request.Context().Done():
					return nil, fmt.Errorf("wait for GitHub's rate limit: %w", request.Context().Err())
				}
			}
		})
	}
}

// again returns a request to send instead of one whose body was read.
func again(request *http.Request) (*http.Request, error) {
	if request.GetBody == nil {
		return request, nil
	}
	body, err := request.GetBody()
	if err != nil {
		return nil, fmt.Errorf("send a call again: %w", err)
	}
	request = request.Clone(request.Context())
	request.Body = body
	return request, nil
}
