package lifecycle

import "testing"

func TestNumbersThatDoNotFitALimit(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		life, name string
		number     int
		want       string
	}{
		{"autoralph", "fix attempts", 1, ""},
		{"prp", "retries", 1000, ""},
		{"prp", "retries", 1001, "1001 is not from 1 to 1000"},
		{"prp", "retries", 0, "0 is not from 1 to 1000"},
		{"prp", "naps", 1, `lifecycle prp has no limit "naps"; there are: "retries"`},
		{"colibri", "attempts", 1, `lifecycle colibri only counts "attempts", and does not limit it`},
		{"colibri", "naps", 1, `lifecycle colibri has no limit "naps"; there are: none`},
	} {
		if got := shipped(t, row.life).LimitMisfit(row.name, row.number); got != row.want {
			t.Errorf("%s, %s: %d is refused with %q, want %q", row.life, row.name, row.number, got, row.want)
		}
	}
}
