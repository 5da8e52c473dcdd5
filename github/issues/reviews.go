package issues

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/lifecycle"
)

// reviews observes what the reviewers of the issue's open pull requests decided. Of each reviewer the latest review that decides
// something counts; one that was dismissed decides nothing.
func reviews(ctx context.Context, r *reading) error {
	who := reviewers{r, map[string]bool{}}
	pulls, err := r.pulls.open(ctx)
	if err != nil {
		return err
	}
	approving, requesting, err := who.decisions(ctx, pulls)
	if err != nil {
		return err
	}
	for _, v := range requesting {
		r.observeReview("review-changes-requested", v)
	}
	if len(requesting) > 0 {
		return nil
	}
	for _, v := range approving {
		r.observeReview("review-approved", v)
	}
	return nil
}

// approvals observes which people approved an open or merged pull request of the issue, and who merged one. While a request for
// changes is open, only a merge counts.
func approvals(ctx context.Context, r *reading) error {
	who := reviewers{r, map[string]bool{}}
	pulls, err := r.pulls.list(ctx)
	if err != nil {
		return err
	}
	pulls = slices.DeleteFunc(slices.Clone(pulls), func(p *github.PullRequest) bool { return p.GetState() != "open" && p.MergedAt == nil })
	approving, requesting, err := who.decisions(ctx, pulls)
	if err != nil {
		return err
	}
	isPerson := func(u *github.User) bool {
		return r.people.actors.actorOf(user{u.GetLogin(), u.GetType()}).Kind == lifecycle.Operator
	}
	for _, p := range pulls {
		if p.MergedAt != nil && p.GetMergedBy().GetLogin() != "" && isPerson(p.GetMergedBy()) {
			r.observeAt("person-approved", p.GetMergedAt().Time, p.GetMergedBy().GetLogin(), p.GetHTMLURL())
		}
	}
	if len(requesting) > 0 {
		return nil
	}
	for _, v := range approving {
		if isPerson(v.GetUser()) {
			r.observeReview("person-approved", v)
		}
	}
	return nil
}

func (r *reading) observeReview(fact lifecycle.Fact, v *github.PullRequestReview) {
	r.observeAt(fact, v.GetSubmittedAt().Time, v.GetUser().GetLogin(), v.GetHTMLURL())
}

// reviewers are those whose reviews were read, and whether these count.
type reviewers struct {
	*reading

	may map[string]bool
}

// decisions lists the reviews that count of pull requests: approvals, and requests for changes.
func (r reviewers) decisions(ctx context.Context, pulls []*github.PullRequest) (approving, requesting []*github.PullRequestReview, err error) {
	for _, p := range pulls {
		verdicts, err := r.verdicts(ctx, p)
		if err != nil {
			return nil, nil, err
		}
		for _, v := range verdicts {
			if v.GetState() == "CHANGES_REQUESTED" {
				requesting = append(requesting, v)
			} else {
				approving = append(approving, v)
			}
		}
	}
	return approving, requesting, nil
}

// verdicts lists the review that counts of everybody who is allowed to review a pull request.
func (r reviewers) verdicts(ctx context.Context, p *github.PullRequest) ([]*github.PullRequestReview, error) {
	all, err := r.pulls.reviews(ctx, p.GetNumber())
	if err != nil {
		return nil, err
	}
	latest := map[string]*github.PullRequestReview{}
	var order []string
	for _, v := range all { // oldest first
		by := v.GetUser().GetLogin()
		if by == "" || by == p.GetUser().GetLogin() || !slices.Contains([]string{"APPROVED", "CHANGES_REQUESTED", "DISMISSED"}, v.GetState()) {
			continue
		}
		if latest[by] == nil {
			order = append(order, by)
		}
		latest[by] = v
	}
	var verdicts []*github.PullRequestReview
	for _, by := range order {
		v := latest[by]
		if v.GetState() == "DISMISSED" {
			continue
		}
		may, err := r.reviewer(ctx, v)
		if err != nil {
			return nil, err
		}
		if may {
			verdicts = append(verdicts, v)
		}
	}
	return verdicts, nil
}

// reviews lists the reviews of a pull request, oldest first.
func (p *issuePulls) reviews(ctx context.Context, number int) (all []*github.PullRequestReview, err error) {
	if known := p.details[number].reviews; known != nil {
		return known, nil
	}
	path := fmt.Sprintf("repos/%s/%s/pulls/%d/reviews", p.of.Owner, p.of.Name, number)
	if err := each(ctx, p.client, path, func(v *github.PullRequestReview) { all = append(all, v) }); err != nil {
		return nil, fmt.Errorf("list the reviews of #%d: %w", number, err)
	}
	return all, nil
}

// reviewer reports whether an account's review counts. On GitHub it is the reviews of people with write access that decide
// (https://docs.github.com/pull-requests/collaborating-with-pull-requests/reviewing-changes-in-pull-requests/about-pull-request-reviews). The
// author_association of a review does not tell that: a member of the organisation can be without access, a collaborator might only read, and who
// keeps their membership private is called a contributor. Only an owner's is sure.
//
// GitHub's permission of an App's bot says nothing, but only an App with write access to pull requests can review one. Colony's own reviews would be
// answers to itself.
func (r reviewers) reviewer(ctx context.Context, v *github.PullRequestReview) (bool, error) {
	login := v.GetUser().GetLogin()
	switch {
	case login == "", r.people.actors.IsSelf(login):
		return false, nil
	case v.GetUser().GetType() == botType, lifecycle.IsAppLogin(login), v.GetAuthorAssociation() == "OWNER":
		return true, nil
	}
	if may, known := r.may[login]; known {
		return may, nil
	}
	permission, err := r.people.Permission(ctx, r.view.Ref.Repository, login)
	if err != nil {
		return false, err
	}
	r.may[login] = permission.Includes(PermissionWrite)
	return r.may[login], nil
}
