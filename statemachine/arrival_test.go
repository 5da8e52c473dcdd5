package statemachine

import (
	"slices"
	"testing"
	"time"
)

// What takes an approval is asked for again where an issue arrives by transfer: nothing that was done elsewhere is one.
func TestAnApprovalStaysWhereItWasGiven(t *testing.T) {
	t.Parallel()
	approved := []string{"olga +queued", "olga +refining", "olga -queued", "olga +approved", "olga -refining"}
	review := []string{"olga +in-review", "olga +merge-pending", "colony -in-review"}
	alphabet := lifeOf(t, "autoralph")
	const finalBots = `
guards:
  - name: people
    why: A person has to finish it.
    to: done
    of: executors
    requires:
      - permission: admin
`
	for _, c := range []struct {
		name          string
		life          *Table
		before, after []string
		state         string
		rejected      string
	}{
		{"what is sealed", alphabet, approved, nil, "refining", "[6] omar refining>approved transferred"},
		{"once Colony undid it", alphabet, approved, []string{"colony +refining", "colony -approved"}, "refining", "[6] omar refining>approved transferred"},
		{"until a person approves it here", alphabet, approved, []string{"colony +refining", "colony -approved", "olga +approved", "olga -refining"}, "approved", "[6] omar refining>approved transferred"},
		{"it needs no answer once it was set back elsewhere", alphabet, append(slices.Clip(approved), "colony +refining", "colony -approved"), nil, "refining", "[8] omar refining>approved transferred withdrawn"},
		{"what a pause would lead back to", alphabet, append(slices.Clip(approved), "olga +paused", "olga -approved"), nil, "refining", "[8] omar refining>paused transferred"},
		{"what nobody has to approve stays", alphabet, approved[:3], nil, "refining", ""},
		{"what went on from there stays", alphabet, append(slices.Clip(approved), "olga +building", "olga -approved"), nil, "building", ""},
		{"what a guard is about, whatever another Colony said", guarded(t, leadsOnly), review, nil, "in-review", "[4] omar in-review>merge-pending transferred"},
		{"what Colony does about it here is no verdict about the move there", guarded(t, leadsOnly), review, []string{"colony +in-review", "colony -merge-pending"}, "in-review", "[4] omar in-review>merge-pending transferred"},
		{"a guard of bots, after a bot's move", guarded(t, finalBots), []string{"olga +merge-pending", "bot +done", "bot -merge-pending"}, nil, "merge-pending", "[4] omar merge-pending>done transferred"},
		{"and not after a person's", guarded(t, finalBots), []string{"olga +merge-pending", "olga +done", "olga -merge-pending"}, nil, "done", ""},
		{"a guard of another way there", guarded(t, leadsOnly), []string{"olga +merge-pending"}, nil, "merge-pending", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			log := changes(t, append(c.before, c.after...)...)
			for i := len(c.before); i < len(log); i++ {
				log[i].ID++
			}
			h := traced(log)
			h.Answers = says("none")
			last := log[len(c.before)-1]
			h.Arrived = Arrival{Moment{At: last.At.Add(time.Second), ID: last.ID + 1}, cast["omar"]}
			got := c.life.Fold(h)
			if is := rejected(got.Rejections); got.State != c.state || is != c.rejected {
				t.Errorf("the issue is in %s with %q, want %s with %q", got.State, is, c.state, c.rejected)
			}
			h.Stands = true
			stayed := h
			stayed.Arrived = Arrival{}
			if warned := c.life.Fold(h); len(c.after) == 0 && (warned.State != c.life.Fold(stayed).State || len(warned.Rejections) != len(got.Rejections)) {
				t.Errorf("where Colony only warns, the issue is in %s with %q", warned.State, rejected(warned.Rejections))
			}
			h.Stands, h.Begun = false, h.Arrived.At.Add(time.Second)
			if old := c.life.Fold(h); len(c.after) == 0 && len(old.Rejections) > 0 {
				t.Errorf("what stood when judging began is refused: %s", rejected(old.Rejections))
			}
		})
	}
}
