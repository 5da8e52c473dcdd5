package wording

import (
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/colony-app/colony/advice"
	"github.com/colony-app/colony/statemachine"
)

// DashboardTitle is the title of the issue in which Colony shows the figures of a repository, or of an owner.
const DashboardTitle = "Colony dashboard"

// Dashboard is what such an issue shows.
type Dashboard struct {
	// Web is the address of GitHub's pages.
	Web string
	// Board is the address of Colony's own pages for people who are allowed to read them; empty without such pages.
	Board string
	// Owner is set if it is about all repositories of an owner.
	Owner string
	// Repositories are those it is about, by name.
	Repositories []DashboardRepository
	// Waiting are the issues that wait for a person, those first that have waited the longest, and Left how many more there are.
	Waiting []DashboardIssue
	Left    int
	// Apart are the repositories, by name, that could not be read. Hidden is how many are left out because not everybody who can read the dashboard is
	// allowed to read them. Further is how many are left out because there are too many.
	Apart           []string
	Hidden, Further int
	// Changed is when the figures changed last.
	Changed time.Time
}

// DashboardRepository is how many open issues of a repository are in each state, in the order of the lifecycle. Its JSON is on disks: keys can come,
// but never go or change.
type DashboardRepository struct {
	Name   string           `json:"name"` // owner/name
	States []DashboardState `json:"states"`
	// Waiting is how many of them wait for a person.
	Waiting int `json:"waiting"`
	// Read is how many open issues were read, if there are more.
	Read int `json:"read,omitempty"`
}

// DashboardState is how many open issues are in a state.
type DashboardState struct {
	State string `json:"state"`
	// Labels are those of the repository that mean it.
	Labels []string `json:"labels"`
	Open   int      `json:"open"`
	// AtMost is the capacity of the state; 0 if it has none.
	AtMost int `json:"at_most,omitempty"`
	// Ends says that work ends in the state.
	Ends bool `json:"ends,omitempty"`
}

// DashboardIssue is an issue that waits for a person. Its JSON is on disks.
type DashboardIssue struct {
	Repository string         `json:"repository"` // owner/name
	Number     int            `json:"number"`
	Title      string         `json:"title"`
	State      string         `json:"state"`
	Need       advice.Need    `json:"need"`
	Since      time.Time      `json:"since"`
	Who        []advice.Party `json:"who,omitempty"`
	Typed      string         `json:"typed,omitempty"` // what is recommended; empty if nothing is
	// ToMove is the permission that commands take to move it, as in statemachine.Access.
	ToMove string `json:"to_move,omitempty"`
}

// RenderDashboard renders the text of a dashboard. Unpinned says that it is not known yet whether it is pinned.
//
// Nothing in it notifies anybody, and no issue that it names tells of it: people and teams are shown as code, titles go through Inline, and a
// link to an issue leads through GitHub's own redirector
// (https://docs.github.com/get-started/writing-on-github/working-with-advanced-formatting/autolinked-references-and-urls#avoiding-backlinks-to-linked-references).
// A server of one's own has none; there an issue is named by its number alone.
func RenderDashboard(d Dashboard, unpinned bool) string {
	mark := d.Changed.UTC().Format(time.RFC3339)
	if unpinned {
		mark += " unpinned"
	}
	return render("dashboard", d) + "\n\n<!-- colony:dashboard " + mark + " -->"
}

// RenderDashboardOff renders the text of a dashboard that is switched off.
func RenderDashboardOff() string {
	return render("dashboard_off", nil) + "\n\n<!-- colony:dashboard off -->"
}

// DashboardMark is what the hidden marker of a dashboard says.
type DashboardMark struct {
	// Changed is when the figures changed last.
	Changed time.Time
	// Unpinned says that it is not known yet whether it is pinned, Off that Colony closed it because it is switched off.
	Unpinned, Off bool
}

