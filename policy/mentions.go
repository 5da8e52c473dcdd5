package policy

import "fmt"

// Mentions says whether Colony mentions the person whose change it undoes: GitHub tells them nothing otherwise, since it does not notify
// those who edit labels.
type Mentions string

// The words for it.
const (
	MentionsOn  Mentions = "on"
	MentionsOff Mentions = "off"
)

func (m Mentions) problems() []Problem {
	switch m {
	case "", MentionsOn, MentionsOff:
		return nil
	}
	return []Problem{{[]any{"mentions"}, fmt.Sprintf("%q is neither on nor off", string(m))}}
}
