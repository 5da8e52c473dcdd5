package board

// listener receives word of changes of what it asks for.
type listener struct {
	concerns func(key string, number int) bool
	heard    chan struct{} // has room for one: a reader of what is new reads all of it
	// more receives word when something becomes known of a repository for the first time.
	more chan struct{}
}

// listen reports changes from now on, until the end.
func (x *Index) listen(concerns func(key string, number int) bool) (l *listener, end func()) {
	l = &listener{concerns: concerns, heard: make(chan struct{}, 1), more: make(chan struct{}, 1)}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.listeners[l] = struct{}{}
	return l, func() {
		x.mu.Lock()
		defer x.mu.Unlock()
		delete(x.listeners, l)
	}
}

// tell tells those whom an issue concerns that it changed.
func (x *Index) tell(key string, number int) {
	for l := range x.listeners {
		if l.concerns(key, number) {
			wake(l.heard)
		}
	}
}

func wake(sleeper chan<- struct{}) {
	select {
	case sleeper <- struct{}{}:
	default:
	}
}
