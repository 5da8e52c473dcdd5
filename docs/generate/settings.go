package main

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/lifecycle"
)

// setting is one leaf of the configuration.
type setting struct {
	name  string // as in config.yml, with dots
	value string // the default, for people
}

// environment is the variable that would override the setting.
func (s setting) environment() string {
	return "COLONY_" + strings.ToUpper(strings.ReplaceAll(s.name, ".", "_"))
}

// meanings says what each setting is for. config.yml explains them at length.
var meanings = map[string]string{ //nolint:gosec // names of settings, no secrets
	"server.address":                  "where webhooks are received",
	"server.admin_token":              "the token for /api/dead-letters and /api/refused-writes, which answer 404 without one; it also opens all of the JSON API",
	"server.admin_token_file":         "a file with that token",
	"server.trusted_proxies":          "the networks, as CIDRs, of the proxies whose `X-Forwarded-For` says where a caller is",
	"api.enabled":                     "whether there is the [JSON API](api.md), below /api/v1/",
	"github.web_url":                  "the pages of GitHub",
	"github.v3_api_url":               "the REST API of GitHub",
	"github.app.integration_id":       "the App's id, a number",
	"github.app.webhook_secret":       "the App's webhook secret",
	"github.app.webhook_secret_file":  "a file with the webhook secret",
	"github.app.private_key":          "the App's private key, PEM; `\\n` stands for a line end",
	"github.app.private_key_file":     "a file with the private key",
	"github.oauth.client_id":          "the App's client id, with which people sign in to the board",
	"github.oauth.client_secret":      "the App's client secret; another one ends all sessions",
	"github.oauth.client_secret_file": "a file with the client secret",
	"board.enabled":                   "whether there is the [board](board.md), at /board",
	"board.url":                       "where browsers reach Colony, `https://` and a host",
	"github.budget.points":            "points that an installation may use in any minute: a read is 1, a write 5. Comments get the same share of the 80 a minute and 500 an hour that GitHub allows; 0: no bound",
	"queue.dir":                       "folder of the embedded queue",
	"queue.url":                       "a NATS cluster that keeps the queue instead",
	"queue.concurrency":               "how many issues a process works on at once",
	"queue.max_bytes":                 "room for the queue, in bytes",
	"log.level":                       "trace, debug, info, warn or error",
	"log.format":                      "json or console",
	"lifecycle":                       "the lifecycle of repositories that choose none",
	"executors.logins":                "accounts that are executors, with their roles",
	"executors.widen":                 "further moves of the table that a role may make",
	"intake.when":                     "which new issues Colony takes into the lifecycle: none, every, labelled, or assigned",
	"intake.labels":                   "the labels that request it",
	"intake.assignees":                "the people to whom such an issue is assigned, by login; only with `when: assigned`",
	"intake.authors":                  "whose issues: logins, or GitHub's words for an author's association; empty: everybody's",
	"dispatch":                        "capacity: how many issues of a repository may be in a state, and from which states Colony fills it",
	"follow":                          "which facts besides labels and commands may move issues, where the lifecycle has triggers for them",
	"limits":                          "other numbers for the lifecycle's limits, by what they count",
	"adopt":                           "whether triggers, time-outs, limits and capacity also move issues that were in a state before the installation and that nobody has moved since",
	"close":                           "whether Colony closes issues in terminal states that the lifecycle marks with `closes`",
	"mode":                            "how far Colony goes where neither the repository nor its owner names a mode: `off`, `observe`, `warn` or `enforce`; empty: `enforce` where one of them has a file for Colony, and `observe` elsewhere",
	"mode_ceiling":                    "the most that anybody may name as mode",
	"repositories.include":            "patterns over `OWNER/NAME` of the repositories in which Colony works; empty: all",
	"repositories.exclude":            "patterns of the repositories that it leaves alone, even if `include` has them",
	"identities.former":               "logins under which Colony wrote before",
	"commands.move":                   "the permission that moving takes",
	"commands.force":                  "the permission that forcing takes",
	"judging.settle":                  "how long an issue must be quiet before anything is refused",
	"judging.horizon":                 "how far back changes are judged",
	"breaker.rejections":              "how many changes Colony refuses on one issue before it stops there",
	"breaker.window":                  "the time within which refusals are counted",
	"sweep.interval":                  "time between two sweeps, which find what no webhook reported; 0s: only one, at the start",
	"notify.webhooks":                 "where Colony sends its verdicts, see [webhooks.md](webhooks.md)",
	"pull_requests.branches":          "how branches are named after the issue that they are for: `{number}` is the issue's number, `*` is anything",
	"sweep.max_refusals":              "on how many issues of a repository one sweep may refuse something; beyond that, the sweep changes none of them and reports",
}

func settings() []setting {
	var found []setting
	collect(reflect.ValueOf(config.Default()), "", &found)
	return found
}

func collect(v reflect.Value, prefix string, found *[]setting) {
	for i := range v.NumField() {
		name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("yaml"), ",")
		if name == "-" {
			continue
		}
		name = prefix + name
		if field := v.Field(i); field.Kind() == reflect.Struct {
			collect(field, name+".", found)
		} else {
			*found = append(*found, setting{name, defaultOf(field)})
		}
	}
}

func defaultOf(v reflect.Value) string {
	if v.IsZero() {
		return "–"
	}
	if d, ok := reflect.TypeAssert[time.Duration](v); ok {
		return code(lifecycle.Span(d))
	}
	if v.Kind() == reflect.Slice {
		words := make([]string, v.Len())
		for i := range words {
			words[i] = fmt.Sprint(v.Index(i).Interface())
		}
		return code("[" + strings.Join(words, ", ") + "]")
	}
	return code(fmt.Sprint(v.Interface()))
}

// settingTable lists every setting.
func settingTable(string) (string, error) {
	t := newTable("setting", "what it is", "default")
	known := settings()
	for _, s := range known {
		meaning, ok := meanings[s.name]
		if !ok {
			return "", fmt.Errorf("the setting %s has no meaning", s.name)
		}
		t.row(code(s.name), meaning, s.value)
	}
	for name := range meanings {
		if !slices.ContainsFunc(known, func(s setting) bool { return s.name == name }) {
			return "", fmt.Errorf("there is no setting %s any more", name)
		}
	}
	return t.String(), nil
}

// environmentTable lists the variables with the settings that they override.
func environmentTable(string) (string, error) {
	t := newTable("variable", "setting", "what it is", "default")
	known := settings()
	for _, variable := range config.EnvironmentVariables() {
		i := slices.IndexFunc(known, func(s setting) bool { return s.environment() == variable })
		if i < 0 {
			return "", fmt.Errorf("the variable %s is named like no setting", variable)
		}
		t.row(code(variable), code(known[i].name), meanings[known[i].name], known[i].value)
	}
	return t.String(), nil
}
