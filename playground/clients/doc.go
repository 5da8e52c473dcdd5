// Package clients has tests only: other people's clients of GitHub on the playground, as they are, and recordings of GitHub that the
// playground repeats. They need the build tag clients, and what npm installs in this folder.
package clients
