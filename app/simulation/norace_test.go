//go:build !race

package simulation

const simulationDefaultRuns = simulationHistories
