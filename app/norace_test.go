//go:build !race

package app_test

// onboarded is how many repositories a large organisation gives to Colony at once.
const onboarded = 200

const underRace = false
