//go:build hold

// Package main: temporary, keeps go.mod complete while packages are being written.
package main

import (
	_ "github.com/alecthomas/kong"
	_ "github.com/bradleyfalzon/ghinstallation/v2"
	_ "github.com/cenkalti/backoff/v5"
	_ "github.com/goccy/go-yaml"
	_ "github.com/golang-jwt/jwt/v4"
	_ "github.com/google/go-cmp/cmp"
	_ "github.com/google/go-github/v62/github"
	_ "github.com/gregjones/httpcache"
	_ "github.com/hashicorp/golang-lru/v2/expirable"
	_ "github.com/jonboulle/clockwork"
	_ "github.com/mattn/go-shellwords"
	_ "github.com/nats-io/nats-server/v2/server"
	_ "github.com/nats-io/nats.go/jetstream"
	_ "github.com/palantir/go-githubapp/githubapp"
	_ "github.com/prometheus/client_golang/prometheus/promhttp"
	_ "github.com/rogpeppe/go-internal/testscript"
	_ "github.com/rs/zerolog"
	_ "github.com/yuin/goldmark"
	_ "go.yaml.in/yaml/v3"
	_ "pgregory.net/rapid"
)
