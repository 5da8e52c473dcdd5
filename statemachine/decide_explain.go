package statemachine

import (
	"slices"

	"github.com/colony-app/colony/lifecycle"
)

// explain lists what has to have a comment, and needs the comments that are there if it finds anything. It refuses nothing before the issue
// is quiet.
func (d *decider) explain() (ends bool) {
	d.open = slices.DeleteFunc(slices.Clone(d.Standing.Rejections), func(r Rejection) bool {
		_, wanted := d.takesIn() // then what the author asks for is granted as far as the repository grants it
		return r.Withdrawn || wanted && r.By.Kind == lifecycle.Author
	})
	d.own = d.life.announcements(d.Standing)
	refuses := len(d.open) > 0 || d.out.Halted != nil
	switch {
	case !refuses && len(d.own) == 0:
		return false
	case d.Answered == nil, d.out.Halted != nil && d.Stopped == nil:
		return refuses && d.awaitQuiet(d.open) || d.needs(Needs{Said: true})
	}
	return d.findUnexplained()
}

// findUnexplained lists what has no comment yet. What the breaker silenced gets none.
func (d *decider) findUnexplained() (ends bool) {
	d.open = slices.DeleteFunc(d.open, func(r Rejection) bool { return slices.Contains(d.silenced, r.ID) })
	for _, r := range d.open {
		if !d.explained(r) {
			r.Guards.Awaited = d.Facts.AwaitedBy(r.Guards.Refusing)
			d.out.Explain = append(d.out.Explain, r)
		}
	}
	d.own = slices.DeleteFunc(d.own, func(t Announcement) bool { return d.commanded(t.ID) })
	d.out.Announce = slices.DeleteFunc(slices.Clone(d.own), func(t Announcement) bool { return d.Answered(t.ID) })
	d.out.HaltUnsaid = d.out.Halted != nil && !d.Standing.Stands && !slices.ContainsFunc(d.out.Halted.IDs, d.Stopped)
	return (len(d.out.Explain) > 0 || d.out.HaltUnsaid) && d.awaitQuiet(d.out.Explain)
}

// awaitQuiet waits until the issue is quiet before rejections are explained. What an allowed move left behind goes immediately.
func (d *decider) awaitQuiet(refused []Rejection) (ends bool) {
	quiet := d.Standing.LastChange.Add(d.p.Settle)
	return d.readBefore(quiet) && d.waits(Wait{Why: Quiet, Until: quiet}, d.leftBehind(refused))
}
