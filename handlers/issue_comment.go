package handlers

import "context"

// issueComment answers "issue_comment": comments that may hold a command. Commands in an edited one are not run, which its writer learns
// (https://docs.github.com/webhooks/webhook-events-and-payloads#issue_comment).
type issueComment struct{ publisher }

type issueCommentEvent struct {
	envelope
	Issue   issue `json:"issue"`
	Comment struct {
		ID   int64  `json:"id"`
		Body string `json:"body"`
		User struct {
			account
			Type string `json:"type"`
		} `json:"user"`
	} `json:"comment"`
	Changes struct {
		// Body is there if the text was edited.
		Body *changed `json:"body"`
	} `json:"changes"`
}

// mayTeach reports whether an edit may have put a command there, which is not run.
func (e issueCommentEvent) mayTeach() bool {
	return e.Action == "edited" && e.Changes.Body != nil && mayCommand(e.Comment.Body)
}

// answers reports whether a comment may be an answer: by the author of an issue that has a state.
func (h *issueComment) answers(e issueCommentEvent) bool {
	return e.Comment.User.Login != "" && e.Comment.User.Login == e.Issue.User.Login && h.labels.any(e.Issue)
}

// replies reports whether a comment may be the reply of a person other than the author, on an issue that has a state.
func (h *issueComment) replies(e issueCommentEvent) bool {
	return e.Comment.User.Login != "" && e.Comment.User.Type != bot && h.labels.any(e.Issue)
}

// bot is what GitHub calls the user of an App.
const bot = "Bot"

// Handles implements githubapp.EventHandler.
func (*issueComment) Handles() []string { return []string{"issue_comment"} }

// Handle implements githubapp.EventHandler.
func (h *issueComment) Handle(ctx context.Context, eventType, deliveryID string, payload []byte) error {
	d := delivery{event: eventType, guid: deliveryID, body: payload}
	var event issueCommentEvent
	if err := d.read(&event); err != nil {
		return err
	}
	return h.carryOut(ctx, d, event.envelope, event.Issue.Number, h.judge(event))
}

func (h *issueComment) judge(event issueCommentEvent) verdict {
	switch {
	case event.Action != "created" && !event.mayTeach():
		return ignore(otherAction)
	case event.Issue.PullRequest != nil:
		return ignore(pullRequest)
	case !mayCommand(event.Comment.Body) && !h.answers(event) && !h.replies(event):
		return ignore(noCommand)
	}
	if why := h.author(event.Sender); why != "" {
		return ignore(why)
	}
	look, without := event.issueLook(event.Issue)
	if without != "" {
		return ignore(without)
	}
	look.Commands = mayCommand(event.Comment.Body)
	look.By = event.Sender.Login
	look.OnlyReply = !look.Commands && !h.answers(event)
	look.Expect.CommentID, look.Expect.Edited = event.Comment.ID, event.Action == "edited"
	return lookAt(look)
}
