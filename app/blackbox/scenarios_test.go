package blackbox_test

import "slices"

// allScenarios lists every conversation, in the order in which they are played.
func allScenarios() []scenario {
	return slices.Concat(installationScenarios, labelScenarios, executorScenarios, commandScenarios, deliveryScenarios)
}
