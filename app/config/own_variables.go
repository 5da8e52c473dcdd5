package config

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/colony-app/colony/lifecycle"
)

// ownPrefix begins the names of Colony's own variables, in any case.
const ownPrefix = "COLONY_"

// serviceLinks are the variables that Kubernetes gives to every container for a service that is called colony, or begins with it:
// https://kubernetes.io/docs/concepts/services-networking/service/#environment-variables. The variables that end with the port hold an address,
// which tells them from a misspelt setting.
var serviceLinks = []serviceLink{
	{regexp.MustCompile(`^COLONY_(\w+_)?SERVICE_(HOST|PORT(_\w+)?)$`), regexp.MustCompile(``)},
	{regexp.MustCompile(`^COLONY_(\w+_)?PORT_\d+_(TCP|UDP|SCTP)_(PROTO|PORT|ADDR)$`), regexp.MustCompile(``)},
	{regexp.MustCompile(`^COLONY_(\w+_)?PORT(_\d+_(TCP|UDP|SCTP))?$`), regexp.MustCompile(`^(tcp|udp|sctp)://`)},
}

type serviceLink struct{ name, value *regexp.Regexp }

// othersVariables are for tests of this repository, which are run in the same shell as a Colony.
var othersVariables = regexp.MustCompile(`^COLONY_(BLACKBOX|TEST|QUEUE_TEST)_\w+$`)

// ownVariables returns the variables of an environment that are Colony's, out of the known ones. One that does not exist is an error, because
// the person who set it believes that it does something. The error never tells the value, which might be a secret.
func ownVariables(environment, known []string) (map[string]string, error) {
	given := map[string]string{}
	var unknown []error
	for _, line := range environment {
		name, value, _ := strings.Cut(line, "=")
		if len(name) < len(ownPrefix) || !strings.EqualFold(name[:len(ownPrefix)], ownPrefix) {
			continue
		}
		if slices.Contains(known, name) {
			given[name] = value
			continue
		}
		isLink := slices.ContainsFunc(serviceLinks, func(l serviceLink) bool { return l.name.MatchString(name) && l.value.MatchString(value) })
		if !isLink && !othersVariables.MatchString(name) {
			unknown = append(unknown, noSuchVariable(known, name))
		}
	}
	return given, errors.Join(unknown...)
}

func noSuchVariable(known []string, name string) error {
	if nearest, ok := nearestVariable(known, name); ok {
		return fmt.Errorf("%s: there is no such variable; did you mean %s? -> rename it, or unset it", name, nearest)
	}
	return fmt.Errorf(`%s: there is no such variable -> unset it, or take one that "colony serve --help" lists`, name)
}

// nearestVariable returns the variable that was most likely meant: one that is spelt nearly the same, or one whose last words alone were
// written.
func nearestVariable(known []string, name string) (string, bool) {
	if nearest, ok := lifecycle.Closest(name, known); ok {
		return nearest, true
	}
	last := strings.ToUpper(name[len(ownPrefix)-1:]) // with the underscore before it
	for _, k := range known {
		if len(last) > 1 && strings.HasSuffix(k, last) {
			return k, true
		}
	}
	return "", false
}
