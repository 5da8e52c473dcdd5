package app_test

import (
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"

	"github.com/colony-app/colony/app"
	"github.com/colony-app/colony/bench/apptest"
	"github.com/colony-app/colony/github/ratelimit"
)

// What a program reads beside the server counts for the installation, whose budgets they share. A token has its own.
func TestForWhomAProgramReads(t *testing.T) {
	t.Parallel()
	for token, want := range map[string]int64{"": 7, "a token": 0} {
		parts, err := app.NewParts(apptest.ConfigAt("http://github.test", apptest.ShortKey()), app.Options{Token: token, Log: zerolog.Nop()}.WithDefaults(), prometheus.NewRegistry())
		if err != nil {
			t.Fatal(err)
		}
		if got := ratelimit.InstallationOf(parts.As(t.Context(), 7)); got != want {
			t.Errorf("with the token %q it counts for installation %d, want %d", token, got, want)
		}
	}
}
