package issues

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestFilesOfAnAnswer(t *testing.T) {
	t.Parallel()
	const entry, whole = `"folder":{"entries":[{"name":"other","mode":16384,"type":"tree"},{"name":"b","mode":33188,"type":"blob"}]}`, `{"oid":"1a","byteSize":3,"isTruncated":false,"text":"é\n"}`
	file := func(mode, kind, blob string) string {
		return `{"folder":{"entries":[{"name":"b","mode":` + mode + `,"type":"` + kind + `"}]},"f0":null,"f1":` + blob + `}`
	}
	has := map[string]File{"b": {"1a", []byte("é\n")}}
	for name, row := range map[string]struct {
		answer string
		want   Files
		fails  bool
	}{
		"no folder":              {`{"folder":null,"f0":null,"f1":null}`, Files{true, map[string]File{}}, false},
		"a file in its place":    {`{"folder":{},"f0":null,"f1":null}`, Files{true, map[string]File{}}, false},
		"one of the files":       {`{` + entry + `,"f0":null,"f1":` + whole + `}`, Files{true, has}, false},
		"a program":              {file("33261", "blob", whole), Files{true, has}, false},
		"a link":                 {file("40960", "blob", whole), Files{false, map[string]File{}}, false},
		"a folder":               {file("16384", "tree", `{}`), Files{false, map[string]File{}}, false},
		"a submodule":            {file("57344", "commit", `null`), Files{false, map[string]File{}}, false},
		"no text":                {file("33188", "blob", `{"oid":"1a","byteSize":3,"isTruncated":false,"text":null}`), Files{false, map[string]File{}}, false},
		"a part of it":           {file("33188", "blob", `{"oid":"1a","byteSize":3,"isTruncated":true,"text":"é\n"}`), Files{false, map[string]File{}}, false},
		"as many bytes as other": {file("33188", "blob", `{"oid":"1a","byteSize":4,"isTruncated":false,"text":"é\n"}`), Files{false, map[string]File{}}, false},
		"no repository":          {`null`, Files{}, true},
		"no file in the answer":  {`{` + entry + `}`, Files{}, true},
	} {
		got, err := filesIn(json.RawMessage(row.answer), []string{"a", "b"})
		if (err != nil) != row.fails || !cmp.Equal(got, row.want) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

func TestOverviewOfAnAnswer(t *testing.T) {
	t.Parallel()
	colony := &Actors{}
	colony.SetSelf("colony[bot]")
	at := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	issue := func(author, more string) string {
		return `{"issues":{"pageInfo":{"hasNextPage":false},"nodes":[{"number":7,"title":"T","createdAt":"2026-03-02T09:00:00Z","updatedAt":"2026-03-02T09:00:01Z","author":` + author +
			`,"labels":{"pageInfo":{"hasNextPage":` + more + `},"nodes":[{"name":"a"},{"name":"B"}]}}]}}`
	}
	one := []Entry{{Number: 7, Title: "T", Labels: []string{"a", "B"}, Created: at, Updated: at.Add(time.Second)}}
	for name, row := range map[string]struct {
		answer string
		want   Overview
		fails  bool
	}{
		"one by a person":                    {issue(`{"__typename":"User","login":"ada"}`, "false"), Overview{one, true}, false},
		"one by someone who is gone":         {issue(`null`, "false"), Overview{one, true}, false},
		"one by a person with Colony's name": {issue(`{"__typename":"User","login":"colony"}`, "false"), Overview{one, true}, false},
		"one by Colony":                      {issue(`{"__typename":"Bot","login":"colony"}`, "false"), Overview{one, false}, false},
		"one with more labels":               {issue(`null`, "true"), Overview{one, false}, false},
		"more of them":                       {`{"issues":{"pageInfo":{"hasNextPage":true},"nodes":[]}}`, Overview{nil, false}, false},
		"none":                               {`{"issues":{"pageInfo":{"hasNextPage":false},"nodes":[]}}`, Overview{nil, true}, false},
		"no repository":                      {`null`, Overview{}, true},
		"no list":                            {`{"issues":null}`, Overview{}, true},
	} {
		got, err := lists{connection{actors: colony}}.overviewOf(json.RawMessage(row.answer))
		if (err != nil) != row.fails || !row.fails && !cmp.Equal(got, row.want) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}
