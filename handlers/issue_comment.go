package handlers

type issueCommentEvent struct {
	envelope
	Issue   issue `json:"issue"`
	Comment struct {
		ID   int64 `json:"id"`
		Body text  `json:"body"`
		User struct {
			account
			Type string `json:"type"`
		} `json:"user"`
	} `json:"comment"`
	Changes struct {
		// Body is there if the text was edited.
		Body *struct{} `json:"body"`
	} `json:"changes"`
}

// mayTeach reports whether an edit might have put a command there, which is not run.
func (e issueCommentEvent) mayTeach() bool {
	return e.Action == "edited" && e.Changes.Body != nil && e.Comment.Body.mayCommand
}

// mayUnseal reports whether what was approved can be gone or changed: a bot's plan. A comment with commands is reconciled anyway.
func (e issueCommentEvent) mayUnseal() bool {
	return e.Comment.User.Type == bot && (e.Action == "deleted" || e.Action == "edited" && e.Changes.Body != nil && !e.mayTeach())
}

// answers reports whether a comment might be an answer: by the author of an issue that has a state.
func (publisher) answers(e issueCommentEvent) bool {
	return e.Comment.User.Login != "" && e.Comment.User.Login == e.Issue.User.Login && e.Issue.mayHaveState()
}

// replies reports whether a comment might be the reply of a person other than the author, on an issue that has a state.
func (publisher) replies(e issueCommentEvent) bool {
	return e.Comment.User.Login != "" && e.Comment.User.Type != bot && e.Issue.mayHaveState()
}

// matters reports whether a comment might do more than say something.
func (p publisher) matters(e issueCommentEvent) bool {
	if e.mayUnseal() {
		return e.Issue.mayHaveState()
	}
	return e.Comment.Body.mayCommand || p.answers(e) || p.replies(e)
}

const bot = "Bot"

func (e issueCommentEvent) about() (envelope, int) { return e.envelope, e.Issue.Number }

// routeIssueComment routes "issue_comment": comments that might hold a command, or were approved. Commands in an edited one are not run, which
// its writer learns (https://docs.github.com/webhooks/webhook-events-and-payloads#issue_comment).
func (p publisher) routeIssueComment(event issueCommentEvent) routing {
	switch {
	case event.Action != "created" && !event.mayTeach() && !event.mayUnseal():
		return ignore(otherAction)
	case event.Issue.PullRequest != nil:
		return ignore(pullRequest)
	case !p.matters(event):
		return ignore(noCommand)
	}
	if p.self.IsSelf(event.Sender.Login) {
		return ignore(ownWrite)
	}
	request, without := event.issueRequest(event.Issue)
	if without != "" {
		return ignore(without)
	}
	request.By = event.Sender.Login
	if request.OnlySealed = event.mayUnseal(); request.OnlySealed {
		request.Labels = event.Issue.labelNames()
		return enqueue(request)
	}
	request.Commands = event.Comment.Body.mayCommand
	if !request.Commands {
		onlyIfStates(&request, event.Issue.labelNames()...)
	}
	if request.OnlyReply = !request.Commands; request.OnlyReply {
		request.ByAuthor, request.Labels = p.answers(event), event.Issue.labelNames()
	}
	request.Expect.CommentID, request.Expect.Edited = event.Comment.ID, event.Action == "edited"
	return enqueue(request)
}
