//go:build race

package app

const simulationDefaultRuns = simulationHistories / 40
