package reconcile

import (
	"fmt"
	"strings"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/jonboulle/clockwork"
	"golang.org/x/time/rate"

	"github.com/colony-app/colony/bounded"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/github/ratelimit"
	"github.com/colony-app/colony/lifecycle"
)

// Anyone who can comment can ask Colony something. So what people ask who are not allowed to move issues has budgets of its own, before those of
// the installation. There is one for the person, for the issue, and for the repository. Moves, and commands of people who are allowed to make
// them, have what is left, which is most of it.

type share struct {
	of string
	// points is the part of the installation's points that the share can use in any minute.
	points float64
	// comments is how many answers in an hour are comments; the others are reactions alone. As many can be used in one burst.
	comments int
}

// shareTable has the budgets in the order in which a request passes them: who asks too much waits before that holds up others.
var shareTable = []share{
	{"person", 0.10, 5},
	{"issue", 0.10, 10},
	{"repository", 0.25, 30},
}

const (
	// pointsOfQuestion is about what it costs to read an issue, its log, its comments and the permission of who wrote one.
	pointsOfQuestion = 5
	// leastShare lets an answer through however small the installation's budget is: what it costs to read, to write a comment and
	// to react.
	leastShare = pointsOfQuestion + 2*ratelimit.PointsOfWrite
)

type question struct {
	ref issues.Ref
	by  string // a login
}

// keys are the budgets that a question has to pass, in the order of shareTable.
func (q question) keys() []string {
	repository := fmt.Sprintf("%d/%s", q.ref.Installation, strings.ToLower(q.ref.Repository.String()))
	return []string{
		fmt.Sprintf("%d@%s", q.ref.Installation, strings.ToLower(q.by)),
		fmt.Sprintf("%s#%d", repository, q.ref.Number),
		repository,
	}
}

// shares counts what people use who are not allowed to move issues. It is safe for concurrent use.
type shares struct {
	points int // of an installation in a minute; 0 is no bound
	clock  clockwork.Clock

	mu   sync.Mutex
	left *lru.Cache[string, *allowance]
	// deferred are the issues on which answers wait, and until when: one request comes back for all of them.
	deferred *lru.Cache[string, time.Time]
}

// sharesKept bounds the memory to some megabytes. What was forgotten begins again.
const sharesKept = 20_000

func newShares(settings ratelimit.Settings, clock clockwork.Clock) *shares {
	return &shares{points: settings.Points, clock: clock, left: bounded.New[string, *allowance](sharesKept), deferred: bounded.New[string, time.Time](sharesKept)}
}

// allowance is what is left of one share.
type allowance struct {
	points   *rate.Limiter // nil: no bound
	comments *rate.Limiter
}

// of returns what is left of the shares that a question has to pass; the caller holds the lock.
func (s *shares) of(q question) []*allowance {
	all := make([]*allowance, len(shareTable))
	for i, key := range q.keys() {
		a, ok := s.left.Get(key)
		if !ok {
			row := shareTable[i]
			a = &allowance{comments: rate.NewLimiter(rate.Limit(float64(row.comments)/time.Hour.Seconds()), row.comments)}
			if s.points > 0 {
				each := max(float64(s.points)*row.points, leastShare)
				a.points = rate.NewLimiter(rate.Limit(each/time.Minute.Seconds()), int(each))
			}
			s.left.Add(key, a)
		}
		all[i] = a
	}
	return all
}

// begin returns how long a request that someone's question made has to wait before it begins, 0 if it need not. It also returns how many of the
// shares it has passed, and paid for, by then.
func (s *shares) begin(q question, passed int) (wait time.Duration, now int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, a := range s.of(q) {
		if i < passed || a.points == nil {
			continue
		}
		if wait := a.points.ReserveN(s.clock.Now(), pointsOfQuestion).DelayFrom(s.clock.Now()); wait > 0 {
			return wait, i + 1
		}
	}
	return 0, len(shareTable)
}

// answer takes an answer out of the shares. If there is not enough left, it returns how long to wait for some of the answers that are pending.
func (s *shares) answer(q question, pending int) (wait time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := s.of(q)
	now := s.clock.Now()
	for _, a := range all {
		if a.points == nil || a.points.TokensAt(now) >= ratelimit.PointsOfWrite {
			continue
		}
		need := min(float64(pending*ratelimit.PointsOfWrite), float64(a.points.Burst())/2)
		missing := max(need, ratelimit.PointsOfWrite) - a.points.TokensAt(now)
		wait = max(wait, time.Duration(missing/float64(a.points.Limit())*float64(time.Second))+time.Millisecond)
	}
	if wait > 0 {
		return wait
	}
	for _, a := range all {
		if a.points != nil {
			a.points.AllowN(now, ratelimit.PointsOfWrite)
		}
	}
	return 0
}

// comment takes a comment out of the shares. It reports false, and takes nothing, if one of them has none left in this hour.
func (s *shares) comment(q question) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := s.of(q)
	now := s.clock.Now()
	for _, a := range all {
		if a.comments.TokensAt(now) < 1 {
			return false
		}
	}
	for _, a := range all {
		a.comments.AllowN(now, 1)
		if a.points != nil {
			a.points.ReserveN(now, ratelimit.PointsOfWrite) // what is too much now makes the next answer wait
		}
	}
	return true
}

// deferAnswers reports whether a request is to come back for the answers that wait on an issue: another one might do so already.
func (s *shares) deferAnswers(ref issues.Ref, wait time.Duration) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.clock.Now()
	if until, ok := s.deferred.Get(issueKey(ref)); ok && now.Before(until) {
		return false
	}
	s.deferred.Add(issueKey(ref), now.Add(wait))
	return true
}

// isMover reports whether someone is known to move issues. Apps are: without the permission to write issues they could not ask.
func (r *Reconciler) isMover(repo issues.Repository, by lifecycle.Actor) bool {
	may, _ := r.movers.Get(moverKey(repo, by.Login))
	return may || by.IsApp()
}

func moverKey(repo issues.Repository, login string) string {
	return fmt.Sprintf("%d/%s@%s", repo.Installation, strings.ToLower(repo.String()), strings.ToLower(login))
}

// WaitOfShare returns how long a request has to wait because who asked, or others who are not allowed to move issues, asked too much there. It
// also returns how many shares it has passed by then.
func (r *Reconciler) WaitOfShare(request Request, passed int) (wait time.Duration, nowPassed int) {
	ref := request.Ref
	if request.By == "" || r.isMover(ref.Repository, lifecycle.Actor{Login: request.By}) {
		return 0, passed
	}
	return r.shares.begin(question{ref, request.By}, passed)
}
