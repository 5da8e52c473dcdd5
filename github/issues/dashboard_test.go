package issues

import (
	"testing"
)

// Dashboards are issues that Colony opened with its marker.
func TestDashboards(t *testing.T) {
	const own = `{"number":5,"node_id":"I5","state":"closed","user":{"login":"colony[bot]"},"body":"<!-- colony:dashboard x -->"}`
	const ask = "> GET repos/acme/widgets/issues/5\n"
	const search = "> GET repos/acme/widgets/issues?creator=colony[bot]&direction=asc&page=1&per_page=100&sort=created&state=all\n"
	ref := Ref{widgets, 5}
	dashboard := Dashboard{Ref: ref, NodeID: "I5", Body: "<!-- colony:dashboard x -->", Closed: true}
	type read struct {
		D  Dashboard
		OK bool
	}
	get := func(s *Store) (any, error) {
		d, ok, err := s.Dashboard(t.Context(), ref)
		return read{d, ok}, err
	}
	list := func(s *Store) (any, error) { return s.Dashboards(t.Context(), widgets) }
	write := func(was, closed bool) func(s *Store) (any, error) {
		return func(s *Store) (any, error) {
			return nil, s.WriteDashboard(t.Context(), Dashboard{Ref: ref, Closed: was}, "new", closed)
		}
	}
	pin := func(pinned bool) func(s *Store) (any, error) {
		return func(s *Store) (any, error) {
			refused, err := s.PinDashboard(t.Context(), dashboard, pinned)
			return refused != nil, err
		}
	}
	open := func(s *Store) (any, error) { return s.OpenDashboard(t.Context(), widgets, "text") }
	const patch = "> PATCH repos/acme/widgets/issues/5 "
	const pins = `> POST graphql {"query":"pinIssue","variables":{"id":"I5"}}` + "\n"
	exchanges(t, map[string]exchange{
		"read":         {ask + "< 200 " + own, get, read{dashboard, true}, ""},
		"somebody's":   {ask + `< 200 {"number":5,"user":{"login":"ada"},"body":"<!-- colony:dashboard x -->"}`, get, read{Dashboard{Ref: ref, Body: "<!-- colony:dashboard x -->"}, false}, ""},
		"no marker":    {ask + `< 200 {"number":5,"user":{"login":"colony[bot]"},"body":"x"}`, get, read{Dashboard{Ref: ref, Body: "x"}, false}, ""},
		"gone":         {ask + "< 404 {}", get, read{}, ""},
		"unreadable":   {ask + "< 502", get, read{}, "read issue acme/widgets#5"},
		"listed":       {search + `< 200 [{"number":9,"user":{"login":"colony[bot]"},"body":"<!-- colony:dashboard x -->"},` + own + `,{"number":6,"user":{"login":"colony[bot]"}},{"number":7,"pull_request":{},"user":{"login":"colony[bot]"},"body":"<!-- colony:dashboard x -->"}]`, list, []Dashboard{dashboard, {Ref: Ref{widgets, 9}, Body: "<!-- colony:dashboard x -->"}}, ""},
		"not listed":   {search + "< 404 {}", list, []Dashboard(nil), "look for the dashboard of acme/widgets: the issue is gone"},
		"opened":       {`> POST repos/acme/widgets/issues {"body":"text","title":"Colony dashboard"}` + "\n< 201 " + own, open, dashboard, ""},
		"not opened":   {`> POST repos/acme/widgets/issues {"body":"text","title":"Colony dashboard"}` + "\n< 410 {}", open, Dashboard{}, "open the dashboard of acme/widgets: the issue is gone"},
		"written":      {patch + `{"body":"new"}` + "\n< 200 {}", write(false, false), nil, ""},
		"left closed":  {patch + `{"body":"new"}` + "\n< 200 {}", write(true, true), nil, ""},
		"closed":       {patch + `{"body":"new","state":"closed","state_reason":"not_planned"}` + "\n< 200 {}", write(false, true), nil, ""},
		"opened again": {patch + `{"body":"new","state":"open"}` + "\n< 404 {}", write(true, false), nil, "update the dashboard acme/widgets#5: the issue is gone"},
		"pinned":       {pins + "< 200 {}", pin(true), false, ""},
		"unpinned":     {`> POST graphql {"query":"unpinIssue","variables":{"id":"I5"}}` + "\n< 200 {}", pin(false), false, ""},
		"too many":     {pins + `< 200 {"errors":[{"type":"UNPROCESSABLE","message":"maximum 3 pinned issues"}]}`, pin(true), true, ""},
		"no GraphQL":   {pins + "< 404", pin(true), true, ""},
		"forbidden":    {pins + "< 403", pin(true), true, ""},
		"not now":      {pins + "< 502", pin(true), false, "ask GraphQL"},
	})
}
