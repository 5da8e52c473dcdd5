package simulation

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jonboulle/clockwork"
	"github.com/rs/zerolog"
	"pgregory.net/rapid"

	"github.com/colony-app/colony/app"
	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/app/queue"
	"github.com/colony-app/colony/app/worker"
	"github.com/colony-app/colony/bench/apptest"
	"github.com/colony-app/colony/commands"
	"github.com/colony-app/colony/github/client"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/long"
	"github.com/colony-app/colony/playground"
	"github.com/colony-app/colony/policy"
	"github.com/colony-app/colony/statemachine"
)

var simulationRuns = flag.Int("simulation.runs", 0, "how many random histories TestSimulation plays, 0: 300, and with -long 2000")

// histories is how many random histories of labels there are.
func histories() int {
	switch {
	case *simulationRuns > 0:
		return *simulationRuns
	case long.Whole():
		return 2000
	default:
		return 300
	}
}

// simulationShards is how many rows of histories are played side by side.
const simulationShards = 2

// TestSimulation plays random histories of a repository with one to three Colonies, all in one goroutine: the real
// handlers, worker, reconciler and client on the playground, without a socket, a clock that the test moves, and a queue
// in memory. What people and bots do in between Colony's calls, which call fails and how, which delivery is lost, and where
// a Colony is killed are drawn by rapid. Once everybody is quiet, one sweep has to bring every issue to what its log says.
//
//	go test ./app/simulation -run TestSimulation -long -simulation.runs=100000 -timeout 0
//
// A history that fails ends with the command that plays it again.
// COLONY_TEST_LOG=1 shows Colony's log, and what everybody did.
func TestSimulation(t *testing.T) {
	simulate(t, labelScene, histories())
}

// TestSimulationOfNames plays what TestSimulation does where labels have names of their own, and people use the names of before as well.
func TestSimulationOfNames(t *testing.T) {
	simulate(t, namesScene, max(1, histories()/pullShare))
}

// TestSimulationOfGuards plays what TestSimulation does where moves have conditions that come and go: who asks, and a label that is no
// state. In two states what was approved has to stay as it was, and people edit it.
func TestSimulationOfGuards(t *testing.T) {
	simulate(t, guardsScene, max(1, histories()/pullShare))
}

// TestSimulationOfMixtures plays what TestSimulationOfGuards does where labels have names of their own as well, in a repository that names
// a mode now and then.
func TestSimulationOfMixtures(t *testing.T) {
	simulate(t, mixedScene, max(1, histories()/pullShare))
}

// TestSimulationOfPullRequests plays what TestSimulation does on a lifecycle whose issues move when their pull requests do.
func TestSimulationOfPullRequests(t *testing.T) {
	simulate(t, pullScene, max(1, histories()/pullShare))
}

// TestSimulationOfSprints plays histories of issues that hang together, on a lifecycle with all of its triggers on: see sprintScene.
func TestSimulationOfSprints(t *testing.T) {
	simulate(t, sprintScene, max(1, histories()/sprintShare))
}

// sprintShare is how many histories of labels there are for one of sprints.
const sprintShare = 10

// pullShare is how many histories of labels there are for one of pull requests, each call of which costs several.
const pullShare = 8

func simulate(t *testing.T, about scene, runs int) {
	t.Helper()
	set := func(name, value string) {
		before := flag.Lookup(name).Value.String()
		if err := flag.Set(name, value); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = flag.Set(name, before) }) // what was read can be set
	}
	set("rapid.steps", "25")
	set("rapid.checks", strconv.Itoa(max(1, runs/simulationShards)))
	collect := debug.SetGCPercent(800) // a history is short-lived: to clean up after each costs more than to play it
	t.Cleanup(func() { debug.SetGCPercent(collect) })
	for shard := range simulationShards {
		t.Run(strconv.Itoa(shard+1), func(t *testing.T) {
			t.Parallel()
			long.Check(t, func(t *rapid.T) {
				for range shard { // the seed is that of all shards: what is drawn from it is not
					rapid.Uint64().Draw(t, "another history")
				}
				s := newSimulation(t, about)
				s.play()
				s.end()
			})
		})
	}
}

