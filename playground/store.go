package playground

import (
	"slices"
	"strings"
	"time"
)

const (
	kindUser         = "User"
	kindOrganization = "Organization"
	kindBot          = "Bot"
)

// account is a user, an organization or the bot of an App.
type account struct {
	id      int64
	login   string
	kind    string
	app     *app // of a bot
	deleted bool
	created time.Time
}

type repository struct {
	id            int64
	owner         *account
	name          string
	description   string
	private       bool
	archived      bool
	deleted       bool
	roles         map[*account]role
	labels        []*label
	issues        []*issue // issues[n-1] has number n; pull requests share the numbers
	branches      map[string]*commit
	suites        []*checkSuite   // oldest first
	statuses      []*commitStatus // oldest first
	activities    []*activity     // oldest first
	defaultBranch string
	created       time.Time
	updated       time.Time
	pushed        time.Time

	commitComments []*commitComment
	milestones     []*milestone
	pinned         []*issue
}

func (r *repository) fullName() string { return r.owner.login + "/" + r.name }

// label finds a label as GitHub does: case and white space around the name don't count.
func (r *repository) label(name string) *label {
	name = strings.TrimSpace(name)
	for _, l := range r.labels {
		if strings.EqualFold(l.name, name) {
			return l
		}
	}
	return nil
}

func (r *repository) issue(number int) *issue {
	if number < 1 || number > len(r.issues) {
		return nil
	}
	return r.issues[number-1]
}

type label struct {
	id          int64
	name        string
	color       string
	description *string
}

type issue struct {
	id          int64
	repo        *repository
	number      int
	title       string
	body        *string
	edited      time.Time // of the body, for the last time
	editor      *account
	revisions   []revision // of the body, oldest first; none while no one has edited it
	user        *account
	app         *app
	state       string
	stateReason string
	closedBy    *account
	labels      []*label
	assignees   []*account
	milestone   *milestone
	kind        *issueType
	shown       []shownLabels // oldest first
	locked      bool
	lockReason  string
	comments    []*comment
	events      []*issueEvent
	reactions   []*reaction
	mentions    []*crossReference // oldest first
	blockedBy   []*issue
	blocks      []*issue
	parent      *issue
	subs        []*issue // by priority
	pull        *pull
	created     time.Time
	updated     time.Time
	closed      time.Time
	deleted     bool
	movedTo     *issue
}

// shownLabels are former labels that reads still show (Playground.LagLabels).
type shownLabels struct {
	labels []*label
	until  time.Time
}

func (i *issue) has(l *label) bool { return slices.Contains(i.labels, l) }

func (i *issue) comment(id int64) *comment {
	for _, c := range i.comments {
		if c.id == id {
			return c
		}
	}
	return nil
}

// issueEvent is one line of an issue's log. A label is kept as it was called at the time: GitHub does not rewrite
// the log when a label is renamed.
type issueEvent struct {
	id          int64
	issue       *issue
	event       string
	actor       *account
	app         *app
	label       object
	assignee    *account
	rename      object
	milestone   object
	lockReason  string
	stateReason *string
	commitID    string
	dismissed   object
	created     time.Time
	visible     time.Time
}

type comment struct {
	id        int64
	issue     *issue
	body      string
	user      *account
	app       *app
	created   time.Time
	updated   time.Time
	edited    time.Time // zero: no one edited it
	editor    *account
	minimized string // why it is hidden, in GitHub's words; empty: it is not
	reactions []*reaction
}

type reaction struct {
	id      int64
	user    *account
	content string
	created time.Time
}

// app is a registered GitHub App with its one webhook.
type app struct {
	App
	owner   *account
	bot     *account
	hook    hook
	created time.Time
	updated time.Time
	// everywhere marks the App of a bot that AddBot made: it acts on every repository without an installation.
	everywhere bool
	// private marks an App that only its owner's account can install, as a manifest can ask for.
	private     bool
	description string
	homepage    string
}

type installation struct {
	id          int64
	app         *app
	account     *account
	all         bool
	selected    []*repository
	permissions map[string]string
	events      []string
	created     time.Time
	updated     time.Time
	suspended   time.Time
	suspendedBy *account
	deleted     bool
}

func (i *installation) selection() string {
	if i.all {
		return "all"
	}
	return "selected"
}

func (i *installation) covers(r *repository) bool {
	return !i.deleted && (i.all && r.owner == i.account || slices.Contains(i.selected, r))
}

// token is a personal access token (user), a bot's standing token (user and app), or an installation's.
type token struct {
	value        string
	user         *account
	app          *app
	client       *app // the App that acts for the user
	installation *installation
	permissions  map[string]string
	repositories []*repository  // empty: all that the installation covers
	expires      time.Time      // zero: never
	personal     *PersonalToken // a user's token that has less than the user's rights
}

// addEvent appends to the issue's log and moves its date of change.
func (p *Playground) addEvent(i *issue, by actor, event string) *issueEvent {
	e := &issueEvent{id: p.nextID(), issue: i, event: event, actor: by.account, app: by.app, created: p.now()}
	e.visible = e.created
	i.events = append(i.events, e)
	i.updated = e.created
	return e
}

func lower(parts ...string) string { return strings.ToLower(strings.Join(parts, "/")) }
