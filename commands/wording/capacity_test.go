package wording

import "testing"

func TestCapacity(t *testing.T) {
	for want, c := range map[string]Capacity{
		"Of at most 3 issues, 3 are in `doing`; this issue is 2nd of 5 in line.":    {"doing", 3, 3, 5, 2},
		"Of at most 1 issue, 0 are in `doing`; this issue is 1st of 1 in line.":     {"doing", 0, 1, 1, 1},
		"Of at most 2 issues, 4 are in `doing`; none waits for it.":                 {"doing", 4, 2, 0, 0},
		"Of at most 2 issues, 1 is in `doing`; 1 waits for it.":                     {"doing", 1, 2, 1, 0},
		"Of at most 2 issues, 2 are in `doing`; 7 wait for it.":                     {"doing", 2, 2, 7, 0},
		"Of at most 2 issues, 2 are in `doing`; this issue is 11th of 122 in line.": {"doing", 2, 2, 122, 11},
		"Of at most 2 issues, 2 are in `doing`; this issue is 23rd of 122 in line.": {"doing", 2, 2, 122, 23},
		"Of at most 2 issues, 2 are in `doing`; this issue is 112th of 122 in line.": {
			"doing", 2, 2, 122, 112,
		},
	} {
		if got := c.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
