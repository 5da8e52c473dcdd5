// Package page is the playground's web page: repositories, issues, labels, comments and webhook deliveries in a browser.
//
// It is rendered on the server and works without JavaScript; a script of its own only brings in what changed in between. Nothing is loaded from
// elsewhere.
//
// The page is a client of the playground's REST API like any other, in the same process: what it shows and does, it
// shows and does with the token of the user whom the visitor acts as. So permissions, events and webhooks are those
// that the same edit has on GitHub, and what GitHub refuses is refused.
package page
