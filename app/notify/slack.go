package notify

import (
	"fmt"
	"strings"

	"github.com/colony-app/colony/reconcile"
)

// slackMessage is what incoming webhooks of Slack, and of chats that are compatible with it, take. Nothing in the text is markup but the link:
// https://api.slack.com/reference/messaging/payload.
type slackMessage struct {
	Text        string `json:"text"`
	Markdown    bool   `json:"mrkdwn"`
	UnfurlLinks bool   `json:"unfurl_links"`
	UnfurlMedia bool   `json:"unfurl_media"`
}

// slackText says an event in a line for people: what happened, who did it, where, and why.
func slackText(e Event) string {
	text := fmt.Sprintf("<%s|%s#%d> %s: %s", escapeLink(e.URL), escape(e.Repo), e.Issue, escape(e.Title), escape(happened(e)))
	if e.Reason != "" {
		text += " (" + escape(e.Reason) + ")"
	}
	return text
}

func happened(e Event) string {
	who := e.Actor
	if who == "" {
		who = "someone"
	}
	switch reconcile.VerdictKind(e.Verdict) {
	case reconcile.VerdictFinished:
		return fmt.Sprintf("%s moved it from %s to %s", who, e.From, e.To)
	case reconcile.VerdictRefused:
		asked := fmt.Sprintf("Colony refused %s the move from %s to %s", who, e.From, e.To)
		if e.To == "" {
			asked = fmt.Sprintf("Colony put back the label of %s, which %s removed", e.From, who)
		}
		if e.LedTo != "" {
			asked += "; it is in " + e.LedTo
		}
		return asked
	case reconcile.VerdictMoved:
		return fmt.Sprintf("Colony moved it from %s to %s", e.From, e.To)
	case reconcile.VerdictForced:
		return fmt.Sprintf("%s forced it from %s to %s", who, e.From, e.To)
	case reconcile.VerdictCommand:
		if e.From == e.To {
			return "Colony answered " + who
		}
		return fmt.Sprintf("%s moved it from %s to %s by command", who, e.From, e.To)
	case reconcile.VerdictDeclined:
		return "Colony refused a command of " + who
	case reconcile.VerdictAsked:
		return fmt.Sprintf("Colony asks for a person; it is in %s", e.State)
	case reconcile.VerdictClosed:
		return fmt.Sprintf("Colony closed it in %s", e.State)
	case reconcile.VerdictHalted:
		return "Colony stopped there and waits for a person"
	case reconcile.VerdictBlocked: // it is never carried out
	}
	return e.Verdict
}

// escape keeps what people wrote from being markup: of Slack, https://api.slack.com/reference/surfaces/formatting#escaping, and a mention
// in chats that read a bare @.
func escape(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "@", "@\u200b").Replace(text)
}

// escapeLink is escape for an address, which must not end early.
func escapeLink(address string) string {
	return strings.NewReplacer("&", "&amp;", "<", "%3C", ">", "%3E", "|", "%7C").Replace(address)
}
