package advice

import "testing"

func TestNearestLabel(t *testing.T) {
	life := colony(t)
	for label, want := range map[string]string{
		"colony:in-reveiw": "colony:in-review", "Colony:In-Reveiw": "colony:in-review", "colony:doen": "colony:done",
		"in-reveiw": "", "colony:completely-else": "", "colony:": "", "colony:unlabelled": "",
	} {
		if got := NearestLabel(life, label); got != want {
			t.Errorf("%s: %q, want %q", label, got, want)
		}
	}
}
