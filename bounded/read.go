package bounded

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
)

// TooLargeError says that an input has more bytes than Colony reads of its kind. Who returns it to a person adds the next step.
type TooLargeError struct {
	Name string // of the input
	Most int64  // bytes
}

func (e *TooLargeError) Error() string {
	return fmt.Sprintf("%s has more than %d bytes, the most that Colony reads of it", e.Name, e.Most)
}

// Read reads an input to its end. It fails with a *TooLargeError after one byte more than the most.
func Read(from io.Reader, name string, most int64) ([]byte, error) {
	return io.ReadAll(&reader{from: from, left: most, tooLarge: TooLargeError{name, most}}) //nolint:wrapcheck // the caller names the attempt
}

// File is Read of a file. A file that never ends, such as a device or a pipe, fails as a large one does.
func File(path string, most int64) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err //nolint:wrapcheck // names the file
	}
	defer file.Close()
	return Read(file, filepath.ToSlash(path), most)
}

// Answers bounds the body of each answer of a transport: reading further fails with a *TooLargeError.
func Answers(next http.RoundTripper, most int64) http.RoundTripper { return answers{next, most} }

type answers struct {
	next http.RoundTripper
	most int64
}

func (a answers) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := a.next.RoundTrip(request)
	if err != nil {
		return nil, err //nolint:wrapcheck // a round tripper returns what it got
	}
	response.Body = struct {
		io.Reader
		io.Closer
	}{&reader{from: response.Body, left: a.most, tooLarge: TooLargeError{"the answer of " + request.URL.Host, a.most}}, response.Body}
	return response, nil
}

// reader passes on the most that an input can have, and takes one byte more to see whether that is its end.
type reader struct {
	from     io.Reader
	left     int64 // below 0: the input is too large
	tooLarge TooLargeError
}

func (r *reader) Read(into []byte) (int, error) {
	if r.left < 0 {
		return 0, &r.tooLarge
	}
	if int64(len(into)) > r.left+1 {
		into = into[:r.left+1]
	}
	n, err := r.from.Read(into)
	if r.left -= int64(n); r.left < 0 {
		return n - 1, &r.tooLarge
	}
	return n, err //nolint:wrapcheck // io.EOF is compared
}