const (
	simulatedOwner  = "acme"
	simulatedRepo   = "widgets"
	simulatedTarget = "gadgets" // to which issues are transferred; it is not there before the first
)

// simulation is one history under way.
type simulation struct {
	*rapid.T
	scene    scene
	clock    *clockwork.FakeClock
	github   *playground.Playground
	config   config.Config
	life     *statemachine.Table
	queue    *memoryQueue
	replicas []*replica
	tokens   map[string]string
	watcher  *issues.Store // reads as a person, without faults
	cast     *issues.Actors
	repo     issues.Repository
	since    time.Time // since when the labels are judged, as long as the label that says so was not lost
	lost     time.Time // when it was lost last: deleted or renamed, or another mode began
	// lostFirst is when it was lost for the first time: what it said from then until it was lost last is not known any more.
	lostFirst time.Time
	// replaced is when a label was deleted last whose name another one got: it went from issues that did not change, and the repository has a
	// label of its name. Only the webhook of its deletion tells, until a sweep reads all issues.
	replaced time.Time
	renamed  bool // it was deleted or renamed, since the mode began
	pull     int  // the number of a pull request
	// namedMode is the mode that the repository names, modes are those that held.
	namedMode lifecycle.Mode
	modes     []heldMode
	// transferred are the numbers that issues have in the repository that they were transferred to.
	transferred []int
	// untraced are the paths of those whose opening Colony can read in two ways.
	untraced []string

	// stormy says that calls fail, processes die, and others act between two calls of a Colony.
	stormy bool
	calm   int // calls until the next such thing
	nested int
	lag    time.Duration
	// labelsLag says that the labels that are read of an issue are as old as its log.
	labelsLag bool
	// unheard says that something happened that no webhook reports to any Colony, so that only a sweep finds it.
	unheard bool
	// forgot is when the queue was lost last, and with it the notes of why Colony made its moves.
	forgot time.Time
	// impatient says that the request under way has waited for a log that lags as often as it may.
	impatient bool
	// tasks counts those that were begun.
	tasks int

	issues   map[int]*simulatedIssue
	comments map[int64]*simulatedComment
	pulls    []*simulatedPull
	facts    []simulatedFact
	sprint   *sprint                // nil if nothing beside labels, comments and pull requests moves issues
	known    int                    // deliveries that were seen in the playground's list
	pending  []*playground.Delivery // and not delivered yet
	fates    []deliveryFate         // what may become of a delivery
	changes  []changeOfLabel        // what they reported of labels, if the log lags
	story    []string
}

// simulatedIssue is what the simulation keeps of an issue, beside what the playground does.
type simulatedIssue struct {
	number  int
	opening *simulatedComment
	// edits counts what others than Colony did to the labels, read is its value when Colony last read the issue, seen when it
	// last read the log.
	edits, read, seen int
	// blind says that the log lagged then in a way that nobody can notice.
	blind bool
	// hidesOwn says that a change by Colony was among what the log hid then. No webhook wakes Colony for it.
	hidesOwn bool
	// stale holds the labels that Colony put there from a log that was no longer true, with the second.
	stale []staleLabel
	// writes are Colony's calls that write, commanded the commands that were written, interruptions how often a Colony was hindered.
	writes, commanded, interruptions int
	// automatic counts Colony's moves that nobody ordered; halted says that Colony stopped on the issue.
	automatic int
	halted    bool
	// texts is what the issue said, if somebody edited it: first what it was opened with.
	texts []simulatedText
	// locked says that the conversation was locked at some time: GitHub takes neither comments nor reactions of an App there.
	locked bool
}

type staleLabel struct {
	label string
	at    time.Time
}

// simulatedComment is a text that somebody wrote: a comment, or the opening text of an issue (id 0).
type simulatedComment struct {
	id          int64
	issue       int
	by, body    string
	at          time.Time
	invocations []commands.Invocation
	receipt     string
	done        time.Time // when it got its receipt
	ran         time.Time // until when Colony ran its commands: until then, or until somebody edited it if the receipt says that it is not run
	// edited says that somebody changed the text, editedIn during which task, and readEdited that a later task read it since: the task that
	// was under way had read its commands before.
	edited, readEdited bool
	editedIn           int
	// text is what it was edited to last; body is as it was written.
	text string
	// teaches says that there are commands in the text as it was edited last, so that the editor has to learn that none is run; taught, that
	// there were at some time, so that one could.
	teaches, taught bool
	editedAt        time.Time
}

