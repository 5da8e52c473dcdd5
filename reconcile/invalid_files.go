package reconcile

import (
	"context"
	"fmt"
	"slices"

	"github.com/colony-app/colony/commands/wording"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/policy"
)

// ReportInvalidFiles says on the commit that broke a file of a repository what is wrong with it, once, unless nothing is written there. That GitHub
// takes no comment there is not an error: the log and colony doctor tell as well.
func (r *Reconciler) ReportInvalidFiles(ctx context.Context, repo issues.Repository, found policy.Effective) error {
	if !found.AddressedAt() {
		return nil
	}
	ctx = issues.Exempt(ctx)
	for _, b := range found.InvalidFiles {
		key := fmt.Sprintf("%d/%s/%d", repo.ID, b.Commit, b.ID())
		if b.Commit == "" || r.reported.Contains(key) {
			continue
		}
		same := func(comment string) bool { return slices.Contains(wording.Markers(comment)[wording.Breaks], b.ID()) }
		err := r.Store.CommentOnCommit(ctx, repo, b.Commit, wording.RenderInvalidFile(b.InvalidFile, b.ID()), same)
		switch {
		case issues.IsGone(err), err != nil && !issues.IsPermanent(err):
			return err
		case err != nil:
			r.Log.Warn().Err(err).Str("repo", repo.String()).Msg("GitHub does not take a comment on a commit here")
		default:
			r.Log.Info().Str("repo", repo.String()).Str("commit", b.Commit).Str("file", b.Path).Msg("a broken file is reported")
		}
		r.reported.Add(key, struct{}{})
	}
	return nil
}

// reportedKept bounds the memory of what was reported to a megabyte or so. The truth is in Colony's comments; this only saves reading them, and
// forgetting is harmless.
const reportedKept = 10_000
