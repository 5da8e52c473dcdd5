package issues

import (
	"strings"
	"testing"

	"github.com/jonboulle/clockwork"

	"github.com/colony-app/colony/lifecycle"
)

// Several labels that are missing are made with one call; what that does not confirm is made one by one.
func TestManyLabelsAreMadeAtOnce(t *testing.T) {
	const (
		asksID   = `> POST graphql {"query":"repositoryID","variables":{"name":"widgets","owner":"acme"}}` + "\n"
		isID     = `< 200 {"data":{"repository":{"id":"R_7"}}}` + "\n"
		makes    = `> POST graphql {"query":"createLabel","variables":{"c0":"0e8a16","c1":"5319e7","c2":"ffffff","d0":"Not begun","d1":"Ready","d2":"","n0":"colony:new","n1":"colony:done","n2":"colony:late","r":"R_7"}}` + "\n"
		late     = `> POST repos/acme/widgets/labels {"color":"ffffff","description":"","name":"colony:late"}` + "\n"
		oneByOne = makesNew + "< 201 {}\n" + makesDone + "< 201 {}\n" + late + "< 201 {}"
	)
	table := twoStates()
	table.Marks = append(table.Marks, lifecycle.Mark{Label: "colony:late", Color: "ffffff"})
	for name, row := range map[string]struct{ script, wrong string }{
		"all":     {asksID + isID + makes + `< 200 {"data":{"l0":{},"l1":{"clientMutationId":null},"l2":{}}}`, ""},
		"but one": {asksID + isID + makes + `< 200 {"data":{"l0":{},"l1":null,"l2":{}},"errors":[{"type":"UNPROCESSABLE","path":["l1"]}]}` + "\n" + makesDone + `< 422 {"errors":[{"resource":"Label","code":"already_exists"}]}`, ""},
		"but one, which is refused": {
			asksID + isID + makes + `< 200 {"data":{"l0":{},"l1":{},"l2":null},"errors":[{"type":"UNPROCESSABLE","path":["l2"]}]}` + "\n" + late + "< 403 {}",
			"create label colony:late in acme/widgets",
		},
		"none":               {asksID + isID + makes + "< 200 {}\n" + oneByOne, ""},
		"no such mutation":   {asksID + isID + makes + `< 200 {"errors":[{"extensions":{"code":"undefinedField"}}]}` + "\n" + oneByOne, ""},
		"without GraphQL":    {asksID + "< 404\n" + oneByOne, ""},
		"it may not":         {asksID + isID + makes + `< 200 {"data":{"l0":null,"l1":null,"l2":null},"errors":[{"type":"FORBIDDEN"}]}` + "\n" + oneByOne, ""},
		"the answer is lost": {asksID + isID + makes + "< 502\n" + strings.Replace(oneByOne, "< 201 {}", `< 422 {"errors":[{"resource":"Label","code":"already_exists"}]}`, 1), ""},
	} {
		t.Run(name, func(t *testing.T) {
			holds(t, readLabels+"< 200 ["+stamped+"]\n"+row.script, func(s *Store, clock *clockwork.FakeClock) {
				l := NewLabelProvisioner(s, clock)
				says(t, any(nil), nil, l.Provision(t.Context(), widgets, table, false), row.wrong)
				left := 0
				if row.wrong != "" {
					left = 1
				}
				says(t, left, len(l.repo(widgets).amiss), nil, "")
			})
		})
	}
}