// replica is one Colony: everything that a process holds in memory.
type replica struct {
	*simulation
	name   int
	server *app.Server
}

// People and bots, with what they may do.
var (
	simulatedRoles     = map[string]string{"olivia": "write", "tara": "triage", "mona": "maintain", "rita": "read", "ada": "read", "carl": "write"}
	simulatedBots      = []string{"analyzer", "dev", "reviewer"}
	simulatedOperators = []string{"olivia", "tara", "mona"}
	simulatedExecutors = []string{"dev[bot]", "analyzer[bot]", "reviewer[bot]", "carl"}
	simulatedWriters   = []string{"olivia", "mona", "tara", "rita", "ada", "dev[bot]"}
	simulatedForeign   = []string{"bug", "colony:urgency/2"}
)

// simulatedSlip is a label that was to be that of a state.
const simulatedSlip = "colony:in-reveiw"

func newSimulation(t *rapid.T, about scene) *simulation {
	s := &simulation{
		T: t, scene: about, clock: clockwork.NewFakeClockAt(time.Date(2025, 3, 3, 9, 0, 0, 0, time.UTC)),
		fates: deliveryFates, tokens: map[string]string{}, issues: map[int]*simulatedIssue{}, comments: map[int64]*simulatedComment{},
	}
	s.queue = newMemoryQueue(s.clock)
	s.github = playground.New(playground.Options{Clock: s.clock, AuthClock: clockwork.NewRealClock(), BaseURL: "http://github.test"})
	s.populate()
	s.configure()
	if s.scene.modes {
		s.beginMode()
	}
	for i := range rapid.SampledFrom([]int{1, 2, 3}).Draw(t, "replicas") {
		s.replicas = append(s.replicas, &replica{simulation: s, name: i})
		s.start(s.replicas[i])
	}
	s.github.HoldDeliveries()
	s.github.SetWebhookURL(apptest.ID, "http://colony.test/api/github/hook")
	s.repo.Installation = s.github.Install(apptest.ID, simulatedOwner)
	s.settleDown()
	s.since = s.clock.Now().UTC().Truncate(time.Second)
	s.watch()
	if rapid.Bool().Draw(t, "every delivery arrives") {
		s.fates = []deliveryFate{{name: "once", times: 1}, {name: "once", times: 1}, {name: "twice", times: 2}}
	}
	s.lag = rapid.SampledFrom([]time.Duration{0, 0, 0, 0, time.Second, 3 * time.Second, 8 * time.Second}).Draw(t, "lag")
	s.github.LagEvents(s.lag)
	if s.lag > 0 && rapid.Bool().Draw(t, "labels lag too") { // then nothing that is read of an issue differs from its log
		s.labelsLag = true
		s.github.LagLabels(s.lag)
	}
	s.advance(time.Minute)
	for range rapid.SampledFrom(s.scene.issues).Draw(t, "issues") {
		s.opens()
	}
	for _, n := range s.numbers() {
		s.bring(s.issues[n])
	}
	return s
}

// populate makes the people, the repository, and a pull request that Colony has to leave alone.
func (s *simulation) populate() {
	s.github.AddOrganization(simulatedOwner)
	s.repo = issues.Repository{Owner: simulatedOwner, Name: simulatedRepo}
	s.repo.ID = s.github.AddRepository(simulatedOwner, simulatedRepo)
	for login, role := range simulatedRoles {
		s.github.AddUser(login)
		s.github.SetPermission(simulatedOwner, simulatedRepo, login, role)
	}
	for _, bot := range simulatedBots {
		s.github.AddBot(bot)
	}
	s.must(s.github.RegisterApp(apptest.App(apptest.ShortKey())))
	for _, label := range simulatedForeign {
		s.ask("mona", "POST", "/labels", map[string]any{"name": label, "color": "ffffff"}, nil)
	}
	s.pull = s.pullRequest()
}

