package app

import "testing"

// GitHub's "not modified" must not bring back an answer that failed.
func TestFailuresAreNotKept(t *testing.T) {
	t.Parallel()
	c := newAnswerCache()
	for _, answer := range []string{"HTTP/1.1 200 OK\r\n\r\n[]", "HTTP/2.0 200 OK\r\n\r\n[]"} {
		c.Set("list", []byte(answer))
		if kept, there := c.Get("list"); !there || string(kept) != answer {
			t.Errorf("%q is not kept", answer)
		}
	}
	for _, answer := range []string{"HTTP/1.1 500 Internal Server Error\r\n\r\n", "HTTP/2.0 404 Not Found\r\n\r\n{}", "HTTP/1.1 304 Not Modified\r\n\r\n"} {
		c.Set("list", []byte(answer))
		if kept, there := c.Get("list"); there {
			t.Errorf("%q is kept", kept)
		}
	}
}
