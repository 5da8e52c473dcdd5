package simulate

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/colony-app/colony/commands"
	"github.com/colony-app/colony/commands/wording"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/policy"
	"github.com/colony-app/colony/reconcile"
	"github.com/colony-app/colony/reconcile/replay"
	"github.com/colony-app/colony/statemachine"
)

// unusableFile is what is wrong with a replacement file.
type unusableFile struct{ says string }

func (u *unusableFile) Error() string { return u.says }

type repository struct {
	*simulator
	repo  issues.Repository
	rules judgedBy
	// before is what is in force, where the report compares with it or a Colony acted by it.
	before judgedBy
	store  *issues.Store
	// comments are those of each issue.
	comments map[int][]issues.RecordedComment
	invoked  map[int64][]commands.Invocation
	says     map[int64]bool
	reflects map[int64][]string // by which words a comment is a reflection

	mu     sync.Mutex
	rights map[string]permitted
}

type judgedBy struct {
	policy.Effective
	settings reconcile.Settings
	store    *issues.Store
}

// permitted is what someone is allowed to do in a repository; unknown if that cannot be read.
type permitted struct {
	permission issues.Permission
	unknown    bool
}

func (s *simulator) repository(ctx context.Context, repo issues.Repository) error {
	r := &repository{
		simulator: s, repo: repo, comments: map[int][]issues.RecordedComment{}, invoked: map[int64][]commands.Invocation{}, says: map[int64]bool{}, reflects: map[int64][]string{},
		rights: map[string]permitted{},
	}
	var err error
	if r.before, err = r.judgedBy(ctx, s.reconciler.Policies); err != nil {
		return err
	}
	r.rules = r.before
	if s.instead != nil {
		if r.rules, err = r.judgedBy(ctx, s.instead); err != nil {
			return err
		}
		for _, wrong := range r.rules.InvalidFiles {
			if _, ours := s.Files[wrong.Path]; ours {
				return &unusableFile{wrong.String()}
			}
		}
	}
	if err := r.readComments(ctx); err != nil {
		return err
	}
	s.sums.Repositories++
	s.sums.Rules[strings.TrimPrefix(r.rules.From, repo.String()+"/")]++
	for _, wrong := range r.rules.InvalidFiles {
		s.sums.Broken = append(s.sums.Broken, NotChecked{Repository: repo.String(), Says: wrong.String()})
	}
	return s.changed(ctx, r.store, repo, r.issues)
}

func (r *repository) judgedBy(ctx context.Context, policies *policy.Cache) (j judgedBy, err error) {
	if j.Effective, err = policies.Get(ctx, r.repo); err != nil {
		return j, fmt.Errorf("read the rules of %s: %w", r.repo, err)
	}
	basis := r.reconciler.Basis(j.Effective, issues.Epoch{Labels: r.since, Commands: r.since}, r.since)
	j.settings, j.store = basis.Settings, basis.Store
	j.settings.Mode = r.Mode
	return j, nil
}

// readComments reads the comments of the whole repository, and keeps of each what a replay needs. Whose comments have Colony's markers is
// Colony.
func (r *repository) readComments(ctx context.Context) error {
	var former []string
	err := r.rules.store.CommentsIn(ctx, r.repo, r.since, func(c issues.RecordedComment) {
		if bot := c.By.IsApp(); bot && len(wording.Markers(c.Body)) > 0 && !slices.Contains(former, c.By.Login) {
			former = append(former, c.By.Login)
		}
		if c.Created.Before(r.since) {
			return
		}
		for _, of := range []judgedBy{r.rules, r.before} {
			if words := of.reflection(); commands.Reflects(c.Body, words) {
				r.reflects[c.ID] = append(r.reflects[c.ID], words)
			}
		}
		if invoked := commands.Parse(c.Body); len(invoked) > 0 {
			r.invoked[c.ID] = invoked
			r.says[c.ID] = !reconcile.OnlyCommands(c.Body, invoked)
		} else if len(r.reflects[c.ID]) == 0 && !r.rules.awaitsComments() && !r.before.awaitsComments() {
			return
		} else {
			r.says[c.ID] = true
		}
		c.Body = ""
		r.comments[c.Number] = append(r.comments[c.Number], c)
	})
	if err != nil {
		return err
	}
	r.rules.store, r.before.store = r.rules.store.WithFormer(former...), r.before.store.WithFormer(former...)
	r.store = r.rules.store
	for _, of := range r.comments {
		for i, c := range of {
			if slices.Contains(former, c.By.Login) {
				of[i].By.Kind = lifecycle.Colony
			}
		}
	}
	return nil
}

// awaitsComments reports whether a comment without a command can move an issue.
func (j judgedBy) awaitsComments() bool {
	return slices.ContainsFunc(j.Lifecycle.Triggers, func(t lifecycle.Trigger) bool { return t.On.By() != "" })
}

// reflection returns what a reflection begins with; empty if the lifecycle wants none.
func (j judgedBy) reflection() string {
	if r := j.settings.Lifecycle.Reflection; r != nil {
		return r.Words
	}
	return ""
}

