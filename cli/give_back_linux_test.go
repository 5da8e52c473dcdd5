package cli

import (
	"os"
	"strings"
	"testing"
)

// What is given back leaves the process's memory, and the process goes on.
func TestTheProgramGivesItsPagesBack(t *testing.T) {
	before := programPages(t)
	giveBackProgram()
	after := programPages(t)
	if after >= before {
		t.Errorf("%d kB of the program are in memory, %d kB were before", after, before)
	}
}

// programPages is how much of the memory of the process is the program's and other files'.
func programPages(t *testing.T) (kB int) {
	t.Helper()
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(status), "RssFile:")
	if !found {
		t.Fatal("the kernel does not tell how much of the memory is of files")
	}
	for _, c := range strings.TrimSpace(rest) {
		if c < '0' || c > '9' {
			break
		}
		kB = 10*kB + int(c-'0')
	}
	return kB
}
