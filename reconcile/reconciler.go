package reconcile

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/jonboulle/clockwork"
	"github.com/rs/zerolog"

	"github.com/colony-app/colony/bounded"
	"github.com/colony-app/colony/commands"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/github/ratelimit"
	"github.com/colony-app/colony/github/teams"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/policy"
	"github.com/colony-app/colony/statemachine"
)

// Settings are what a reconciliation is based on.
type Settings struct {
	// Policy is the server's, or what is in force for a repository instead.
	policy.Policy
	Thresholds statemachine.Thresholds
	// Horizon is how far back changes are checked and commands are run.
	Horizon time.Duration
	Patience
}

// Patience is how Colony waits for what GitHub does not show yet.
type Patience struct {
	// LagAttempts is how often a request is requeued for it while the log shows nothing new; LagWait is how long before the first of them. Each
	// further one waits twice as long, up to a second.
	LagAttempts int
	LagWait     time.Duration
}

// Reconciler brings issues in line with their log: load, decide, apply. Webhooks, commands and timers all end here.
type Reconciler struct {
	Options
	Labels   *issues.LabelProvisioner
	memories *memory
	// reported are the broken files of repositories that were reported, and modes in which mode each repository is.
	reported *lru.Cache[string, struct{}]
	modes    modes
	// began is when this process began: what happened before is no news to it.
	began time.Time
	// shares say which of the people who ask something have to wait; movers, who is allowed to move issues in which repository, as far as someone
	// asked: it permits nothing.
	shares *shares
	movers *lru.Cache[string, bool]
}

// Options are what a Reconciler cannot do without. What is called with news can be nil: then no one needs to know.
type Options struct {
	Store *issues.Store
	// Teams reads who is a member of a team.
	Teams          *teams.Reader
	Policies       *policy.Cache
	ServerSettings Settings // the server's
	// OnForbidden is called where GitHub forbids a write that holds up nothing.
	OnForbidden func(ctx context.Context, installation int64, err error)
	// Selection says in which repositories Colony works.
	Selection policy.Selection
	// Budget is what an installation can use: people who are not allowed to move issues share a part of it.
	Budget  ratelimit.Settings
	Clock   clockwork.Clock
	Log     zerolog.Logger
	Web     string // the address of GitHub's pages
	Board   string // the address of the board, with nothing behind it; empty without a board
	Metrics *Metrics
	// OnCapacity is called when an issue came to, left, or is in a state with a capacity.
	OnCapacity func(ctx context.Context, request Request) error
	// OnEnd is called when an issue came to the end of its lifecycle and Colony does not close it, or when others wait for it again. What ended by
	// one delivery has names of its own.
	OnEnd func(ctx context.Context, request Request) error
	// OnIncomplete is called when labels of a repository have to be made or repaired, and no one waits for them. It says whether someone does that
	// now; nil: no one ever does.
	OnIncomplete func(ctx context.Context, repo issues.Repository) (asked bool, err error)
	// OnObserved is called with what each reconciliation, and each check of a sweep, saw of an issue. It must be quick: the issue is held.
	OnObserved func(Observed)
	// OnGone is called with an issue that is no longer there, or not for Colony. It is called with a repository alone, or an installation alone,
	// if that is so of all there is in it.
	OnGone func(ref issues.Ref)
	// OnPolicy is called when what the issues of a repository are reconciled by might have changed, or Colony was given the repository.
	OnPolicy func(repo issues.Repository)
	// OnFigures is called when an issue was reconciled that a dashboard might show otherwise now.
	OnFigures func(ctx context.Context, repo issues.Repository, settings Settings) error
	// OnVerdict is called with each verdict that is carried out, before anything is written for it. It can be called again with a verdict of the
	// same Key, by another process or after an error.
	OnVerdict func(ctx context.Context, v Verdict, about Subject) error
	// Notes keep what GitHub does not; nil: nothing is written to an issue either.
	Notes Notes
}

// New returns a reconciler that remembers nothing yet.
func New(o Options) *Reconciler {
	r := &Reconciler{
		Options: o, Labels: issues.NewLabelProvisioner(o.Store, o.Clock), memories: newMemory(), reported: bounded.New[string, struct{}](reportedKept),
		shares: newShares(o.Budget, o.Clock), movers: bounded.New[string, bool](sharesKept), began: o.Clock.Now().Truncate(time.Second),
	}
	r.Labels.Altered = r.reportAlteration
	r.Labels.Incomplete = func(ctx context.Context, repo issues.Repository) (bool, error) {
		if r.OnIncomplete == nil {
			return true, nil
		}
		return r.OnIncomplete(ctx, repo)
	}
	return r
}

