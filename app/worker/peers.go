package worker

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/rs/zerolog"

	"github.com/colony-app/colony/github/issues"
)

// The words that replicas send to each other; each begins with one of these, and the rest is a text. Replicas of several versions run
// together: a text must not change.
const (
	wordRules      = "rules"      // the policy of a repository changed
	wordSent       = "sent"       // an issue was moved to a state with a capacity
	wordLimited    = "limited"    // GitHub limits an installation
	wordUngranted  = "ungranted"  // what installations do not grant
	wordInstalled  = "installed"  // which installations there are
	wordSwept      = "swept"      // a repository was swept
	wordOnboarding = "onboarding" // how far an onboarding is
)

// peers sends words to the other replicas, and takes in theirs. One that is lost costs a call: GitHub shows the same later.
type peers struct {
	queue interface{ Broadcast(word []byte) error }
	words map[string]func(text string) error // what takes in the text of a word
	log   zerolog.Logger
}

func (p *peers) tell(word, text string) {
	if err := p.queue.Broadcast([]byte(word + " " + text)); err != nil {
		p.log.Warn().Err(err).Str("word", word).Msg("the other replicas did not get this word; they find the same out later")
	}
}

func (p *peers) tellJSON(word string, what any) {
	text, err := json.Marshal(what)
	if err != nil {
		p.log.Warn().Err(err).Str("word", word).Msg("encode a word for the other replicas")
		return
	}
	p.tell(word, string(text))
}

// OnBroadcast takes in a word of another replica.
func (p *peers) OnBroadcast(said []byte) {
	word, text, _ := strings.Cut(string(said), " ")
	take, known := p.words[word]
	err := errors.New("this version has no such word")
	if known {
		err = take(text)
	}
	if err != nil {
		p.log.Debug().Err(err).Str("word", word).Msg("a replica of another version sent a word")
	}
}

// BroadcastSwept lets the other replicas forget what they held back in a repository: this one has swept it last.
func (p *peers) BroadcastSwept(repo issues.Repository) {
	p.tell(wordSwept, fmt.Sprintf("%s %s", repo.Owner, repo.Name))
}

// words returns what takes in the text of each word.
func words(s interface{ SweptElsewhere(repo issues.Repository) }, d *dispatcher, a *admission, g *grantWatch, o *onboarder, p *policies) map[string]func(text string) error {
	return map[string]func(text string) error{
		wordRules: p.changedElsewhere, wordSent: d.movedElsewhere, wordLimited: a.limitedElsewhere, wordUngranted: g.comparedElsewhere,
		wordInstalled: g.listedElsewhere, wordOnboarding: o.shown.onboardedElsewhere, wordSwept: func(text string) error {
			var repo issues.Repository
			_, err := fmt.Sscanf(text, "%s %s", &repo.Owner, &repo.Name)
			if err == nil {
				s.SweptElsewhere(repo)
			}
			return err //nolint:wrapcheck // it is logged with the word
		},
	}
}
