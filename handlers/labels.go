package handlers

import (
	"strings"
	"sync"

	"github.com/colony-app/colony/statemachine"
)

// Prefixes are what labels begin with that may be states or marks of Colony. Which ones are is the lifecycle's to say; a prefix only
// decides whether an event asks for anything. The zero value, and nil, know the prefix that Colony's marks have. It is safe for
// concurrent use.
type Prefixes struct {
	mu    sync.RWMutex
	known []string
}

// Learn adds the prefix of a lifecycle that is in force somewhere.
func (p *Prefixes) Learn(prefix string) {
	if p == nil || p.begins(prefix) {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.known = append(p.known, prefix)
}

// begins reports whether a label begins with one of the prefixes. Label names compare case-insensitively, as on GitHub.
func (p *Prefixes) begins(label string) bool {
	if hasPrefix(label, statemachine.DefaultLabelPrefix) {
		return true
	}
	if p == nil {
		return false
	}
	p.mu.RLock()
	defer p.mu.RUnlock()
	for _, prefix := range p.known {
		if hasPrefix(label, prefix) {
			return true
		}
	}
	return false
}

// any reports whether an issue has a label that may be Colony's.
func (p *Prefixes) any(i issue) bool {
	for _, l := range i.Labels {
		if p.begins(l.Name) {
			return true
		}
	}
	return false
}

func hasPrefix(label, prefix string) bool {
	return len(label) >= len(prefix) && strings.EqualFold(label[:len(prefix)], prefix)
}
