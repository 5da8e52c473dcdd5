package reconcile

import (
	"fmt"
	"slices"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/colony-app/colony/bounded"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// memory is what this process knows of issues. The truth is on GitHub: forgetting costs calls, and changes nothing else. It is bounded, and
// safe for concurrent use.
type memory struct {
	of *lru.Cache[string, *remembered]
	// versions are those of the policies that were last in force for each repository.
	versions *lru.Cache[int64, string]
}

// issuesKept bounds the memory to some tens of megabytes.
const issuesKept = 50_000

func newMemory() *memory {
	return &memory{bounded.New[string, *remembered](issuesKept), bounded.New[int64, string](issuesKept)}
}

func (m *memory) about(ref issues.Ref) *remembered {
	key := issueKey(ref)
	if known, there := m.of.Get(key); there {
		return known
	}
	fresh := &remembered{ref: ref}
	if known, there, _ := m.of.PeekOrAdd(key, fresh); there { // another request was faster
		return known
	}
	return fresh
}

func issueKey(ref issues.Ref) string { return fmt.Sprintf("%d/%d", ref.ID, ref.Number) }

type remembered struct {
	ref issues.Ref

	mu      sync.Mutex
	notes   map[note]struct{}
	ordered map[int64]requester // who ordered a move of Colony's: no one, if the actor has no kind
	written []labelWrite        // what GitHub might not show yet
	refused []refusedWrite
	rests   map[checked]rest
}

// note is one thing that is known: about an event or a comment, by its id or by a name.
type note struct {
	kind noteKind
	id   int64
	name string
}

type noteKind int

const (
	noteExplained   noteKind = iota // an event that was explained, or needs no word
	noteCommanded                   // a move that a command made
	noteAsked                       // a person was asked about it, even if GitHub did not take the comment
	noteReminded                    // the begin of a time about which there is no reminder left to write
	noteWithdrawn                   // the same after which there is no reminder left to hide
	noteAssigned                    // whom GitHub was asked to assign for an entry into a state, no matter what it made of that
	noteUnassigned                  // whom GitHub was asked to take off after an assignment, no matter what it made of that
	noteHidden                      // a comment that was hidden
	noteTold                        // a verdict that has its audit line
	noteAwaited                     // one of these that is not carried out yet
	noteAuthorAsks                  // the author is only allowed to ask for the state with which the issue was opened
	noteAuthorMoves                 // the author is allowed to move it
	noteAfresh                      // a label that started the work again, for which the pull requests were closed
	noteSaid                        // a verdict that is not carried out where Colony does not enforce, and was said
	noteElsewhere                   // something can move it that changes nothing in its repository, when a sweep read it last
)

func (r *remembered) knows(n note) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	_, known := r.notes[n]
	return known
}

// add notes something, and reports whether that is news.
func (r *remembered) add(n note) (news bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, known := r.notes[n]; known {
		return false
	}
	if r.notes == nil {
		r.notes = map[note]struct{}{}
	}
	r.notes[n] = struct{}{}
	return true
}

// forget takes a note back, and reports whether it was there.
func (r *remembered) forget(n note) (was bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	_, was = r.notes[n]
	delete(r.notes, n)
	return was
}

// explained notes events that were explained, or need no word, although no command made them.
func (r *remembered) explained(ids ...int64) {
	for _, id := range ids {
		r.forget(note{kind: noteCommanded, id: id})
		r.add(note{kind: noteExplained, id: id})
	}
}

// commanded notes a move that a command made: it needs no word.
func (r *remembered) commanded(id int64) {
	r.explained(id)
	r.add(note{kind: noteCommanded, id: id})
}

func (r *remembered) isExplained(id int64) bool { return r.knows(note{kind: noteExplained, id: id}) }

// explainsAll reports whether every rejection that is open, and every move that is to be announced, is known to be explained. Then the comments
// need not be read.
func (r *remembered) explainsAll(life *statemachine.Table, standing statemachine.Standing) bool {
	for _, id := range life.MayAnnounce(standing) {
		if !r.isExplained(id) {
			return false
		}
	}
	return !slices.ContainsFunc(standing.Rejections, func(rejected statemachine.Rejection) bool {
		return !rejected.Withdrawn && !slices.ContainsFunc(rejected.IDs, r.isExplained)
	})
}

// requester is who ordered a move of Colony's, and when.
type requester struct {
	lifecycle.Actor
	at time.Time
}

func (r *remembered) order(id int64, by requester) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ordered == nil {
		r.ordered = map[int64]requester{}
	}
	r.ordered[id] = by
}

func (r *remembered) orderer(id int64) (by requester, known bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	by, known = r.ordered[id]
	return by, known
}