func (s *simulation) configure() {
	c := apptest.ConfigAt("http://github.test", apptest.ShortKey())
	c.Lifecycle = s.scene.lifecycle
	if !s.scene.follow {
		c.Follow = nil
	}
	c.Executors.Logins = s.scene.executors
	if s.scene.sprints {
		s.beginSprint(&c)
	}
	s.config = c
	policies, err := c.Settings()
	s.must(err)
	life := policies.Lifecycle
	if s.scene.names || s.scene.guards {
		life = s.brings(s.ownLifecycle())
	}
	s.life = c.ServerPolicy(life).Lifecycle // without what is not followed
}

// ownLifecycle is the text of the lifecycle as its owner changed it.
func (s *simulation) ownLifecycle() string {
	text, err := lifecycle.ShippedFile(s.scene.lifecycle)
	s.must(err)
	own := string(text)
	if s.scene.guards {
		own = guarded(own)
	}
	if s.scene.names {
		own = named(own)
	}
	return own
}

// guarded adds guards and sealed states to the text of a lifecycle.
func guarded(text string) string {
	sealed := regexp.MustCompile(`(- name: (ready-for-dev|human-review-ready)\n)`).ReplaceAllString(text, "${1}    sealed: true\n")
	sealed = strings.Replace(sealed, "\ntriggers:\n", `
triggers:
  - {on: text-changed, in: ready-for-dev, to: new, why: It is not what was approved}
  - {on: text-changed, in: human-review-ready, to: analyzing, why: It is not what was approved}
`, 1)
	return strings.Replace(sealed, "\nguards:\n", `
guards:
  - name: not-a-bug
    why: A bug goes another way.
    to: [in-review, ready-for-dev, changes-requested, new]
    forbids:
      - label: bug
  - name: writers
    why: It takes write access.
    to: [in-development, human-review-ready, done]
    requires:
      - permission: write
    unless:
      - label: bug
        why: Bugs are urgent.
    needs-human: true
  - name: other-eyes
    why: Somebody else goes on.
    from: [in-review, in-development, ready-for-dev]
    to: [merge-pending, human-review-ready, in-review]
    forbids:
      - is: previous-mover
`+"\n", 1)
}

// brings has the owner bring a lifecycle, and returns it.
func (s *simulation) brings(own string) *statemachine.Table {
	s.github.AddRepository(simulatedOwner, ".github")
	s.must(s.github.SetFile(simulatedOwner, ".github", policy.LifecycleFile, own))
	life, err := statemachine.Parse(policy.LifecycleFile, []byte(own))
	s.must(err)
	return life
}

// named gives the labels in the text of a lifecycle names of their own, with two that they had.
func named(text string) string {
	return regexp.MustCompile(`label: colony:([a-z])(.*)`).ReplaceAllStringFunc(text, func(line string) string {
		name := strings.TrimPrefix(line, "label: colony:")
		return fmt.Sprintf("label: %q\n    previously: [%q, %q]", strings.ToUpper(name[:1])+name[1:], "status: "+name, "was "+name)
	})
}

// start gives a replica a new memory: the process that was there is gone.
func (s *simulation) start(r *replica) {
	log := zerolog.Nop()
	if os.Getenv("COLONY_TEST_LOG") != "" {
		log = zerolog.New(zerolog.ConsoleWriter{Out: os.Stderr, NoColor: true, PartsExclude: []string{"time"}}).With().Int("replica", r.name).Logger()
	}
	server, err := app.New(s.Context(), s.config, app.Options{Clock: s.clock, Transport: r, Fork: s.inTurn, Log: log, OpenQueue: s.openQueue, Login: apptest.Login})
	s.must(err)
	r.server = server
}

// watch makes the store with which the simulation reads what is there.
func (s *simulation) watch() {
	s.cast = &issues.Actors{AppID: apptest.ID, Executors: s.config.Executors.Logins}
	s.cast.SetSelf(apptest.Login)
	s.watcher = issues.NewStore(watching{s}, s.cast)
	var err error
	s.watcher.Branches, err = issues.ParseBranches(s.config.PullRequests.Branches)
	s.must(err)
}

