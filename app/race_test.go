//go:build race

package app_test

// onboarded is how many repositories an organisation gives to Colony at once: too many for a minute.
const onboarded = 60

// underRace says that the race detector watches, which makes everything several times as long. Of long tables, and of the calls after which
// a crash is tried (crashPoints), it sees a part. The stage "simulation" plays all of them without it.
const underRace = true
