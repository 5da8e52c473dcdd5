package blackbox_test

import (
	"slices"
	"strings"
)

var installationScenarios = []scenario{
	{"the labels are there as soon as Colony is installed", []capability{installing}, labelsAtInstallation},
	{"the labels say what they mean", nil, labelsExplainThemselves},
	{"Colony's moves carry its name", nil, movesCarryName},
}

func labelsAtInstallation(w *world) {
	colonys := slices.DeleteFunc(slices.Clone(w.atInstallation), func(l string) bool { return !strings.HasPrefix(l, "colony:") })
	if len(colonys) != 17 { // 15 states have a label, and there are two marks
		w.t.Errorf("%d labels were made: %v", len(colonys), colonys)
	}
}

func labelsExplainThemselves(w *world) {
	label, _, err := w.as(operator).Issues.GetLabel(ctx, w.owner, w.repo, "colony:new")
	w.must(err)
	if label.GetColor() != "c5def5" || !strings.Contains(label.GetDescription(), "/colony:move") {
		w.t.Errorf("the label is %s %q", label.GetColor(), label.GetDescription())
	}
}

func movesCarryName(w *world) {
	i := w.in("new")
	i.colonyReacts(i.commentAndWait(operator, "/colony:move analyzing"), "+1")
	i.has("colony:analyzing")
	named := w.sees(viaApp)
	own := 0
	for _, e := range i.labelEvents() {
		if e.GetActor().GetLogin() != w.colonyLogin() {
			continue
		}
		own++
		if named && e.GetPerformedViaGithubApp().GetID() != w.app.id {
			w.t.Errorf("%s %s was done through the App %d", e.GetEvent(), e.GetLabel().GetName(), e.GetPerformedViaGithubApp().GetID())
		}
	}
	if own != 2 {
		w.t.Errorf("Colony moved the issue with %d label events, not with one added and one removed", own)
	}
}

// commentAndWait writes a comment and waits until Colony has dealt with it.
func (i *issue) commentAndWait(by part, lines ...string) int64 {
	i.t.Helper()
	id := i.comment(by, lines...)
	i.quiet()
	return id
}
