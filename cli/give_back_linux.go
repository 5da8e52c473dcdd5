package cli

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"syscall"
)

// giveBackProgram takes the pages of the program itself out of this process's memory: most of them were needed by the start alone, and the
// kernel maps the others again, from its cache, when they are used. It is to the program what debug.FreeOSMemory is to the heap. If it
// fails, nothing is lost.
func giveBackProgram() {
	program, err := os.Readlink("/proc/self/exe")
	if err != nil {
		return
	}
	smaps, err := os.Open("/proc/self/smaps")
	if err != nil {
		return
	}
	defer smaps.Close()
	var from, to uintptr
	ours := false
	for lines := bufio.NewScanner(smaps); lines.Scan(); {
		line := lines.Text()
		var begin, end uintptr
		var rights string
		if n, _ := fmt.Sscanf(line, "%x-%x %s", &begin, &end, &rights); n == 3 {
			from, to = begin, end
			ours = strings.HasSuffix(line, " "+program) && (rights == "r-xp" || rights == "r--p")
			continue
		}
		anonymous, counted := strings.CutPrefix(line, "Anonymous:")
		if ours && counted && strings.TrimSpace(anonymous) == "0 kB" { // every page is as it is in the file
			_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, from, to-from, syscall.MADV_DONTNEED)
		}
	}
}
