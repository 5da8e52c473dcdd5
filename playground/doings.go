package playground

import (
	"cmp"
	"fmt"
	"slices"
)

// PullRequest is what a person opens with OpenPullRequest.
type PullRequest struct {
	Owner, Name string
	By          string // the repository's owner if empty
	Branch      string // made, with a commit of its own, if it is not there
	Base        string // the default branch if empty
	Title       string // "Change" and the branch if empty
	Body        string
	Draft       bool
}

// doer finds a repository and who acts in it: its owner if by is empty.
func (p *Playground) doer(owner, name, by string) (*repository, actor, error) {
	r, err := p.mustRepository(owner, name)
	if err != nil {
		return nil, actor{}, err
	}
	if by == "" {
		return r, actor{account: r.owner}, nil
	}
	a := p.accounts[lower(by)]
	if a == nil {
		a = p.accounts[lower(by+"[bot]")]
	}
	if a == nil {
		return nil, actor{}, fmt.Errorf("there is no user %s", by)
	}
	return r, actor{account: a, app: a.app}, nil
}

// OpenPullRequest opens a pull request as a person does with git and on the web, and returns its number. Roles are not asked for.
func (p *Playground) OpenPullRequest(asked PullRequest) (number int, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	r, by, err := p.doer(asked.Owner, asked.Name, asked.By)
	if err != nil {
		return 0, fmt.Errorf("open a pull request: %w", err)
	}
	base := cmp.Or(asked.Base, r.defaultBranch)
	if asked.Branch == "" || r.branches[base] == nil {
		return 0, fmt.Errorf("open a pull request in %s: from %q to %q", r.fullName(), asked.Branch, base)
	}
	if r.branches[asked.Branch] == nil {
		p.makeBranch(by, r, asked.Branch, r.branches[base])
		p.commitFile(by, r, asked.Branch, "Begin "+asked.Branch, asked.Branch+".txt", []byte("begun\n"))
	}
	i, err := p.openPull(by, r, pullRequest{
		title: cmp.Or(asked.Title, "Change "+asked.Branch), body: &asked.Body, head: asked.Branch, base: base, draft: asked.Draft,
	})
	if err != nil {
		return 0, fmt.Errorf("open a pull request in %s: %w", r.fullName(), err)
	}
	return i.number, nil
}

// Push puts one file onto a branch, as a person (the owner if by is empty) does with git, and returns the new commit. A branch that is not there is
// made from the default branch. Open pull requests of the branch go along (pull_request.synchronize).
func (p *Playground) Push(owner, name, branch, path, content, by string) (sha string, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	r, who, err := p.doer(owner, name, by)
	if err != nil {
		return "", fmt.Errorf("push to %s: %w", branch, err)
	}
	if r.branches[branch] == nil {
		p.makeBranch(who, r, branch, r.branches[r.defaultBranch])
	}
	return p.commitFile(who, r, branch, "Update "+path, path, []byte(content)).sha, nil
}

// ReviewPullRequest reviews a pull request at its newest commit, as a person (the owner if by is empty) does on the web, and returns the review's id.
// The event is APPROVE, REQUEST_CHANGES or COMMENT; all but the first need a body.
func (p *Playground) ReviewPullRequest(owner, name string, number int, event, body, by string) (id int64, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	i, who, err := p.pullFor(owner, name, number, by)
	if err != nil {
		return 0, fmt.Errorf("review a pull request: %w", err)
	}
	if verdicts[event] == "" {
		return 0, fmt.Errorf("review %s#%d: there is no event %q", i.repo.fullName(), number, event)
	}
	r, err := p.review(who, i, event, body, i.pull.tip)
	if err != nil {
		return 0, fmt.Errorf("review %s#%d: %w", i.repo.fullName(), number, err)
	}
	return r.id, nil
}

// MergePullRequest merges a pull request with a merge commit, as a person (the owner if by is empty) does on the web. It closes the issues that the
// pull request names with a keyword or is linked to.
func (p *Playground) MergePullRequest(owner, name string, number int, by string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	i, who, err := p.pullFor(owner, name, number, by)
	if err != nil {
		return fmt.Errorf("merge a pull request: %w", err)
	}
	if _, err := p.mergePull(who, i, true, "", ""); err != nil {
		return fmt.Errorf("merge %s#%d: %w", i.repo.fullName(), number, err)
	}
	return nil
}

// LinkPullRequest links a pull request to an issue of the same owner by hand, or takes such a link away. It acts as a person (the owner if by is
// empty) does in the section Development of the web page. GitHub has no API for that. The merge of a linked pull request closes the issue. The
// issue's log says connected or disconnected, and not with what.
func (p *Playground) LinkPullRequest(owner, name string, issueNumber int, pullRepository string, pullNumber int, linked bool, by string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	i, who, err := p.threadFor(owner, name, issueNumber, by)
	if err != nil {
		return fmt.Errorf("link a pull request: %w", err)
	}
	pull, _, err := p.pullFor(owner, cmp.Or(pullRepository, name), pullNumber, by)
	if err != nil {
		return fmt.Errorf("link a pull request: %w", err)
	}
	if i.pull != nil {
		return fmt.Errorf("link a pull request to %s#%d: it is a pull request itself", i.repo.fullName(), issueNumber)
	}
	p.linkPull(who, i, pull, linked)
	return nil
}

// SetCheck reports a check of the bot that AddBot made, or of a registered App, on the newest commit of a branch or pull
// request's branch, or on one by name, and returns the run's id. The conclusion is one of the REST API (success, failure,
// …), or empty for a run in progress. A run of the same name that is not completed goes on; otherwise there is a new one.
func (p *Playground) SetCheck(owner, name, ref, slug, check, conclusion string) (id int64, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	r, by, err := p.doer(owner, name, slug+"[bot]")
	if err != nil {
		return 0, fmt.Errorf("report a check: %w", err)
	}
	at := r.commitAt(ref)
	if at == nil || conclusion != "" && !slices.Contains(conclusions, conclusion) {
		return 0, fmt.Errorf("report the check %s in %s: on %q as %q", check, r.fullName(), ref, conclusion)
	}
	in := runBody{Name: &check, Status: new("in_progress")}
	if conclusion != "" {
		in.Status, in.Conclusion = new("completed"), &conclusion
	}
	s, _ := p.suite(r, by.app, at)
	for _, run := range s.latest() {
		if run.name == check && run.status != "completed" {
			before, _ := s.standing()
			in.apply(run, p.now())
			p.changeRun(by, run, before, false)
			return run.id, nil
		}
	}
	return p.newRun(by, r, by.app, at, in).id, nil
}

// SetStatus says something of a commit, as a person (the owner if by is empty): state is error, failure, pending or success.
func (p *Playground) SetStatus(owner, name, ref, context, state, by string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	r, who, err := p.doer(owner, name, by)
	if err != nil {
		return fmt.Errorf("set a status: %w", err)
	}
	at := r.commitAt(ref)
	if at == nil || !slices.Contains(commitStates, state) {
		return fmt.Errorf("set the status %s in %s: %q on %q", context, r.fullName(), state, ref)
	}
	p.addStatus(who, r, &commitStatus{commit: at, state: state, context: context})
	return nil
}