// Result asks for another reconciliation; nil means that there is nothing left to do.
type Result struct {
	RequeueAfter time.Duration
	// Waits says that the request waits for something that GitHub reported and does not show yet: it counts against LagAttempts. Newest is the newest
	// label event that the log showed; 0 if the request waits for something else.
	Waits  bool
	Newest int64
	// Comments says that the next reconciliation needs the comments: it will have something to refuse, or commands wait.
	Comments bool
	// About is what a move was made for; the next reconciliation might have to report it.
	About *MoveCause
}

// Carry is what earlier reconciliations of the same request found out.
type Carry struct {
	// Waited is how often the request was requeued because GitHub lagged behind, since the log showed Newest: a log that goes on is not lost.
	// Rounds is how often it was in all.
	Waited int   `json:"waited,omitempty"`
	Rounds int   `json:"rounds,omitempty"`
	Newest int64 `json:"newest,omitempty"`
	// Comments says that this reconciliation needs the comments; see Result.
	Comments bool `json:"refusing,omitempty"`
	// About is what the issue was moved for by the reconciliation before.
	About *MoveCause `json:"about,omitempty"`
	// InTurn says that nothing is read at the same time as something else: the request can be the one that finds out whether GitHub answers again.
	InTurn bool `json:"in_turn,omitempty"`
}

// After is what the next reconciliation of the request has to know of this one. Only rounds that wait for the same thing are counted together. A
// request might have waited as often as it can and then have written, or have something to refuse once the issue is quiet. It must be able to wait
// for what is hidden from the next round, or it undoes what happens in between.
func (c Carry) After(result Result) Carry {
	next := Carry{Newest: result.Newest, Comments: result.Comments, About: cmp.Or(result.About, c.About)}
	if result.Waits {
		next.Waited, next.Rounds = 1, c.Rounds+1
		if !c.goesOn(result.Newest) {
			next.Waited += c.Waited
		}
	}
	return next
}

// mostRounds bounds how often a request waits for a log that goes on: about a minute.
const mostRounds = 60

// goesOn reports whether a log shows more than it did when the request waited for it, and can be waited for once more.
func (c Carry) goesOn(newest int64) bool {
	return c.Newest != 0 && newest > c.Newest && c.Rounds < mostRounds
}

// Gone tells that something is out of reach; see Options.OnGone.
func (r *Reconciler) Gone(ref issues.Ref) {
	r.discount(ref)
	if r.OnGone != nil {
		r.OnGone(ref)
	}
}

// PolicyChanged reports that the policy of a repository might have changed; see Options.OnPolicy.
func (r *Reconciler) PolicyChanged(repo issues.Repository) {
	if r.OnPolicy != nil {
		r.OnPolicy(repo)
	}
}

func (r *Reconciler) inquire(request Request, carry Carry) *inquiry {
	ref := request.Ref
	log := r.Log.With().Str("repo", ref.Repository.String()).Int("issue", ref.Number).Str("because", request.Cause).Str("delivery", request.Delivery).Logger()
	return &inquiry{Reconciler: r, Case: Case{request: request}, memory: r.memories.about(ref), carry: carry, log: log}
}

func (r *Reconciler) newReconciliation(request Request, carry Carry) *reconciliation {
	return &reconciliation{inquiry: r.inquire(request, carry)}
}

// Repository provisions the labels of a repository.
func (r *Reconciler) Repository(ctx context.Context, request Request) error {
	repo := request.Repository
	found, err := r.Policies.Get(ctx, repo)
	for sure := false; ; sure = true {
		if err != nil {
			return fmt.Errorf("read the rules of %s: %w", repo, err)
		}
		if !found.Mode.Writes() {
			return r.provision(ctx, repo, found)
		}
		r.NoteMode(repo, found)
		if request.Renamed != nil {
			if err := r.Labels.Rename(ctx, repo, found.Table(), request.Renamed.From, request.Renamed.To); err != nil {
				return err
			}
		}
		if err := r.Labels.Provision(ctx, repo, found.Table(), sure); sure || !errors.Is(err, issues.ErrOtherTable) {
			return err
		}
		found, err = r.Policies.Refresh(ctx, repo) // this process might have missed the change
	}
}

// reportAlteration says that someone altered the time from which a repository is reconciled.
func (r *Reconciler) reportAlteration(repo issues.Repository, how issues.Alteration, was, now issues.Epoch) {
	r.Metrics.alterations.WithLabelValues(string(how)).Inc()
	r.Log.Error().Str("repo", repo.String()).Str("how", string(how)).
		Time("was_labels", was.Labels).Time("was_commands", was.Commands).Time("labels", now.Labels).Time("commands", now.Commands).
		Msg("somebody altered since when this repository is judged: see the description of the label " + lifecycle.Forced)
}

// RightOf turns GitHub's permission into the right that commands ask for.
func (r Settings) RightOf(p issues.Permission) commands.Right {
	switch {
	case p.Includes(r.Commands.Force) && p.Includes(r.Commands.Move):
		return commands.MayForce
	case p.Includes(r.Commands.Move):
		return commands.MayMove
	}
	return commands.MayRead
}
