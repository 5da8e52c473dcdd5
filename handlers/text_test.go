package handlers

import (
	"encoding/json"
	"strings"
	"testing"
)

// Whether a text may hold a command does not depend on how JSON writes it.
func TestTextsThatMayCommand(t *testing.T) {
	for quoted, want := range map[string]bool{
		`null`: false, `""`: false, `"/"`: false, `"/colon"`: false, `"//colony"`: true, `"/colony"`: true, `"a\r\n/Colony:HELP"`: true, `"` + strings.Repeat(`\/`, 20) + `colony"`: true,
		`"\/colony"`: true, `"\u002fcolony"`: true, `"/\u0063olony"`: true, `"\\/colony"`: true, `"\\u002fcolony"`: false, `"colony"`: false,
		"\"\xff/colony\xff\"": true, `"\ud800/colony"`: true, `"\ud83d/colony\ude00\u0063"`: true, `"/co\nlony"`: false, `"/colony` + strings.Repeat("x", 70_000) + `"`: true,
	} {
		var plain string
		if err := json.Unmarshal([]byte(quoted), &plain); err != nil {
			t.Fatal(err)
		}
		if asDecoded := strings.Contains(strings.ToLower(plain), "/colony"); asDecoded != want {
			t.Fatalf("%.50s: the test wants %t", quoted, want)
		}
		var got text
		if err := json.Unmarshal([]byte(quoted), &got); err != nil || got.mayCommand != want {
			t.Errorf("%.50s: %t, %v", quoted, got.mayCommand, err)
		}
	}
	for _, quoted := range []string{`1`, `true`, `{}`, `["/colony"]`} {
		if err := json.Unmarshal([]byte(quoted), new(text)); err == nil {
			t.Errorf("%s passes for a text", quoted)
		}
	}
}
