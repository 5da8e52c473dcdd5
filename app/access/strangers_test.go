package access_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/colony-app/colony/app/access"
	"github.com/colony-app/colony/github/ratelimit"
	"github.com/colony-app/colony/playground"
)

func at(address string) context.Context {
	return access.From(context.Background(), netip.MustParseAddr(address))
}

// 200 strangers send wrong tokens from 50 addresses for ten minutes. Ten people come in, read and are renewed.
func TestStrangersLockNobodyOut(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	limited := 0
	for second := range 600 {
		for i := range 200 {
			token := fmt.Sprintf("ghp_%018d%018d", second, i)
			_, err := w.reader.ViewerOf(at(fmt.Sprintf("192.0.2.%d", i%50)), token)
			if wait := (*ratelimit.Error)(nil); errors.As(err, &wait) {
				limited++
			} else if !errors.Is(err, access.ErrRefused) {
				t.Fatalf("a wrong token: %v", err)
			}
		}
		for i := range 10 {
			login := fmt.Sprintf("person%d", i)
			if second < 30*i { // people come one after the other
				continue
			}
			if second == 30*i {
				w.github.AddUser(login)
			}
			v, err := w.reader.ViewerOf(at(fmt.Sprintf("198.51.100.%d", i)), w.github.Token(login))
			if err != nil || v.Login != login {
				t.Fatalf("%s falls out after %d s: %v", login, second, err)
			}
			if may, err := w.reader.MayRead(at("198.51.100.1"), v, "acme", "widgets", 0); !may || err != nil {
				t.Fatalf("%s cannot read after %d s: %t, %v", login, second, may, err)
			}
		}
		w.clock.Advance(time.Second)
	}
	if asked := 200*600 - limited; asked > 50*(10+100) {
		t.Errorf("GitHub was asked about %d wrong tokens", asked)
	}
}

func TestAKnownTokenIsRenewedFromAnAddressOfStrangers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	token := w.github.Token("rita")
	w.viewer(token)
	w.clock.Advance(access.Kept)
	for i := range 11 {
		_, _ = w.reader.ViewerOf(context.Background(), fmt.Sprintf("ghp_%036d", i))
	}
	w.viewer(token)
	pat := w.github.Token("pat")
	if _, err := w.reader.ViewerOf(context.Background(), pat); err == nil {
		t.Error("the address has no bound")
	}
	if _, err := w.reader.Issued(context.Background(), pat); err != nil {
		t.Errorf("a token that GitHub has just issued: %v", err)
	}
}

// GitHub accepted the token before, but that is over.
func TestATokenThatEndedIsBoundedByAddress(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	token := w.github.Token("rita")
	w.viewer(token)
	w.github.RevokeToken(token)
	w.clock.Advance(access.Kept)
	if _, err := w.reader.ViewerOf(context.Background(), token); !errors.Is(err, access.ErrRefused) {
		t.Fatalf("a token that ended: %v", err)
	}
	w.clock.Advance(access.Kept)
	for i := range 11 {
		_, _ = w.reader.ViewerOf(context.Background(), fmt.Sprintf("ghp_%036d", i))
	}
	wait := (*ratelimit.Error)(nil)
	if _, err := w.reader.ViewerOf(context.Background(), token); !errors.As(err, &wait) {
		t.Errorf("it is outside of the bound: %v", err)
	}
}

// What GitHub does not answer is no mistake of the address.
func TestTokensCountWhenGitHubRefusesThem(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	heals := w.github.Fault(playground.Fault{Kind: playground.FaultStatus, Status: http.StatusBadGateway})
	wait := (*ratelimit.Error)(nil)
	for i := range 20 {
		_, err := w.reader.ViewerOf(context.Background(), fmt.Sprintf("ghp_%036d", i))
		if err == nil || errors.Is(err, access.ErrRefused) || errors.As(err, &wait) {
			t.Fatalf("token %d, while GitHub is down: %v", i, err)
		}
	}
	heals()
	w.viewer(w.github.Token("rita"))
}