func (s *simulation) must(err error) {
	if err != nil {
		s.wrong("the simulation is wrong: %v", err)
	}
}

// wrong ends a history that broke a rule. What rapid compares while it shrinks is the rule alone; what broke it is in the log.
func (s *simulation) wrong(rule string, args ...any) {
	s.Logf(rule+"\n%s", append(args, s)...)
	s.Fatal(placeholder.ReplaceAllString(rule, "…"))
}

// placeholder is where fmt puts an argument.
var placeholder = regexp.MustCompile(`%\+?[a-z]`)

func (s *simulation) note(format string, args ...any) {
	line := s.clock.Now().UTC().Format("02 15:04:05 ") + fmt.Sprintf(format, args...)
	s.story = append(s.story, line)
	if os.Getenv("COLONY_TEST_LOG") != "" {
		fmt.Fprintln(os.Stderr, line)
	}
}

// String is the history for a person who has to understand a counterexample.
func (s *simulation) String() string {
	text := "what happened:\n"
	for _, line := range s.story {
		text += "  " + line + "\n"
	}
	for _, n := range s.numbers() {
		text += s.logOf(n)
	}
	return text
}

func (s *simulation) numbers() []int {
	var numbers []int
	for n := range s.issues {
		numbers = append(numbers, n)
	}
	slices.Sort(numbers)
	return numbers
}

func (s *simulation) anIssue() *simulatedIssue {
	numbers := s.numbers()
	if len(numbers) == 1 {
		return s.issues[numbers[0]]
	}
	return s.issues[rapid.SampledFrom(numbers).Draw(s.T, "issue")]
}

// play lets everybody act in an order that is drawn.
func (s *simulation) play() {
	s.stormy = true
	s.calm = s.untilNext()
	actions := map[string]func(*rapid.T){}
	for _, a := range slices.Concat(simulatedOwn, s.scene.others) {
		for i := range a.weight {
			actions[fmt.Sprintf("%s %d", a.name, i)] = func(*rapid.T) {
				a.do(s)
				s.sprint.observe()
			}
		}
	}
	s.Repeat(actions)
	s.stormy = false
}

type simulatedAction struct {
	name   string
	weight int
	do     func(*simulation)
}

// simulatedOwn is what happens between two tasks; the others act between two calls of a Colony as well.
var simulatedOwn = []simulatedAction{
	{"work", 16, (*simulation).works},
	{"kill", 1, (*simulation).kills},
	{"lose the queue", 1, (*simulation).losesQueue},
	{"sweep", 1, (*simulation).sweeps},
}

var simulatedOthers = []simulatedAction{
	{"deliver", 8, (*simulation).delivers},
	{"time", 5, (*simulation).passes},
	{"label", 4, (*simulation).labels},
	{"unlabel", 2, (*simulation).unlabels},
	{"swap", 2, (*simulation).swaps},
	{"request", 3, (*simulation).requests},
	{"rival", 2, (*simulation).rivals},
	{"comment", 5, (*simulation).writes},
	{"other label", 1, (*simulation).labelsOther},
	{"repository's label", 1, (*simulation).editsLabels},
	{"close", 1, (*simulation).closes},
	{"edit a comment", 1, (*simulation).editsComment},
	{"lock", 1, (*simulation).locks},
	{"transfer", 1, (*simulation).transfers},
	{"pull request", 1, (*simulation).editsPull},
	{"react", 1, (*simulation).reacts},
}

// each has an action as often as it weighs.
func each(actions []simulatedAction) []simulatedAction {
	var each []simulatedAction
	for _, a := range actions {
		each = append(each, slices.Repeat([]simulatedAction{a}, a.weight)...)
	}
	return each
}

func (a simulatedAction) String() string { return a.name }

// passes lets time pass.
func (s *simulation) passes() {
	d := rapid.SampledFrom([]time.Duration{
		time.Second, 500 * time.Millisecond, 2 * time.Second, 2 * time.Second, 5 * time.Second, 10 * time.Second, time.Minute,
		10 * time.Minute, 45 * time.Minute, 25 * time.Hour,
	}).Draw(s.T, "time")
	if s.nested > 0 { // no call takes longer than its time-out
		d = min(d, client.CallTimeout/2)
	}
	s.advance(d)
	s.note("%s pass", d)
}

