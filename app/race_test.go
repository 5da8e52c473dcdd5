//go:build race

package app_test

// underRace says that the race detector watches, which makes everything several times as long. Long tables are played by halves then:
// each row once instead of twice. The whole of them is played without it.
const underRace = true
