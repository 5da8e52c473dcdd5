package wording

import (
	"regexp"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/colony-app/colony/advice"
	"github.com/colony-app/colony/lifecycle"
)

// dashboardLink is where links of dashboards lead: to an issue by the redirector, to a list, or to the board.
var dashboardLink = regexp.MustCompile(`^dashboard\S* https://(redirect\.github\.com/acme/widgets/issues/\d+|github\.(com|example\.com)/acme/widgets/issues\?q=\S+|colony\.example\.com/board/acme/widgets)$`)

// dashboard is the dashboard of a repository in which issues with a title wait.
func dashboard(web, title string) Dashboard {
	waiting := DashboardIssue{
		Repository: "acme/widgets", Number: 12, Title: title, State: "needs-clarification", Need: advice.NeedsAnswer, Since: noon,
		Who: []advice.Party{{Kind: lifecycle.Author, Login: "ada"}, {Kind: lifecycle.Operator}}, Typed: "/colony:move planning",
	}
	paused := DashboardIssue{
		Repository: "acme/widgets", Number: 9, State: "paused", Need: advice.NeedsResuming, Since: noon.Add(time.Hour),
		Who: []advice.Party{{Kind: lifecycle.Operator}}, ToMove: "write",
	}
	return Dashboard{
		Web: web, Waiting: []DashboardIssue{waiting, paused}, Left: 3, Changed: noon,
		Repositories: []DashboardRepository{{Name: "acme/widgets", Waiting: 5, Read: 2000, States: []DashboardState{
			{State: "new", Labels: []string{"colony:new"}, Open: 40},
			{State: "in-development", Labels: []string{"colony:in-development", "WIP"}, Open: 2, AtMost: 3},
			{State: "needs-clarification", Labels: []string{"colony:needs-clarification"}, Open: 4},
		}}},
	}
}

func ownersDashboard() Dashboard {
	d := dashboard("https://github.com", "A widget that works")
	d.Owner, d.Left = "acme", 0
	d.Repositories = append(d.Repositories, DashboardRepository{Name: "acme/gadgets", States: []DashboardState{{State: "done", Open: 1}}})
	d.Apart, d.Hidden, d.Further = []string{"acme/vault"}, 2, 3
	return d
}

func TestTheMarkOfADashboardIsReadAgain(t *testing.T) {
	for text, want := range map[string]DashboardMark{
		RenderDashboard(dashboard("https://github.com", ""), false): {Changed: noon},
		RenderDashboard(dashboard("https://github.com", ""), true):  {Changed: noon, Unpinned: true},
		RenderDashboardOff(): {Off: true},
	} {
		if got, ok := MarkOfDashboard(text); !ok || !cmp.Equal(got, want) {
			t.Errorf("%+v, %t of %s", got, ok, text)
		}
	}
	if _, ok := MarkOfDashboard("Colony keeps these figures up to date. <!-- colony:dashboard off --> And more"); ok {
		t.Error("a text that only names the marker is a dashboard")
	}
	titled := RenderDashboard(dashboard("https://github.com", "<!-- colony:dashboard off -->"), false)
	if mark, _ := MarkOfDashboard(titled); mark.Off {
		t.Error("a title switches the dashboard off")
	}
}
