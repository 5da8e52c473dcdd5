package wording

import "testing"

func TestCapacity(t *testing.T) {
	for want, c := range map[string]Capacity{
		"`doing` holds 3 of at most 3 issues; this issue is 2nd of 5 in line.":    {"doing", 3, 3, 5, 2},
		"`doing` holds 0 of at most 1 issue; this issue is 1st of 1 in line.":     {"doing", 0, 1, 1, 1},
		"`doing` holds 4 of at most 2 issues; no issue waits for it.":             {"doing", 4, 2, 0, 0},
		"`doing` holds 1 of at most 2 issues; 1 waits for it.":                    {"doing", 1, 2, 1, 0},
		"`doing` holds 2 of at most 2 issues; 7 wait for it.":                     {"doing", 2, 2, 7, 0},
		"`doing` holds 2 of at most 2 issues; this issue is 11th of 122 in line.": {"doing", 2, 2, 122, 11},
		"`doing` holds 2 of at most 2 issues; this issue is 23rd of 122 in line.": {"doing", 2, 2, 122, 23},
		"`doing` holds 2 of at most 2 issues; this issue is 112th of 122 in line.": {
			"doing", 2, 2, 122, 112,
		},
	} {
		if got := c.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
