//go:build race

package demo

// underRace says that the race detector watches, which makes everything several times as long. Long stories are not played then:
// they are played whole without it, which .ci/run demo does.
const underRace = true
