// Package statemachine decides what becomes of an issue: the fold over GitHub's label events under a lifecycle, and the decision what to
// do about what it finds.
//
// It does no I/O, knows no type of GitHub and no clock but the time passed in. Everything in it is a function
// of its arguments, so two replicas that reconcile the same issue decide the same.
package statemachine