var dashboardMarker = regexp.MustCompile(`<!-- colony:dashboard (?:(off)|(\S+)( unpinned)?) -->\s*$`)

// MarkOfDashboard returns what the marker of an issue of Colony's says; ok is false if the issue is no dashboard.
func MarkOfDashboard(body string) (mark DashboardMark, ok bool) {
	m := dashboardMarker.FindStringSubmatch(body)
	if m == nil {
		return mark, false
	}
	mark.Off, mark.Unpinned = m[1] != "", m[3] != ""
	mark.Changed, _ = time.Parse(time.RFC3339, m[2]) // an unknown time counts as no time
	return mark, true
}

// States is the page of GitHub's that lists the open issues in a state.
func (d Dashboard) States(of DashboardRepository, s DashboardState) string {
	return d.list(of, "open", s.Labels)
}

// ClosedEarly is the page of GitHub's that lists the issues that were closed before the end of their lifecycle; empty if no state has a label.
func (d Dashboard) ClosedEarly(of DashboardRepository) string {
	var labels []string
	for _, s := range of.States {
		if !s.Ends {
			labels = append(labels, s.Labels...)
		}
	}
	if len(labels) == 0 {
		return ""
	}
	return d.list(of, "closed", labels)
}

func (d Dashboard) list(of DashboardRepository, which string, labels []string) string {
	quoted := make([]string, len(labels))
	for i, label := range labels {
		quoted[i] = `"` + strings.ReplaceAll(label, `"`, "") + `"`
	}
	query := "is:issue is:" + which + " label:" + strings.Join(quoted, ",")
	return d.Web + "/" + of.Name + "/issues?q=" + url.QueryEscape(query)
}

// redirected is the host of the pages that have a redirector, and redirector the address of that.
const (
	redirected = "https://github.com"
	redirector = "https://redirect.github.com"
)

// Named names an issue: with a link, if there is one that leaves no trace at the issue.
func (d Dashboard) Named(i DashboardIssue) string {
	name := "No. " + strconv.Itoa(i.Number)
	if d.Owner != "" {
		_, repo, _ := strings.Cut(i.Repository, "/")
		name = Code(repo) + ", no. " + strconv.Itoa(i.Number)
	}
	if d.Web != redirected {
		return name
	}
	return "[" + name + "](" + redirector + "/" + i.Repository + "/issues/" + strconv.Itoa(i.Number) + ")"
}

// Why says why the issue waits.
func (i DashboardIssue) Why() string {
	why := strings.TrimSuffix(i.Need.Meaning(), ".")
	if rest, is := strings.CutPrefix(why, "It"); is {
		why = "it" + rest
	}
	return why
}

// For names who has to act.
func (i DashboardIssue) For() string {
	names := make([]string, len(i.Who))
	for n, p := range i.Who {
		if names[n] = Party(statemachine.Access{ToMove: i.ToMove}, p); p.Login != "" {
			names[n] = Code(p.Login)
		}
	}
	return strings.Join(names, " or ")
}

// Total is how many issues wait for a person.
func (d Dashboard) Total() int { return len(d.Waiting) + d.Left }

// LeftOut says which repositories are not in it; empty if all are.
func (d Dashboard) LeftOut() string {
	var out []string
	if d.Further > 0 {
		out = append(out, Counted(d.Further, "more repository", "more repositories"))
	}
	if d.Hidden > 0 {
		out = append(out, Counted(d.Hidden, "repository", "repositories")+" that not everybody here may read")
	}
	for _, name := range d.Apart {
		out = append(out, "`"+name+"`, which cannot be read")
	}
	return strings.Join(out, "; ")
}

// Line tells the states of a repository in one line.
func (r DashboardRepository) Line() string {
	var states []string
	for _, s := range r.States {
		if s.Open > 0 {
			states = append(states, strconv.Itoa(s.Open)+" `"+s.State+"`")
		}
	}
	return strings.Join(states, ", ")
}
