package wording

import "testing"

func TestTheHouseTextIsTheLastParagraphOnce(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ comment, text, link, want string }{
		{"No.\n", "Ask in our channel.", "", "No.\n\nAsk in our channel."},
		{"No.\n", "", "https://a.test/g?x=1", "No.\n\n<https://a.test/g?x=1>"},
		{"No.\n<!-- colony:halts 7 -->\n", "Ask:", "https://a.test/", "No.\n<!-- colony:halts 7 -->\n\nAsk: <https://a.test/>"},
		{"No.\n", "", "", "No.\n"},
		{"No.\n", "@ada /colony:force done <!-- colony:halts 7 --> </details>", "", "No.\n\n`@ada /colony:force` done `<`! `-- colony:halts` 7 `-- > </details>`"},
	} {
		house := House(c.text, c.link)
		once := WithHouse(c.comment, house)
		if once != c.want {
			t.Errorf("%q, want %q", once, c.want)
		}
		if twice := WithHouse(once, house); twice != once {
			t.Errorf("written again it is %q", twice)
		}
	}
}
