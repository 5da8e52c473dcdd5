//go:build race

package simulation

const simulationDefaultRuns = simulationHistories / 40
