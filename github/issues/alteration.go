package issues

import "time"

// Alteration is what someone did to the stamp that says the time from which a repository is judged. Anyone with write access to the repository can
// edit it, and so have earlier changes remain, or be judged.
type Alteration string

// The alterations. What a change of the table does to the stamp is not an alteration.
const (
	StampAhead Alteration = "ahead" // it lies in the future, so that everything would remain until then: it counts as lost
	StampMoved Alteration = "moved" // it says another time than it did; that time counts
	StampLost  Alteration = "lost"  // it is no longer there: judging begins again
)

// clocksDiffer bounds by how much the clocks of two Colonies can differ.
const clocksDiffer = time.Minute

// ahead reports whether a stamp lies so far in the future that no Colony can have written it.
func (s stamp) ahead(now time.Time) bool {
	latest := now.Add(clocksDiffer)
	return s.since.Labels.After(latest) || s.since.Commands.After(latest)
}

// alteration tells what was done to the stamp of a repository since it was read last; empty if nothing was. there says that there is
// one.
func (p *provisioned) alteration(s stamp, there bool, now time.Time) Alteration {
	switch remembered := !p.checked.IsZero(); {
	case there && s.ahead(now):
		return StampAhead
	case remembered && !there:
		return StampLost
	case remembered && s.as != p.as && (s.as == noTable || p.as == noTable): // the mode changed
	case remembered && (!s.since.Commands.Equal(p.since.Commands) || s.as == p.as && !s.since.Labels.Equal(p.since.Labels)):
		return StampMoved
	}
	return ""
}
