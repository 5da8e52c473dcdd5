package lifecycle

import (
	"fmt"
	"slices"
)

// Widen returns a copy of the lifecycle in which a role may also ask for a move. It fails if there is no such
// role, or if the move is not in the table: a configuration can widen a role, never the table.
func (l *Lifecycle) Widen(role, from, to string) (*Lifecycle, error) {
	if _, ok := l.Pair(from, to); !ok {
		return nil, fmt.Errorf("widen role %s by %s -> %s: the move is not in the table of lifecycle %s", role, from, to, l.Name)
	}
	widened := *l
	widened.Roles = slices.Clone(l.Roles)
	for i, r := range widened.Roles {
		if r.Name == role {
			widened.Roles[i].Widened = append(slices.Clone(r.Widened), Claim{from, to})
			return &widened, nil
		}
	}
	return nil, fmt.Errorf("widen role %s by %s -> %s: lifecycle %s has no such role", role, from, to, l.Name)
}
