package sweep

import (
	"time"

	"github.com/jonboulle/clockwork"
)

// How long a sweep of a repository takes depends on its issues. Each step of it takes a second or so: others wait behind each. A step ends when
// its time is up or the points that sweeps can use are. The next goes on with the issue after the last one that was seen.

type stage string

// The stages, in their order.
const (
	stageComments    stage = "comments"    // commands that no webhook reported
	stageReflections stage = "reflections" // that are missing
	stageChanged     stage = "changed"     // issues that changed
	stageUnlabeled   stage = "unlabeled"   // closed issues that had a label of Colony's
	stageWatched     stage = "watched"     // issues that something else can move
)

// Progress is how far a sweep has come. Its JSON is on disks: keys can be added, but never removed or changed.
type Progress struct {
	Kind kind `json:"kind,omitempty"`
	// Begun is when the sweep of the repository began. Since is the time from which it checks what changed.
	Begun time.Time `json:"begun"`
	Since time.Time `json:"since"`
	// Version is that of the policy that was in force when it began.
	Version string `json:"version,omitempty"`

	Stage stage `json:"stage,omitempty"`
	// From is the time of the last change of an issue that was seen, once there was one. The list of changed issues goes on there, not with its
	// next page, because an issue that changes in between makes all others move up.
	From time.Time `json:"from"`
	// Page is the page of the stage's list, Next the one on it to go on with (a list of repositories). Seen are the issues that are done, of the
	// page, or of all issues that changed at the same time.
	Page int   `json:"page"`
	Next int   `json:"next,omitempty"`
	Seen []int `json:"issues_seen,omitempty"`
	// Again says that the pages of the issues that changed at the same time have to be read once more, because some of them were not
	// seen before.
	Again bool `json:"again,omitempty"`
	// Unlabeled says that a closed issue without a label of Colony's changed: it might have had one.
	Unlabeled bool `json:"unlabeled,omitempty"`
	// Short says that no issue had changed when it began: then it only checks what no one changed.
	Short bool `json:"short,omitempty"`
	// Unsettled says that an issue was not at rest, or that another repository can move it. Due is when time moves the first of the others.
	Unsettled bool      `json:"unsettled,omitempty"`
	Due       time.Time `json:"due,omitzero"`
	// Checks is the sum of the repository's checks when it began; empty if it is not known, or was new.
	Checks string `json:"checks,omitempty"`
	// Watching is how far it has come with the issues that no one changed; nil before.
	Watching *watchProgress `json:"watching,omitempty"`
	// Refusing are the issues on which something would be refused, Unread the issues that could not be read.
	Refusing []int `json:"refusing,omitempty"`
	Unread   []int `json:"unread,omitempty"`
	// Cut counts how often the next issue could not be read to its end.
	Cut int `json:"cut,omitempty"`
	// Log is how far a sweep of everything has come with the log of deliveries.
	Log *logProgress `json:"log,omitempty"`
}

func (p *Progress) begin(s stage) { p.Stage, p.Page, p.Seen = s, 1, nil }

func (p *Progress) saw(number int) { p.Seen, p.Cut = append(p.Seen, number), 0 }

const (
	// stepTime is how long a step of a sweep begins something else.
	stepTime = time.Second
	// stepMargin is how much of the time of its task must be left for a step to begin something else.
	stepMargin = 10 * time.Second
	// issueTries is how often a sweep tries to read an issue before it goes on without.
	issueTries = 3
)

type currentStep struct {
	clock    clockwork.Clock
	until    time.Time
	deadline time.Time // of the task, in real time; zero if it has none
	done     int       // issues or pages
}

// over reports whether something else has to wait for the next step. Each does something.
func (s *currentStep) over() bool {
	return s.done > 0 && (!s.clock.Now().Before(s.until) || !s.deadline.IsZero() && time.Until(s.deadline) < stepMargin)
}

// Needs tells how much more than what sweeps leave has to be there for a step, each time twice as much. An issue that was cut for want
// of points needs more of them. A step that asks for more repositories needs so many that it waits until the sweeps that were begun have ended.
// A repository that is swept in one go is cheaper than one whose settings have to be read again and again in between.
func (p *Progress) Needs(ofRepositories bool) (doubled int) {
	switch {
	case p == nil:
		return 0
	case ofRepositories && p.Page+p.Next > 0:
		return issueTries - 1
	}
	return min(p.Cut, issueTries)
}
