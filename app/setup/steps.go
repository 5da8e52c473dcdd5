package setup

import (
	"fmt"
	"io"
	"path/filepath"
)

// Step is something to do after the App is created.
type Step struct {
	Says    string
	Command string // to run; empty: none
	Link    string // to open; empty: none
}

// RollOut is the guide for what comes after the first installation.
const RollOut = "https://github.com/colony-app/colony/blob/main/docs/roll-out.md"

// Steps lead from the credentials to the first repository.
func Steps(c Credentials, format Format, folder string) []Step {
	var steps []Step
	check, simulate := "colony doctor", "colony simulate"
	switch format {
	case Files:
		config := filepath.Join(folder, ConfigFile)
		steps = append(steps, Step{Says: "Start Colony, behind a proxy that speaks TLS at the webhook's address.", Command: "colony serve --config " + config})
		check, simulate = check+" --config "+config, simulate+" --config "+config
	case Environment:
		steps = append(steps, Step{
			Says: "Save the variables as colony.env, readable for you alone, and start Colony with them.", Command: "set -a; . ./colony.env; set +a; colony serve",
		})
	case Kubernetes:
		steps = append(steps, Step{Says: "Apply the Secret with kubectl, then the rest.", Command: "kubectl apply -f deploy/kubernetes.yml"})
		if c.Web != Public {
			steps = append(steps, Step{Says: "Tell Colony which GitHub it is.", Command: "kubectl set env deployment/colony COLONY_GITHUB_WEB_URL=" + c.Web + " COLONY_GITHUB_V3_API_URL=" + c.API})
		}
		check, simulate = "kubectl exec deploy/colony -- /colony doctor", "kubectl exec deploy/colony -- /colony simulate"
	case Systemd:
		steps = append(steps, Step{Says: "Run the script as root, and start the unit colony.service, whose program is: colony serve.", Command: "systemctl restart colony.service"})
		check, simulate = "", ""
	}
	steps = append(steps, Step{Says: "Install the App on one repository, or on all.", Link: c.InstallURL()})
	if check != "" {
		steps = append(steps, Step{Says: "Check that webhooks arrive, and what else may be missing.", Command: check})
		steps = append(steps, Step{Says: "See what Colony would have done in the last month. It writes nothing to a repository that has not opted in.", Command: simulate})
	}
	return append(steps, Step{Says: `Opt in where you want it: commit .github/colony.yml to that repository, first with the line "mode: warn", later with "mode: enforce".`, Link: RollOut})
}

// WriteSteps prints steps for a terminal.
func WriteSteps(w io.Writer, steps []Step) {
	for i, s := range steps {
		fmt.Fprintf(w, "  %d. %s\n", i+1, s.Says)
		for _, line := range []string{s.Command, s.Link} {
			if line != "" {
				fmt.Fprintf(w, "       %s\n", line)
			}
		}
	}
}
