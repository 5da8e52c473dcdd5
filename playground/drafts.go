package playground

import "fmt"

// pullFor finds a pull request and who acts on it: the repository's owner if by is empty.
func (p *Playground) pullFor(owner, name string, number int, by string) (*issue, actor, error) {
	i, who, err := p.threadFor(owner, name, number, by)
	if err == nil && i.pull == nil {
		err = fmt.Errorf("%s#%d is not a pull request", i.repo.fullName(), number)
	}
	return i, who, err
}

// SetDraft marks an open pull request as ready for review, or makes it a draft again, as a person (the owner if by is
// empty) does on the web: GitHub's REST API cannot (pull_request.ready_for_review, pull_request.converted_to_draft).
func (p *Playground) SetDraft(owner, name string, number int, draft bool, by string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	i, who, err := p.pullFor(owner, name, number, by)
	if err != nil {
		return fmt.Errorf("set the stage of a pull request: %w", err)
	}
	if i.state != "open" {
		return fmt.Errorf("set the stage of %s#%d: it is closed", i.repo.fullName(), number)
	}
	if i.pull.draft == draft {
		return nil
	}
	i.pull.draft = draft
	event, action := "ready_for_review", "ready_for_review"
	if draft {
		event, action = "convert_to_draft", "converted_to_draft"
	}
	p.addEvent(i, who, event)
	p.emitIssue(action, who, i, nil)
	return nil
}

// MakeConflict makes an open pull request impossible to merge: it changes, on the base branch and as a person (the owner
// if by is empty), a file that the pull request changes. GitHub sends no event of the pull request for that, only
// the push.
func (p *Playground) MakeConflict(owner, name string, number int, by string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	i, who, err := p.pullFor(owner, name, number, by)
	if err != nil {
		return fmt.Errorf("make a conflict: %w", err)
	}
	onto, changes := i.repo.branches[i.pull.base], i.pull.changes()
	if i.state != "open" || onto == nil || len(changes) == 0 {
		return fmt.Errorf("make a conflict with %s#%d: it is closed or changes nothing", i.repo.fullName(), number)
	}
	contended := changes[0].name
	content := fmt.Appendf(nil, "%s\nwhat the base branch of #%d has, after %s\n", onto.files[contended], number, onto.sha)
	p.commitFile(who, i.repo, i.pull.base, "Update "+contended, contended, content)
	return nil
}