// works has one task done by one replica.
func (s *simulation) works() {
	ready := s.queue.ready()
	if len(ready) == 0 {
		return
	}
	at := 0
	if len(ready) > 1 {
		at = rapid.IntRange(0, len(ready)-1).Draw(s.T, "task")
	}
	r := s.replicas[0]
	if len(s.replicas) > 1 {
		r = rapid.SampledFrom(s.replicas).Draw(s.T, "by")
	}
	s.run(r, ready[at], s.stormy && rapid.IntRange(0, 29).Draw(s.T, "answer lost") == 29)
}

func (r *replica) String() string { return "replica " + strconv.Itoa(r.name) }

func (s *simulation) kills() {
	r := rapid.SampledFrom(s.replicas).Draw(s.T, "killed")
	s.note("%s is killed", r)
	s.start(r)
}

// losesQueue is a restart with the queue's folder deleted: every process ends with it.
func (s *simulation) losesQueue() {
	s.note("the queue is lost, with every replica")
	s.unheard, s.forgot = true, s.clock.Now()
	s.queue.lose()
	for _, r := range s.replicas {
		s.start(r)
	}
}

func (s *simulation) sweeps() {
	s.note("a sweep begins")
	s.must(rapid.SampledFrom(s.replicas).Draw(s.T, "sweeper").server.Sweep(s.Context()))
}

// settleDown delivers and does everything that there is, as time goes on.
func (s *simulation) settleDown() {
	for range 2000 {
		s.notice()
		if len(s.pending) > 0 {
			s.deliver(s.take(0), s.replicas[0])
			continue
		}
		if ready := s.queue.ready(); len(ready) > 0 {
			s.run(s.replicas[0], ready[0], false)
			continue
		}
		due, ok := s.queue.next()
		if !ok {
			return
		}
		s.advance(due.Sub(s.clock.Now()))
	}
	s.wrong("there is no end to the work: %v", s.queue.waiting)
}

// killed is what a Colony's call panics with when the process ends there.
type killed struct{}

// run has a task done; with lost, the process ends before the queue learns that it was done.
func (s *simulation) run(r *replica, task queue.Task, lost bool) {
	s.queue.take(task)
	s.tasks++
	s.sprint.begins(task)
	s.impatient = waited(task) >= s.config.Judging.LagAttempts
	s.unheard = s.unheard || s.impatient
	s.note("%s begins %s of #%d, attempt %d", r, because(task), task.Issue, task.Attempt)
	whole, with := s.queue.join(task)
	requeue, dead, err := r.work(whole)
	if dead {
		s.note("%s is killed while it works", r)
		s.interrupted(task)
		s.queue.abandon(task)
		s.start(r)
		return
	}
	if err != nil {
		s.note("%s fails: %v", r, err)
		s.interrupted(task)
	} else if requeue != nil {
		s.note("%s requeues it for %s", r, requeue.After)
	}
	s.queue.settle(task, whole, with, requeue, err, lost)
	if lost {
		s.note("%s is killed before the queue hears of it", r)
		s.interrupted(task)
		s.start(r)
	}
}

func because(task queue.Task) string {
	e, err := worker.ReadItem(task)
	if err != nil {
		return err.Error()
	}
	return e.Cause
}

func waited(task queue.Task) int {
	e, _ := worker.ReadItem(task) // because shows what cannot be read
	return e.Waited
}

func (s *simulation) interrupted(task queue.Task) {
	if i := s.issues[task.Issue]; i != nil {
		i.interruptions++
	}
}

func (r *replica) work(task queue.Task) (requeue *queue.Requeue, dead bool, err error) {
	defer func() {
		if v := recover(); v != nil {
			if _, ok := v.(killed); !ok {
				panic(v)
			}
			dead = true
		}
	}()
	requeue, err = r.server.Work(r.Context(), task)
	return requeue, false, err
}
