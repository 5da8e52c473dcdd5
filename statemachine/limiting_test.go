package statemachine

import "testing"

func TestLimitsCanHaveOtherNumbers(t *testing.T) {
	t.Parallel()
	life := shipped(t, "autoralph")
	five := life.Limiting(map[string]int{"fix attempts": 5, "naps": 2})
	if got := five.Limits[0].AtMost; got != 5 || life.Limits[0].AtMost != 3 {
		t.Errorf("at most %d, and the lifecycle itself %d", got, life.Limits[0].AtMost)
	}
	if five.Fingerprint() == life.Fingerprint() {
		t.Error("another number judges in another way")
	}
	if again := five.Limiting(nil); again.Fingerprint() != life.Fingerprint() {
		t.Error("without numbers those of the file hold again")
	}
	if zero := life.Limiting(map[string]int{"fix attempts": 0}); zero.Limits[0].AtMost != 3 {
		t.Errorf("at most %d", zero.Limits[0].AtMost)
	}
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