// A refusal is kept as long as other answers, and no longer.
func TestARefusedTokenIsAskedAboutAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	asks := func(want int) {
		t.Helper()
		w.github.ResetCalls()
		if _, err := w.reader.ViewerOf(context.Background(), "ghp_"+strings.Repeat("0", 36)); !errors.Is(err, access.ErrRefused) {
			t.Errorf("a wrong token: %v", err)
		}
		if calls := w.github.Calls(); len(calls) != want {
			t.Errorf("it costs %d calls, not %d", len(calls), want)
		}
	}
	asks(1)
	w.clock.Advance(access.Kept - time.Second)
	asks(0)
	w.clock.Advance(time.Second)
	asks(1)
}

func TestAKnownTokenIsProlongedWhileGitHubIsDown(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	token := w.github.Token("rita")
	v := w.viewer(token)
	cancel := w.github.Fault(playground.Fault{Kind: playground.FaultStatus, Status: http.StatusBadGateway})
	w.clock.Advance(access.Prolonged - time.Second)
	w.github.ResetCalls()
	for range 5 {
		if got := w.viewer(token); got.Login != "rita" {
			t.Errorf("it is %s", got)
		}
	}
	if calls := w.github.Calls(); len(calls) != 1 {
		t.Errorf("five requests ask a GitHub that is down %d times", len(calls))
	}
	if may, err := w.reader.MayRead(context.Background(), v, "acme", "secret", 0); may || err == nil {
		t.Errorf("the right to read is prolonged: %t, %v", may, err)
	}
	w.clock.Advance(10 * time.Second)
	if _, err := w.reader.ViewerOf(context.Background(), token); err == nil {
		t.Error("it is prolonged without end")
	}
	cancel()
	w.viewer(token)
	w.must(w.github.DeleteUser("rita"))
	w.clock.Advance(access.Kept)
	if _, err := w.reader.ViewerOf(context.Background(), token); !errors.Is(err, access.ErrRefused) {
		t.Errorf("a token that is gone: %v", err)
	}
}

// Which address counts is seen by the bound: the eleventh wrong token of an address waits.
func TestWhichAddressCounts(t *testing.T) {
	t.Parallel()
	proxies := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("fd00::/8")}
	for name, test := range map[string]struct {
		peer      string
		forwarded []string
		same      string // an address with the same bound
	}{
		"no proxy":                  {"192.0.2.1:5", []string{"203.0.113.9"}, "192.0.2.1"},
		"one proxy":                 {"10.0.0.1:5", []string{"203.0.113.9"}, "203.0.113.9"},
		"a forged entry":            {"10.0.0.1:5", []string{"1.1.1.1, 203.0.113.9"}, "203.0.113.9"},
		"two proxies, two headers":  {"10.0.0.1:5", []string{"1.1.1.1, 203.0.113.9", "10.2.0.1"}, "203.0.113.9"},
		"nonsense":                  {"10.0.0.1:5", []string{"203.0.113.9, x"}, "10.0.0.1"},
		"no header":                 {"10.0.0.1:5", nil, "10.0.0.1"},
		"a port":                    {"10.0.0.1:5", []string{"203.0.113.9:77"}, "203.0.113.9"},
		"IPv4 in IPv6":              {"[::ffff:10.0.0.1]:5", []string{"::ffff:203.0.113.9"}, "203.0.113.9"},
		"a network of IPv6":         {"[fd00::1]:5", []string{"2001:db8:0:1::7"}, "2001:db8:0:1:ffff::9"},
		"only trusted hops go left": {"10.0.0.1:5", []string{"1.1.1.1, 203.0.113.9, 198.51.100.7"}, "198.51.100.7"},
	} {
		mistakes := access.NewAttempts(1, time.Hour)
		now := time.Unix(1_000_000, 0)
		request := httptest.NewRequest(http.MethodGet, "/", http.NoBody)
		request.RemoteAddr = test.peer
		request.Header["X-Forwarded-For"] = test.forwarded
		access.WithAddresses(proxies, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			if _, wait := mistakes.Begin(r.Context(), now); wait > 0 {
				t.Errorf("%s: the first has to wait", name)
			}
		})).ServeHTTP(httptest.NewRecorder(), request)
		if _, wait := mistakes.Begin(at("100.64.0.1"), now); wait > 0 {
			t.Errorf("%s: another address has to wait", name)
		}
		if _, wait := mistakes.Begin(at(test.same), now); wait == 0 {
			t.Errorf("%s: %s is not the address that counts", name, test.same)
		}
	}
}
