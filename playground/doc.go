// Package playground is an embedded GitHub: the part of it that a GitHub App for issues touches, in memory, behind real HTTP.
//
// It answers the REST API at the root of its address (as api.github.com does) and under /api/v3 (as GitHub
// Enterprise Server does), checks App JWTs and tokens, enforces permissions and rate limits, and sends signed
// webhooks for every write. What it does not implement it refuses with 501 and counts (Playground.Unimplemented).
//
// It is a test double as well: deliveries can be held, dropped, doubled and reordered, and calls can fail, stall,
// be cut or hit a rate limit. Every such control is a method of Playground and an HTTP call under /playground/
// (see Controls for the list).
package playground
