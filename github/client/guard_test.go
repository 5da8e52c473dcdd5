package client_test

import (
	"context"
	"errors"
	"net/http"
	"testing"

	"github.com/colony-app/colony/github/client"
	"github.com/colony-app/colony/github/ratelimit"
)

func TestWhatOnlyReadsChangesNoRepository(t *testing.T) {
	t.Parallel()
	sent := 0
	transport := client.Guard(ratelimit.RoundTripperFunc(func(*http.Request) (*http.Response, error) {
		sent++
		return &http.Response{StatusCode: http.StatusOK, Body: http.NoBody}, nil
	}), func(context.Context, string, string) bool { return true })
	call := func(ctx context.Context, method, path string) error {
		request, err := http.NewRequestWithContext(ctx, method, "https://api.github.com"+path, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		response, err := transport.RoundTrip(request)
		if err == nil {
			err = response.Body.Close()
		}
		return err
	}
	reading := client.OnlyReading(t.Context())
	for _, method := range []string{http.MethodPost, http.MethodPatch, http.MethodPut, http.MethodDelete} {
		unwritten := (*client.UnwrittenError)(nil)
		if err := call(reading, method, "/repos/acme/widgets/issues/1/labels"); !errors.As(err, &unwritten) || sent != 0 {
			t.Errorf("%s is sent: %v", method, err)
		}
	}
	for _, one := range []struct {
		ctx          context.Context
		method, path string
	}{
		{reading, http.MethodGet, "/repos/acme/widgets/issues/1"},
		{reading, http.MethodPost, "/app/installations/1/access_tokens"},
		{t.Context(), http.MethodPost, "/repos/acme/widgets/issues/1/labels"},
	} {
		before := sent
		if err := call(one.ctx, one.method, one.path); err != nil || sent != before+1 {
			t.Errorf("%s %s is not sent: %v", one.method, one.path, err)
		}
	}
}
