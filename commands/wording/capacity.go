package wording

import (
	"fmt"
	"strings"
)

// Capacity is how full a state is, where the repository says how many issues can be there.
type Capacity struct {
	State         string
	There, AtMost int
	// Waiting is how many issues wait for it. Place is which of them the issue is, counted from 1; 0 if it is not among them.
	Waiting, Place int
}

// String tells it in one sentence.
func (c Capacity) String() string {
	line := fmt.Sprintf("%d wait for it", c.Waiting)
	switch {
	case c.Place > 0:
		line = fmt.Sprintf("this issue is %s of %d in line", ordinal(c.Place), c.Waiting)
	case c.Waiting == 0:
		line = "no issue waits for it"
	case c.Waiting == 1:
		line = "1 waits for it"
	}
	return fmt.Sprintf("`%s` holds %d of at most %s; %s.", c.State, c.There, Counted(c.AtMost, "issue", "issues"), line)
}

func capacityText(capacities []Capacity) string {
	sentences := make([]string, len(capacities))
	for i, c := range capacities {
		sentences[i] = c.String()
	}
	return strings.Join(sentences, " ")
}

// Counted is a number of things, with their name for one or for more: "1 issue".
func Counted(n int, one, more string) string {
	if n == 1 {
		more = one
	}
	return fmt.Sprintf("%d %s", n, more)
}

func ordinal(n int) string {
	suffix := "th"
	if tens := n % 100; tens < 11 || tens > 13 {
		switch n % 10 {
		case 1:
			suffix = "st"
		case 2:
			suffix = "nd"
		case 3:
			suffix = "rd"
		}
	}
	return fmt.Sprint(n, suffix)
}
