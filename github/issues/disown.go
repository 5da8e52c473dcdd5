package issues

import (
	"context"

	"github.com/colony-app/colony/commands/wording"
	"github.com/colony-app/colony/lifecycle"
)

// disown takes out of Colony's comments what they say for programs, unless Colony wrote it there. Its signature tells that. GitHub is asked
// only about a comment without a right one, once: an earlier Colony wrote it, or one with another private key, or a person edited it. Where
// GitHub cannot say who did, such a comment keeps its markers if its times show no edit, so that Colony does not repeat itself; its words
// do not count.
func (s comments) disown(ctx context.Context, ref Ref, all []Comment) error {
	var unsigned []Comment
	var places []int
	for i, c := range all {
		if c.By.Kind == lifecycle.Colony && !s.Signer.signed(ref, c.Body) && len(wording.Hidden(c.Body)) > 0 {
			unsigned, places = append(unsigned, c), append(places, i)
		}
	}
	edits, err := s.editsOf(ctx, ref, unsigned, func(Comment) bool { return true }, func(Comment) Edit { return Edit{State: EditUnknown} })
	if err != nil {
		return err
	}
	for n, i := range places {
		c := &all[i]
		switch e := edits[n]; {
		case e.State == Unedited, e.State == Edited && e.By.Kind == lifecycle.Colony:
		case e.State == EditUnknown && c.guessedEdit().State == Unedited:
			c.Body = wording.WithoutRecord(c.Body)
		default:
			c.Body = wording.Disowned(c.Body)
		}
	}
	return nil
}
