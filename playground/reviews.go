package playground

import (
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// review is what a reviewer made of a pull request, at one of its commits.
type review struct {
	id        int64
	pull      *issue
	user      *account
	body      string
	state     string // as the REST API says it: APPROVED, CHANGES_REQUESTED, COMMENTED or DISMISSED
	commit    *commit
	submitted time.Time
}

// verdicts are the events of a review, and the states that they lead to.
var verdicts = map[string]string{"APPROVE": "APPROVED", "REQUEST_CHANGES": "CHANGES_REQUESTED", "COMMENT": "COMMENTED"}

func (p *Playground) reviewPayload(r *review) object {
	page := p.html("/%s/pull/%d#pullrequestreview-%d", r.pull.repo.fullName(), r.pull.number, r.id)
	pull := p.api("/repos/%s/pulls/%d", r.pull.repo.fullName(), r.pull.number)
	return object{
		"id": r.id, "node_id": nodeID("PRR", r.id), "user": orNil(p.userPayload(r.user)), "body": r.body, "state": r.state,
		"html_url": page, "pull_request_url": pull, "author_association": r.pull.repo.association(r.user),
		"_links":       object{"html": object{"href": page}, "pull_request": object{"href": pull}},
		"submitted_at": stamp(r.submitted), "commit_id": r.commit.sha,
	}
}

// emitReview tells of a review. Webhooks write its state in small letters.
func (p *Playground) emitReview(action string, by actor, r *review) {
	payload := p.reviewPayload(r)
	payload["state"], payload["updated_at"] = strings.ToLower(r.state), stamp(r.pull.updated)
	if r.body == "" {
		payload["body"] = nil
	}
	p.emit("pull_request_review", action, by, r.pull.repo, object{"pull_request": p.simplePullPayload(r.pull), "review": payload})
}

// unprocessable is a refusal that gives its reasons as sentences.
func unprocessable(reason string) *refusal {
	return &refusal{status: http.StatusUnprocessableEntity, message: "Unprocessable Entity", reasons: []string{reason}}
}

// review submits a review. The words are those of the REST API: https://docs.github.com/rest/pulls/reviews#create-a-review-for-a-pull-request.
func (p *Playground) review(by actor, pull *issue, event, body string, at *commit) (*review, error) {
	switch {
	case by.account == pull.user && event == "APPROVE":
		return nil, unprocessable("Can not approve your own pull request")
	case by.account == pull.user && event == "REQUEST_CHANGES":
		return nil, unprocessable("Can not request changes on your own pull request")
	case event != "APPROVE" && strings.TrimSpace(body) == "":
		return nil, unprocessable("Body can't be blank")
	}
	r := &review{id: p.nextID(), pull: pull, user: by.account, body: body, state: verdicts[event], commit: at, submitted: p.now()}
	pull.pull.reviews = append(pull.pull.reviews, r)
	pull.updated = r.submitted
	p.noteReferences(by, pull, body)
	p.emitReview("submitted", by, r)
	return r, nil
}

// POST /repos/{owner}/{repo}/pulls/{pull_number}/reviews: submitted immediately; there are no pending ones, and no comments on lines.
func createReview(c *call, in struct {
	CommitID *string `json:"commit_id"`
	Body     *string `json:"body"`
	Event    *string `json:"event"`
	Comments []any   `json:"comments"`
},
) (any, error) {
	if in.Event == nil || *in.Event == "" || len(in.Comments) > 0 {
		c.p.unimplemented[c.route.Method+" "+c.route.Pattern+" pending or with comments"]++
		return nil, refuse(http.StatusNotImplemented, "The playground has neither pending reviews nor comments on lines")
	}
	if verdicts[*in.Event] == "" {
		return nil, unprocessable("Variable $event of type PullRequestReviewEvent was provided invalid value")
	}
	if err := c.mayTalk("review"); err != nil {
		return nil, err
	}
	body := ""
	if in.Body != nil {
		body = *in.Body
	}
	if utf8.RuneCountInString(body) > maxBody {
		return nil, unprocessable("Body is too long (maximum is 65536 characters)")
	}
	at := c.issue.pull.tip
	if in.CommitID != nil {
		of := c.issue.pull.tip.since(c.issue.pull.onto)
		found := slices.IndexFunc(of, func(one *commit) bool { return one.sha == *in.CommitID })
		if found < 0 {
			return nil, unprocessable("The commit " + *in.CommitID + " is not part of the pull request")
		}
		at = of[found]
	}
	r, err := c.p.review(c.actor, c.issue, *in.Event, body, at)
	if err != nil {
		return nil, err
	}
	c.status = http.StatusOK
	return c.p.reviewPayload(r), nil
}

// GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews: oldest first.
func listReviews(c *call) (any, error) {
	return each(page(c, c.issue.pull.reviews), c.p.reviewPayload), nil
}

func (c *call) review() (*review, error) {
	for _, r := range c.issue.pull.reviews {
		if r.id == c.number("review_id") {
			return r, nil
		}
	}
	return nil, errNotFound
}

// GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews/{review_id}
func getReview(c *call) (any, error) {
	r, err := c.review()
	if err != nil {
		return nil, err
	}
	return c.p.reviewPayload(r), nil
}

// PUT /repos/{owner}/{repo}/pulls/{pull_number}/reviews/{review_id}/dismissals
func dismissReview(c *call, in struct {
	Message *string `json:"message"`
	Event   *string `json:"event"`
},
) (any, error) {
	switch {
	case in.Message == nil:
		return nil, missing("message")
	case in.Event != nil && *in.Event != "DISMISS":
		return nil, unprocessable("Variable $event of type PullRequestReviewEvent was provided invalid value")
	case strings.TrimSpace(*in.Message) == "":
		return nil, unprocessable("Message can't be blank")
	}
	r, err := c.review()
	if err != nil {
		return nil, err
	}
	if err := c.p.dismiss(c.actor, r, *in.Message); err != nil {
		return nil, err
	}
	return c.p.reviewPayload(r), nil
}

func (p *Playground) dismiss(by actor, r *review, message string) error {
	if r.state != "APPROVED" && r.state != "CHANGES_REQUESTED" {
		return unprocessable("Can not dismiss a " + strings.ToLower(r.state) + " pull request review")
	}
	e := p.addEvent(r.pull, by, "review_dismissed")
	e.dismissed = object{
		"state": strings.ToLower(r.state), "review_id": r.id, "dismissal_message": message,
	}
	r.state = "DISMISSED"
	p.emitReview("dismissed", by, r)
	return nil
}

// timelineReviewPayload is a review as a line of the timeline.
func (p *Playground) timelineReviewPayload(r *review) object {
	payload := p.reviewPayload(r)
	payload["event"], payload["state"] = "reviewed", strings.ToLower(r.state)
	return payload
}
