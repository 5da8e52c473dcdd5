package client

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"sync"
	"time"
)

// wholeAnswers reads each answer as soon as it is there, whole, into a buffer that is used again. So its connection is free for the next
// call, also if nobody reads the answer, which would end a connection of HTTP/1.1; and the caller can decode all of it at once.
type wholeAnswers struct {
	next    http.RoundTripper
	timeout time.Duration // of a call, its answer included
}

// RoundTrip implements http.RoundTripper.
func (w wholeAnswers) RoundTrip(request *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithTimeout(request.Context(), w.timeout)
	defer cancel()
	response, err := w.next.RoundTrip(request.WithContext(ctx))
	if err != nil {
		return nil, err //nolint:wrapcheck // a round tripper returns what it got
	}
	response.Body = readWhole(response)
	return response, nil
}

// Buffers have room for most answers from the beginning, and are used again up to a capacity.
const (
	smallestBuffer = 16 << 10
	largestBuffer  = 256 << 10
)

var wholeBodies = sync.Pool{New: func() any { return &wholeBody{make([]byte, 0, smallestBuffer)} }}

// wholeBody is a buffer for the text of an answer.
type wholeBody struct{ bytes []byte }

// open returns the text as the body of an answer. The buffer is used again once that is closed.
func (b *wholeBody) open() *openBody { return &openBody{text: b, left: b.bytes} }

// release lets the buffer be used again, unless it has grown large.
func (b *wholeBody) release() {
	if cap(b.bytes) <= largestBuffer {
		wholeBodies.Put(b)
	}
}

// openBody is a body that is in memory.
type openBody struct {
	text *wholeBody // nil: it is closed
	left []byte
	err  error // at its end
}

// Read implements io.Reader.
func (b *openBody) Read(into []byte) (int, error) {
	switch {
	case b.text == nil:
		return 0, http.ErrBodyReadAfterClose
	case len(b.left) > 0:
		n := copy(into, b.left)
		b.left = b.left[n:]
		return n, nil
	case b.err != nil:
		return 0, b.err
	}
	return 0, io.EOF
}

// Close implements io.Closer.
func (b *openBody) Close() error {
	if b.text != nil {
		b.text.release()
	}
	b.text, b.left = nil, nil
	return nil
}

// Text returns the whole text, which holds until the body is closed; nil if it was not read to its end.
func (b *openBody) Text() []byte {
	if b.text == nil || b.err != nil {
		return nil
	}
	return b.text.bytes
}

// readWhole reads the body of an answer, and returns it as one that is in memory.
func readWhole(response *http.Response) io.ReadCloser {
	text := wholeBodies.Get().(*wholeBody)
	if size := response.ContentLength; size > 0 && size <= maxAnswer && int64(cap(text.bytes)) < size+bytes.MinRead {
		text.bytes = make([]byte, 0, size+bytes.MinRead) // that is how much room reading to the end takes
	}
	buffer := bytes.NewBuffer(text.bytes[:0])
	_, err := buffer.ReadFrom(response.Body)
	text.bytes = buffer.Bytes()
	_ = response.Body.Close() // it is at its end
	if len(text.bytes) == 0 && err == nil {
		text.release()
		return http.NoBody
	}
	return &openBody{text: text, left: text.bytes, err: err}
}
