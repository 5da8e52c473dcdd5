package lifecycle

import (
	"crypto/sha256"
	"encoding/base32"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
)

// FingerprintLength is how many characters a fingerprint has: 25 bits. It tells a table from the one before it, not from every
// other, and it has to fit into the description of a label.
const FingerprintLength = 5

// onlyForPeople are the settings that no issue is reconciled by.
var onlyForPeople = []string{"capacity", "summary", "meaning", "glyph", "description", "color", "help", "why", "link", "source", "recommended"}

// fingerprints has what was computed before, by the hash of the whole lifecycle: a server asks for the same few with each policy that it reads.
var fingerprints = struct {
	sync.Mutex
	known map[[sha256.Size]byte]string
}{known: map[[sha256.Size]byte]string{}}

// mostFingerprints is how many are remembered before all of them are forgotten: repositories can bring as many lifecycles as they like.
const mostFingerprints = 1000

// Fingerprint is a short hash over everything that issues are reconciled by: states, labels, moves, roles, commands. It stays the same when only
// texts and colours change, and when a later Colony knows a setting that this lifecycle does not use.
func (l *Lifecycle) Fingerprint() string {
	text, err := json.Marshal(l) // what is not exported follows from what is
	if err != nil {
		panic(fmt.Sprintf("fingerprint lifecycle %s: %v", l.Name, err)) // it is plain data
	}
	whole := sha256.Sum256(text)
	fingerprints.Lock()
	defer fingerprints.Unlock()
	if known, ok := fingerprints.known[whole]; ok {
		return known
	}
	var table map[string]any
	if err := json.Unmarshal(text, &table); err != nil {
		panic(fmt.Sprintf("fingerprint lifecycle %s: %v", l.Name, err))
	}
	delete(table, "name") // that of a state or a role counts
	if len(fingerprints.known) >= mostFingerprints {
		clear(fingerprints.known)
	}
	fingerprint := Fingerprint(judgedBy(table))
	fingerprints.known[whole] = fingerprint
	return fingerprint
}

// Fingerprint hashes anything that JSON can tell of.
func Fingerprint(of any) string {
	text, err := json.Marshal(of)
	if err != nil {
		panic(fmt.Sprintf("fingerprint: %v", err)) // only what JSON cannot tell of
	}
	digest := sha256.Sum256(text)
	return strings.ToLower(base32.StdEncoding.EncodeToString(digest[:])[:FingerprintLength])
}

// judgedBy leaves out what is for people only, and what says nothing.
func judgedBy(value any) any {
	switch value := value.(type) {
	case map[string]any:
		kept := map[string]any{}
		for key, v := range value {
			if v = judgedBy(v); v != nil {
				kept[key] = v
			}
		}
		for _, key := range onlyForPeople {
			delete(kept, key)
		}
		if len(kept) == 0 {
			return nil
		}
		return kept
	case []any:
		if len(value) == 0 {
			return nil
		}
		kept := make([]any, len(value)) // a nothing keeps its place
		for i, v := range value {
			kept[i] = judgedBy(v)
		}
		return kept
	case string:
		if value == "" {
			return nil
		}
	case bool:
		if !value {
			return nil
		}
	case float64:
		if value == 0 {
			return nil
		}
	}
	return value
}
