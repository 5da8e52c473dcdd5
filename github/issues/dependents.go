package issues

import (
	"context"
	"slices"

	"github.com/colony-app/colony/commands"
)

// Dependents lists the issues that might have to be reconciled after an issue was closed, opened again or deleted. They are the issues that GitHub
// says it blocks, its parent, and issues that mention it and depend on it by their text. Issues that mention it and carry a label which passes a test
// count too: a command that names the issue leaves a mention too, and does not show which words it was among. Each has its repository, without an id
// where it is another one.
func (s relatives) Dependents(ctx context.Context, ref Ref, watched func(label string) bool) ([]Ref, error) {
	client := s.client(ref.Repository)
	var found []Ref
	add := func(i *related) {
		owner, name, ok := repositoryOf(i)
		if !ok || i.isPullRequest() || i.State != "open" {
			return
		}
		to := Ref{Repository: Repository{Installation: ref.Installation, Owner: owner, Name: name}, Number: i.Number}
		if sameRepository(i, ref.Repository) {
			to.Repository = ref.Repository
		}
		if !slices.Contains(found, to) && len(found) < dependenciesRead {
			found = append(found, to)
		}
	}
	blocking, err := relations(ctx, client, ref, "dependencies/blocking")
	if err != nil {
		return nil, err
	}
	for _, b := range blocking {
		add(&b)
	}
	above, err := parent(ctx, client, ref)
	if err != nil {
		return nil, err
	}
	if above != nil {
		add(above)
	}
	self := commands.Reference{Owner: ref.Owner, Name: ref.Name, Number: ref.Number}
	err = mentions(ctx, client, ref, func(source *related) {
		if source.dependsOn(self) || slices.ContainsFunc(source.Labels, func(l label) bool { return watched(l.Name) }) {
			add(source)
		}
	})
	if IsGone(err) { // deleted, or moved to where its new number is
		err = nil
	}
	return found, err
}

func (i *related) dependsOn(other commands.Reference) bool {
	owner, name, ok := repositoryOf(i)
	return ok && slices.ContainsFunc(commands.DependsOn(i.Body), func(d commands.Reference) bool { return d.In(owner, name).Same(other) })
}
