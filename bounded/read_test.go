package bounded_test

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/colony-app/colony/bounded"
)

// endless never ends, and counts what is read of it.
type endless struct{ read int64 }

func (e *endless) Read(into []byte) (int, error) {
	e.read += int64(len(into))
	return len(into), nil
}

func (*endless) Close() error { return nil }

func tooLarge(t *testing.T, err error, name string) {
	t.Helper()
	is, ok := errors.AsType[*bounded.TooLargeError](err)
	if !ok || is.Name != name || !strings.HasPrefix(is.Error(), name+" has more than ") {
		t.Errorf("%v\nmust say that %s is too large", err, name)
	}
}

func TestReadTakesTheMostAndNoByteMore(t *testing.T) {
	t.Parallel()
	const most = 1000
	for _, size := range []int{0, 1, most - 1, most} {
		want := bytes.Repeat([]byte("x"), size)
		for name, from := range map[string]io.Reader{
			"whole": bytes.NewReader(want), "bytes": iotest.OneByteReader(bytes.NewReader(want)), "with its end": iotest.DataErrReader(bytes.NewReader(want)),
		} {
			if got, err := bounded.Read(from, "x", most); err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s: %d of %d bytes, %v", name, len(got), size, err)
			}
		}
	}
	for name, from := range map[string]io.Reader{
		"whole": strings.NewReader(strings.Repeat("x", most+1)), "bytes": iotest.OneByteReader(strings.NewReader(strings.Repeat("x", most+1))),
		"with its end": iotest.DataErrReader(strings.NewReader(strings.Repeat("x", most+1))),
	} {
		text, err := bounded.Read(from, name, most)
		tooLarge(t, err, name)
		if len(text) != most {
			t.Errorf("%s: %d bytes", name, len(text))
		}
	}
}

func TestReadEndsWithWhatIsEndless(t *testing.T) {
	t.Parallel()
	for _, most := range []int64{0, 1, 511, 512, 64 << 10} {
		from := &endless{}
		_, err := bounded.Read(from, "it", most)
		tooLarge(t, err, "it")
		if from.read > most+1 {
			t.Errorf("%d bytes were read of %d", from.read, most)
		}
	}
}

func TestReadPassesOnAFailure(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	if text, err := bounded.Read(io.MultiReader(strings.NewReader("x"), iotest.ErrReader(broken)), "it", 9); !errors.Is(err, broken) || string(text) != "x" {
		t.Errorf("%q, %v", text, err)
	}
}

func TestFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "x")
	if err := os.WriteFile(path, []byte("12345"), 0o600); err != nil {
		t.Fatal(err)
	}
	if text, err := bounded.File(path, 5); err != nil || string(text) != "12345" {
		t.Errorf("%q, %v", text, err)
	}
	_, err := bounded.File(path, 4)
	tooLarge(t, err, filepath.ToSlash(path))
	if _, err := bounded.File(path+"-", 5); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	if _, err := os.Stat("/dev/zero"); err == nil {
		_, err := bounded.File("/dev/zero", 64<<10)
		tooLarge(t, err, "/dev/zero")
	}
}

// transport answers with a body.
type transport struct{ body io.ReadCloser }

func (g transport) RoundTrip(*http.Request) (*http.Response, error) {
	if g.body == nil {
		return nil, http.ErrHandlerTimeout
	}
	return &http.Response{StatusCode: http.StatusOK, Body: g.body}, nil
}

func TestAnswersAreBounded(t *testing.T) {
	t.Parallel()
	request := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "http://github.test/x", http.NoBody)
	body := &endless{}
	response, err := bounded.Answers(transport{body}, 100).RoundTrip(request)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(response.Body)
	tooLarge(t, err, "the answer of github.test")
	if len(text) != 100 || body.read != 101 {
		t.Errorf("%d bytes of %d", len(text), body.read)
	}
	if _, err := response.Body.Read(make([]byte, 1)); err == nil || body.read != 101 {
		t.Errorf("reading goes on: %v, %d bytes", err, body.read)
	}
	if err := response.Body.Close(); err != nil {
		t.Error(err)
	}
	if _, err := bounded.Answers(transport{}, 100).RoundTrip(request); !errors.Is(err, http.ErrHandlerTimeout) {
		t.Error(err)
	}
}
