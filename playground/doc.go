// Package playground is an embedded GitHub: the part of it that a GitHub App for issues touches, in memory, behind real HTTP.
//
// It answers the REST API at the root of its address (as api.github.com does) and under /api/v3 (as GitHub
// Enterprise Server does), checks App JWTs and tokens, enforces permissions and rate limits, and sends signed
// webhooks for every write. What it does not implement it refuses with 501 and counts (Playground.Unimplemented);
// Routes lists what it does.
//
// It is a test double as well: deliveries can be held, dropped, doubled and reordered, and calls can fail, stall,
// be cut or hit a rate limit. Every such control is a method of Playground and an HTTP call under /playground/
// (Controls lists them).
//
// # Where GitHub is odd, and so is the playground
//
//   - Labels given when an issue is created need push access, not triage, and are dropped silently without it, except those of an issue form
//     (hub4j/github-api#836). An issue created with labels brings issues.opened, and issues.labeled for each.
//   - A label that is renamed keeps its old name in the log of every issue (tiangolo/issue-manager#9).
//   - A label that is deleted leaves every issue with an issues.unlabeled that has no label (octokit/webhooks#639). The logs say nothing of it: that
//     no event is kept there is an assumption, no one has published the contrary.
//   - Times are whole seconds; within a second, only the ids show the order.
//   - The permission endpoint knows no bots: 404 "x is not a user" (github/gh-aw#18556).
//   - An address from before a renaming or a transfer is answered 301 for reads and 307 for writes; a deleted issue, or one that became a
//     discussion, 410.
//   - In a locked conversation, people without write access and all Apps get 403 for comments and reactions. Apps can still label.
//   - Who was deleted is the user "ghost" as an author and null as the actor of an event, although the published
//     description of the events of one issue requires an actor.
//   - Reactions send no webhooks. Whether a swap of labels shows first as labeled or as unlabeled is not defined
//     (Playground.SwapLabelsAddingFirst).
//   - A push opens a suite for every App that can write checks. After a push, a review keeps its old commit_id.
//   - The timeline leaves out mentions in repositories that the reader cannot see. Dependencies can form a circle.
//   - Answers can be reused for 60 seconds (Cache-Control) even after a write: a client has to validate always. An ETag is for one token and
//     one page. A full last page stays "not modified" when another follows. A 304 has no Link.
package playground
