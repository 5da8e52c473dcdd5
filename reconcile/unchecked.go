package reconcile

import (
	"context"
	"errors"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/github/ratelimit"
)

// uncheckedError says that commands wait for something that GitHub does not tell now.
type uncheckedError struct {
	error
	comments []int64 // those with the commands
	what     string
}

func (e *uncheckedError) Unwrap() error { return e.error }

// showEyes puts 👀 on comments whose commands wait for something that cannot be found out now: those who wrote them see that they were not
// overlooked.
func (rc *reconciliation) showEyes(ctx context.Context, err error) {
	var unchecked *uncheckedError
	if limited := (*ratelimit.Error)(nil); !errors.As(err, &unchecked) || errors.As(err, &limited) {
		return // a reaction would be refused as well, and the request comes again anyway
	}
	for _, id := range unchecked.comments {
		if err := rc.write(ctx, []issues.Write{eyes(id)}); err != nil {
			rc.log.Warn().Err(err).Msg("say that it could not be checked " + unchecked.what)
		}
	}
}

func eyes(commentID int64) issues.Write {
	return issues.Write{Reaction: &issues.Reaction{CommentID: commentID, Content: issues.Eyes}}
}
