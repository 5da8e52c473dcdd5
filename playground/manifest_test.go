package playground_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v4"
	"github.com/google/go-cmp/cmp"
	"github.com/jonboulle/clockwork"

	"github.com/colony-app/colony/playground"
)

// manifest is one that is accepted, with changes: nil takes a field away.
func manifest(t *testing.T, changes map[string]any) string {
	t.Helper()
	m := map[string]any{
		"name": "Helper", "url": "https://example.com", "redirect_url": "http://127.0.0.1:1/created?x=y", "public": false,
		"hook_attributes":     map[string]any{"url": "http://127.0.0.1:1/hook"},
		"default_permissions": map[string]string{"issues": "write"}, "default_events": []string{"issues", "label"},
	}
	maps.Copy(m, changes)
	maps.DeleteFunc(m, func(_ string, value any) bool { return value == nil })
	text, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestManifestIsRefused(t *testing.T) {
	w := newWorld(t)
	for name, test := range map[string]struct {
		changes map[string]any
		want    string
	}{
		"without a URL":                     {map[string]any{"url": nil}, `"url" wasn't supplied.`},
		"a webhook without a URL":           {map[string]any{"hook_attributes": map[string]any{"active": false}}, `"url" wasn't supplied.`},
		"nowhere to return to":              {map[string]any{"redirect_url": nil}, `"redirect_url" wasn't supplied.`},
		"returning to no address":           {map[string]any{"redirect_url": "created"}, "Redirect url must be a valid URL"},
		"an event that comes anyway":        {map[string]any{"default_events": []string{"installation"}}, "Default events unsupported: installation; Default events are not supported by permissions: installation"},
		"events that do not exist":          {map[string]any{"default_events": []string{"a", "issues", "b", "c"}}, "Default events unsupported: a, b, and c; Default events are not supported by permissions: a, b, and c"},
		"an event without its permission":   {map[string]any{"default_events": []string{"push", "status"}}, "Default events are not supported by permissions: push and status"},
		"an event that is never sent":       {map[string]any{"default_events": []string{"star"}}, "The playground does not send the event star"},
		"a permission that does not exist":  {map[string]any{"default_permissions": map[string]string{"issue": "write"}, "default_events": nil}, "Default permission records resource is not included in the list: issue: write"},
		"a level that a permission has not": {map[string]any{"default_permissions": map[string]string{"metadata": "write"}, "default_events": nil}, "Default permission records resource is not included in the list: metadata: write"},
		"what the playground has not":       {map[string]any{"setup_url": "https://example.com"}, "The playground does not implement the manifest's setup_url"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := w.RegisterManifest("acme", manifest(t, test.changes), "Helper")
			if refused := (*playground.ManifestError)(nil); !errors.As(err, &refused) || refused.Error() != test.want {
				t.Errorf("%v\nwant %s", err, test.want)
			}
		})
	}
	t.Run("no JSON", func(t *testing.T) {
		if _, err := w.RegisterManifest("acme", "name: x", "x"); err == nil {
			t.Error("accepted")
		}
	})
	t.Run("an event that this GitHub lacks", func(t *testing.T) {
		if err := w.Lack(playground.SubIssues); err != nil {
			t.Fatal(err)
		}
		_, err := w.RegisterManifest("acme", manifest(t, map[string]any{"default_events": []string{"sub_issues"}}), "x")
		if err == nil || err.Error() != "Default events unsupported: sub_issues" {
			t.Error(err)
		}
	})
	for name, want := range map[string]string{
		" ": "Name can't be blank", strings.Repeat("x", 35): "Name is too long (maximum is 34 characters)",
		"Colony": "Name is already taken", "Acme": "Name is already taken",
	} {
		if _, err := w.RegisterManifest("acme", manifest(t, nil), name); err == nil || err.Error() != want {
			t.Errorf("the name %q: %v", name, err)
		}
	}
	if _, err := w.RegisterManifest("nobody", manifest(t, nil), "x"); err == nil {
		t.Error("registered for an account that does not exist")
	}
}

// The credentials of an App are handed out once, and work.
func TestManifestIsConvertedOnce(t *testing.T) {
	w := newWorld(t)
	code, err := w.RegisterManifest("acme", manifest(t, nil), "My Helper, 2")
	if err != nil {
		t.Fatal(err)
	}
	response, answer := w.raw("POST", "/api/v3/app-manifests/"+code+"/conversions", "")
	if response.StatusCode != 201 {
		t.Fatalf("%s: %v", response.Status, answer)
	}
	if answer["slug"] != "my-helper-2" || answer["name"] != "My Helper, 2" || answer["external_url"] != "https://example.com" {
		t.Errorf("the App is %v", answer)
	}
	if diff := cmp.Diff(map[string]any{"issues": "write", "metadata": "read"}, answer["permissions"]); diff != "" {
		t.Error(diff)
	}
	for _, name := range []string{"client_id", "client_secret", "webhook_secret", "pem"} {
		if text, _ := answer[name].(string); text == "" {
			t.Errorf("there is no %s", name)
		}
	}
	pem, _ := answer["pem"].(string)
	key, err := jwt.ParseRSAPrivateKeyFromPEM([]byte(pem))
	if err != nil {
		t.Fatal(err)
	}
	id, _ := answer["id"].(float64)
	now := time.Now()
	signed, err := jwt.NewWithClaims(jwt.SigningMethodRS256, jwt.MapClaims{"iss": int64(id), "iat": now.Unix(), "exp": now.Add(time.Minute).Unix()}).SignedString(key)
	if err != nil {
		t.Fatal(err)
	}
	if response, about := w.raw("GET", "/app", "", "Authorization", "Bearer "+signed); response.StatusCode != 200 || about["slug"] != "my-helper-2" {
		t.Errorf("its key does not sign in: %s %v", response.Status, about)
	}
	if response, _ := w.raw("POST", "/api/v3/app-manifests/"+code+"/conversions", ""); response.StatusCode != 404 {
		t.Errorf("the code is good twice: %s", response.Status)
	}
	t.Run("a private App is installed by its owner only", func(t *testing.T) {
		w.AddOrganization("other")
		response, answer := w.raw("POST", "/playground/installations", fmt.Sprintf(`{"app_id":%d,"account":"other"}`, int64(id)))
		if response.StatusCode != 400 || !strings.Contains(fmt.Sprint(answer["message"]), "only acme can install it") {
			t.Errorf("%s %v", response.Status, answer)
		}
		w.Install(int64(id), "acme")
		w.quiet()
	})
}

func TestManifestCodeIsGoodForAnHour(t *testing.T) {
	clock := clockwork.NewFakeClock()
	p := playground.New(playground.Options{Clock: clock})
	base, err := p.Start("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	w := &world{Playground: p, t: t, base: base}
	w.AddUser("alice")
	for wait, want := range map[time.Duration]int{time.Hour - time.Second: 201, time.Hour: 404} {
		name := "Waits " + strings.ReplaceAll(wait.String(), "m", "")
		code, err := w.RegisterManifest("alice", manifest(t, map[string]any{"hook_attributes": nil}), name)
		if err != nil {
			t.Fatal(err)
		}
		clock.Advance(wait)
		response, answer := w.raw("POST", "/app-manifests/"+code+"/conversions", "")
		if response.StatusCode != want {
			t.Errorf("after %s: %s", wait, response.Status)
		}
		if secret, there := answer["webhook_secret"]; want == 201 && (!there || secret != nil) {
			t.Errorf("an App without a webhook has the secret %v", secret)
		}
	}
}