// issues simulates some issues, a few at a time. Only what they come to is kept.
func (r *repository) issues(ctx context.Context, list []issues.View) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(r.AtOnce)
	for _, view := range list {
		group.Go(func() error {
			err := r.issue(ctx, view)
			if issues.IsGone(err) {
				return nil
			}
			return err
		})
	}
	return group.Wait() //nolint:wrapcheck // each issue names its attempt
}

func (r *repository) issue(ctx context.Context, view issues.View) error {
	record, err := r.store.Record(ctx, view.Ref)
	if err != nil {
		return err
	}
	said := r.said(view)
	outcome, err := r.replay(ctx, r.rules, view, record, said)
	if err != nil {
		return err
	}
	if !r.Compare {
		r.sums.issue(outcome)
		return nil
	}
	before, err := r.replay(ctx, r.before, view, record, said)
	if err != nil {
		return err
	}
	r.sums.issue(outcome)
	r.sums.compare(before, outcome)
	return nil
}

// replay replays an issue by some rules.
func (r *repository) replay(ctx context.Context, j judgedBy, view issues.View, record []issues.Recorded, said []issues.RecordedComment) (replay.Outcome, error) {
	known := slices.Clone(record)
	for i := range known {
		known[i].By = j.store.As(known[i].By)
	}
	i := replay.Issue{View: view, Log: known}
	for _, c := range said {
		comment := replay.Comment{ID: c.ID, At: c.Created, Invocations: r.invoked[c.ID], Says: r.says[c.ID], Reflects: slices.Contains(r.reflects[c.ID], j.reflection()), Edited: c.ID != 0 && c.EditInDoubt()}
		if c.ID == 0 {
			comment.Invocations = commands.Parse(view.Body)
		}
		var err error
		if comment.Requester, comment.Unknown, err = r.requester(ctx, j, c.By); err != nil {
			return replay.Outcome{}, err
		}
		i.Comments = append(i.Comments, comment)
	}
	opening := statemachine.History{Opening: statemachine.Opening{By: view.Author.Login, At: view.Created}}
	for _, e := range known {
		if e.Kind == issues.RecordedLabeled {
			opening.Changes = append(opening.Changes, statemachine.Change{Moment: statemachine.Moment{At: e.At, ID: e.ID}, Added: true, Label: e.Name, By: e.By})
		}
	}
	if !view.Created.Before(r.since) && len(j.settings.Lifecycle.OpenedWith(opening)) > 0 {
		may, err := r.permission(ctx, view.Author.Login)
		if err != nil {
			return replay.Outcome{}, err
		}
		i.View.AuthorOnlyAsks = !may.unknown && j.settings.OnlyAsks(may.permission)
	}
	i.Own = replay.OwnMoves(r.before.settings.Lifecycle, view, known, i.Comments)
	return replay.Run(replay.Rules{Settings: j.settings, Since: r.since, Until: r.now, Web: r.reconciler.Web}, i), nil
}

// said are the comments of an issue, the opening text among them if it has commands and was written since.
func (r *repository) said(view issues.View) []issues.RecordedComment {
	said := slices.Clone(r.comments[view.Ref.Number])
	if opening := view.Opening(); !opening.Created.Before(r.since) && len(commands.Parse(opening.Body)) > 0 {
		said = append(said, issues.RecordedComment{Comment: opening, Number: view.Ref.Number})
	}
	slices.SortStableFunc(said, func(a, b issues.RecordedComment) int { return a.Created.Compare(b.Created) })
	return said
}

// requester is who wrote a comment, and what they are allowed to do today.
func (r *repository) requester(ctx context.Context, j judgedBy, by lifecycle.Actor) (requester commands.Requester, unknown bool, err error) {
	by = j.store.As(by)
	switch {
	case by.Kind == lifecycle.Colony:
		return commands.Requester{Actor: by}, false, nil
	case by.IsApp():
		return commands.Requester{Actor: by, Right: reconcile.RightOfApps}, false, nil
	case by.Login == "":
		return commands.Requester{Actor: lifecycle.Actor{Kind: lifecycle.Author}}, false, nil
	}
	may, err := r.permission(ctx, by.Login)
	if err != nil {
		return commands.Requester{}, false, err
	}
	return j.settings.RequesterOf(by, may.permission), may.unknown, nil
}

// permission is what someone is allowed to do in the repository, asked for once.
func (r *repository) permission(ctx context.Context, login string) (permitted, error) {
	r.mu.Lock()
	may, known := r.rights[login]
	r.mu.Unlock()
	if known {
		return may, nil
	}
	permission, err := r.store.Permission(ctx, r.repo, login)
	switch {
	case err == nil:
		may = permitted{permission: permission}
	case issues.IsForbidden(err):
		may = permitted{permission: issues.PermissionNone, unknown: true}
	default:
		return may, err
	}
	r.mu.Lock()
	r.rights[login] = may
	r.mu.Unlock()
	return may, nil
}
