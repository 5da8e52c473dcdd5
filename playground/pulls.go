package playground

import "time"

// pull is what makes an issue a pull request.
type pull struct {
	head, base string // branches
	headSHA    string
	baseSHA    string
	mergeSHA   string
	draft      bool
	merged     bool
	mergedAt   time.Time
	mergedBy   *account
}

func (p *Playground) pullPayload(i *issue) object { return p.issuePayload(i) }
