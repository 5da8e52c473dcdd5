package worker

import (
	"encoding/json"
	"errors"

	"github.com/rs/zerolog"

	"github.com/colony-app/colony/github/issues"
)

// What replicas tell each other. Replicas of several versions run together: what a word is about must not change.
const (
	wordRules      = "rules"      // the policy of a repository changed
	wordSent       = "sent"       // an issue was moved to a state with a capacity
	wordLimited    = "limited"    // GitHub limits an installation
	wordUngranted  = "ungranted"  // what installations do not grant
	wordInstalled  = "installed"  // which installations there are
	wordSwept      = "swept"      // a repository was swept
	wordOnboarding = "onboarding" // how far an onboarding is
)

type broadcast[A any] struct {
	Word  string `json:"word"`
	About A      `json:"about"`
}

// peers sends words to the other replicas, and takes in theirs. One that is lost costs a call: GitHub shows the same later.
type peers struct {
	queue interface{ Broadcast(word []byte) error }
	words map[string]func(about json.RawMessage) error // what takes in each word
	log   zerolog.Logger
}

// Tell sends a word to the other replicas.
func (p *peers) Tell(word string, about any) {
	text, err := json.Marshal(broadcast[any]{word, about})
	if err == nil {
		err = p.queue.Broadcast(text)
	}
	if err != nil {
		p.log.Warn().Err(err).Str("word", word).Msg("the other replicas did not get this word; they find the same out later")
	}
}

// OnWord says what takes in a word that is not the worker's own. It is called before any word comes.
func (p *peers) OnWord(word string, take func(about json.RawMessage) error) { p.words[word] = take }

// OnBroadcast takes in a word of another replica.
func (p *peers) OnBroadcast(text []byte) {
	var b broadcast[json.RawMessage]
	err := json.Unmarshal(text, &b)
	if take, known := p.words[b.Word]; known {
		err = take(b.About)
	} else if err == nil {
		err = errors.New("this version has no such word")
	}
	if err != nil {
		p.log.Debug().Err(err).Str("word", b.Word).Msg("a replica of another version sent a word")
	}
}

// taking reads what a word is about, and passes it on.
func taking[A any](take func(A)) func(json.RawMessage) error {
	return func(text json.RawMessage) error {
		var about A
		if err := json.Unmarshal(text, &about); err != nil {
			return err //nolint:wrapcheck // it is logged with the word
		}
		take(about)
		return nil
	}
}

// BroadcastSwept lets the other replicas forget what they held back in a repository: this one has swept it last.
func (p *peers) BroadcastSwept(repo issues.Repository) { p.Tell(wordSwept, repo) }

func words(s interface{ SweptElsewhere(repo issues.Repository) }, d *dispatcher, a *admission, g *grantWatch, o *onboarder, p *policies) map[string]func(json.RawMessage) error {
	return map[string]func(json.RawMessage) error{
		wordRules: taking(p.changedElsewhere), wordSent: taking(d.movedElsewhere), wordLimited: taking(func(l limitedUntil) { a.limits.Set(l.Installation, l.Until) }), wordUngranted: taking(g.Replace),
		wordInstalled: taking(g.modes.KeepModes), wordOnboarding: taking(o.shown.take), wordSwept: taking(s.SweptElsewhere),
	}
}
