package playground

import (
	"net/http"
	"slices"
)

// reactionsHere is the list of reactions that the route is about: of the comment, or else of the issue.
func (c *call) reactionsHere() *[]*reaction {
	if c.comment != nil {
		return &c.comment.reactions
	}
	return &c.issue.reactions
}

// GET .../reactions
func listReactions(c *call) (any, error) {
	content := c.query.Get("content")
	if content != "" && !slices.Contains(reactionContents, content) {
		return nil, invalid("Reaction", "content", "invalid", "")
	}
	found := slices.DeleteFunc(slices.Clone(*c.reactionsHere()), func(r *reaction) bool { return content != "" && r.content != content })
	return each(page(c, found), c.p.reactionPayload), nil
}

// POST .../reactions: 201 for a new one, 200 for one that the actor had left already.
func createReaction(c *call) (any, error) {
	if err := c.mayTalk("reaction"); err != nil {
		return nil, err
	}
	var in struct {
		Content *string `json:"content"`
	}
	if err := c.decode(&in); err != nil {
		return nil, err
	}
	if in.Content == nil {
		return nil, missing("content")
	}
	if !slices.Contains(reactionContents, *in.Content) {
		return nil, invalid("Reaction", "content", "invalid", "")
	}
	here := c.reactionsHere()
	for _, r := range *here {
		if r.user == c.actor.account && r.content == *in.Content {
			c.status = http.StatusOK
			return c.p.reactionPayload(r), nil
		}
	}
	r := &reaction{id: c.p.nextID(), user: c.actor.account, content: *in.Content, created: c.p.now()}
	*here = append(*here, r)
	return c.p.reactionPayload(r), nil
}

// DELETE .../reactions/{reaction_id}: only one's own.
func deleteReaction(c *call) (any, error) {
	here := c.reactionsHere()
	for _, r := range *here {
		if r.id != c.number("reaction_id") {
			continue
		}
		if r.user != c.actor.account {
			return nil, errNotFound
		}
		*here = slices.DeleteFunc(*here, func(other *reaction) bool { return other == r })
		return nil, nil
	}
	return nil, errNotFound
}
