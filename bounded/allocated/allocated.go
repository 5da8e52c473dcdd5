// Package allocated is for tests of what reads inputs that others write: it tells how much memory the reading takes.
package allocated

import "runtime"

// Most is more than the reading of any file allocates, in bytes. The strict decoder takes gigabytes of what escapes the bounds.
const Most = 640 << 20

// By returns how many bytes something allocates, including what runs at the same time.
func By(what func()) uint64 {
	before := total()
	what()
	return total() - before
}

func total() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}
