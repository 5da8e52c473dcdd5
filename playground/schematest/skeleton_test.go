package schematest

import "testing"

func TestSkeleton(t *testing.T) {
	for text, want := range map[string]string{
		``:                                ``,
		`{}`:                              `{}`,
		`{"a":"b","c":-1.5e+3}`:           `{"a:s,"c:0}`,
		`{"a\"b":null,"c":[true,false]}`:  `{"a\"b:null,"c:[true,false]}`,
		`[1,2,3]`:                         `[0]`,
		`[1,2,"x",3,4]`:                   `[0,s,0]`,
		`[{"a":[1,2]},{"a":[3]},{"a":4}]`: `[{"a:[0]},{"a:0}]`,
		`[[],[],[1],[{"b":"c, ]"}]]`:      `[[],[0],[{"b:s}]]`,
		`[]`:                              `[]`,
	} {
		if got := skeleton([]byte(text)); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}
