package issues

import (
	"context"
	"fmt"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
)

// Receipt is Colony's own reaction on a comment: the proof that its commands were run.
type Receipt struct {
	Content string
	At      time.Time
}

type receipts struct {
	connection
	known *lru.Cache[int64, Receipt]
}

// Receipt returns Colony's receipt on a comment of an issue; ok is false if the comment has none. A receipt never goes away, so one that was seen is
// not read again.
func (s receipts) Receipt(ctx context.Context, ref Ref, c Comment) (receipt Receipt, ok bool, err error) {
	if receipt, ok = s.known.Get(receiptKey(ref, c.ID)); ok {
		return receipt, true, nil
	}
	if c.Reactions == 0 {
		return Receipt{}, false, nil
	}
	reactions, err := s.reactions(ctx, ref, c.ID)
	if err != nil {
		return Receipt{}, false, err
	}
	for _, r := range reactions {
		if s.actors.IsSelf(r.User.Login) && isReceipt(r.Content) {
			receipt = Receipt{Content: r.Content, At: r.CreatedAt}
			s.known.Add(receiptKey(ref, c.ID), receipt)
			return receipt, true, nil
		}
	}
	return Receipt{}, false, nil
}

// HasReceipt reports whether a comment is known to have Colony's receipt, without asking GitHub.
func (s receipts) HasReceipt(ref Ref, commentID int64) bool {
	_, ok := s.known.Get(receiptKey(ref, commentID))
	return ok
}

// receiptKey makes the opening text of an issue a comment of its own, with a key that no comment has.
func receiptKey(ref Ref, commentID int64) int64 {
	if commentID == 0 {
		return -(ref.ID<<24 | int64(ref.Number))
	}
	return commentID
}

// reaction is read with a type of our own: go-github v62 leaves the time out.
type reaction struct {
	User      user      `json:"user"`
	Content   string    `json:"content"`
	CreatedAt time.Time `json:"created_at"`
}

func (s receipts) reactions(ctx context.Context, ref Ref, commentID int64) ([]reaction, error) {
	client := s.client(ref.Repository)
	of := fmt.Sprintf("comments/%d", commentID)
	if commentID == 0 {
		of = fmt.Sprintf("%d", ref.Number)
	}
	var all []reaction
	err := each(ctx, client, fmt.Sprintf("repos/%s/%s/issues/%s/reactions", ref.Owner, ref.Name, of), func(r *reaction) { all = append(all, *r) })
	if err != nil {
		return nil, fmt.Errorf("read the reactions on %s of %s: %w", of, ref, err)
	}
	return all, nil
}

// Remember keeps a receipt that could not be written, so that at least this process runs the commands once.
func (s receipts) Remember(ref Ref, commentID int64, r Receipt) {
	s.known.Add(receiptKey(ref, commentID), r)
}

func isReceipt(content string) bool {
	return content == ThumbsUp || content == Confused || content == ThumbsDown
}
