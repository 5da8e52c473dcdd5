package page

import (
	"html/template"
	"strings"

	"github.com/google/go-github/v62/github"
)

// item is a line of an issue's timeline: an event or a comment.
type item struct {
	ID        int64
	Event     string // as the API calls it
	By        person
	At        moment
	Label     *chip         // of labeled and unlabeled
	Words     string        // what the event was, of all others; a pair of titles follows "renamed"
	From, To  string        // of renamed
	Body      template.HTML // of a comment
	Edited    bool
	Standing  string // of a comment's author: owner, collaborator, …
	Reactions []reaction
}

// reaction is one kind of reaction and those who left it.
type reaction struct {
	Content string
	By      []person
}

// emojis by GitHub's names of reactions, in GitHub's order.
var emojis = []struct{ content, emoji string }{
	{"+1", "👍"}, {"-1", "👎"}, {"laugh", "😄"}, {"hooray", "🎉"}, {"confused", "😕"}, {"heart", "❤️"}, {"rocket", "🚀"}, {"eyes", "👀"},
}

// Emoji is how the reaction is shown.
func (r reaction) Emoji() string {
	for _, e := range emojis {
		if e.content == r.Content {
			return e.emoji
		}
	}
	return r.Content
}

// Names lists who reacted.
func (r reaction) Names() string {
	var names []string
	for _, p := range r.By {
		names = append(names, p.Login)
	}
	return strings.Join(names, ", ")
}

// eventWords tell of events that are neither comments nor about labels. What is not listed is shown by the API's name.
var eventWords = map[string]string{
	"closed":                  "closed this",
	"reopened":                "reopened this",
	"locked":                  "locked the conversation",
	"unlocked":                "unlocked the conversation",
	"comment_deleted":         "deleted a comment",
	"transferred":             "transferred this here",
	"converted_to_discussion": "converted this to a discussion",
	"merged":                  "merged this",
	"renamed":                 "changed the title",
}

// items are the events and comments of an issue, in the order of the API's timeline.
func (v *visit) items(number int, labels []*github.Label) ([]item, error) {
	lines, err := all(func(options *github.ListOptions) ([]*github.Timeline, *github.Response, error) {
		return v.github.Issues.ListIssueTimeline(v.ctx(), v.owner(), v.repo(), number, options)
	})
	if err != nil {
		return nil, err
	}
	comments, err := v.comments(number)
	if err != nil {
		return nil, err
	}
	today := map[string]chip{}
	for _, l := range labels {
		today[strings.ToLower(l.GetName())] = v.chipOf(l)
	}
	var items []item
	for _, line := range lines {
		made, err := v.item(line, comments)
		if err != nil {
			return nil, err
		}
		if made.Label != nil {
			// The log keeps a label as it was then; its colour and description are shown as they are now, like on GitHub.
			if now, ok := today[strings.ToLower(made.Label.Name)]; ok {
				made.Label.Description, made.Label.Color, made.Label.Style = now.Description, now.Color, now.Style
			}
		}
		items = append(items, made)
	}
	return items, nil
}

func (v *visit) item(line *github.Timeline, comments map[int64]*github.IssueComment) (item, error) {
	made := item{ID: line.GetID(), Event: line.GetEvent(), By: named(line.GetActor().GetLogin()), At: v.moment(line.GetCreatedAt().Time)}
	switch made.Event {
	case "labeled", "unlabeled":
		label := v.chipOf(line.GetLabel())
		made.Label = &label
	case "commented":
		var err error
		if made.Body, err = rendered(line.GetBody()); err != nil {
			return item{}, err
		}
		if comment := comments[made.ID]; comment != nil {
			made.Edited = comment.GetUpdatedAt().After(comment.GetCreatedAt().Time)
			made.Standing = standing(comment.GetAuthorAssociation())
			made.Reactions, err = v.commentReactions(comment)
		}
		if err != nil {
			return item{}, err
		}
	default:
		made.Words = eventWords[made.Event]
		if made.Words == "" {
			made.Words = strings.ReplaceAll(made.Event, "_", " ")
		}
		made.From, made.To = line.GetRename().GetFrom(), line.GetRename().GetTo()
	}
	return made, nil
}

func standing(association string) string {
	if association == "NONE" {
		return ""
	}
	return strings.ToLower(association)
}

// comments are an issue's by id: the timeline of go-github leaves their reactions out.
func (v *visit) comments(number int) (map[int64]*github.IssueComment, error) {
	comments, err := all(func(options *github.ListOptions) ([]*github.IssueComment, *github.Response, error) {
		return v.github.Issues.ListComments(v.ctx(), v.owner(), v.repo(), number, &github.IssueListCommentsOptions{ListOptions: *options})
	})
	if err != nil {
		return nil, err
	}
	byID := map[int64]*github.IssueComment{}
	for _, c := range comments {
		byID[c.GetID()] = c
	}
	return byID, nil
}

func (v *visit) commentReactions(comment *github.IssueComment) ([]reaction, error) {
	if comment.GetReactions().GetTotalCount() == 0 {
		return nil, nil
	}
	left, err := all(func(options *github.ListOptions) ([]*github.Reaction, *github.Response, error) {
		return v.github.Reactions.ListIssueCommentReactions(v.ctx(), v.owner(), v.repo(), comment.GetID(), options)
	})
	return grouped(left), err
}

func (v *visit) issueReactions(issue *github.Issue) ([]reaction, error) {
	if issue.GetReactions().GetTotalCount() == 0 {
		return nil, nil
	}
	left, err := all(func(options *github.ListOptions) ([]*github.Reaction, *github.Response, error) {
		return v.github.Reactions.ListIssueReactions(v.ctx(), v.owner(), v.repo(), issue.GetNumber(), options)
	})
	return grouped(left), err
}

// grouped puts reactions of a kind together, in GitHub's order of kinds.
func grouped(left []*github.Reaction) []reaction {
	var kinds []reaction
	for _, e := range emojis {
		kind := reaction{Content: e.content}
		for _, r := range left {
			if r.GetContent() == e.content {
				kind.By = append(kind.By, named(r.GetUser().GetLogin()))
			}
		}
		if len(kind.By) > 0 {
			kinds = append(kinds, kind)
		}
	}
	return kinds
}
