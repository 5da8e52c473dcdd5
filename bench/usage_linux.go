package bench

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// cpuOf is how much of the processors a process has used, for itself and for what the kernel did for it.
func cpuOf(pid int) (time.Duration, error) {
	const wholeProcess = 2 // as clock_getcpuclockid(3) makes a clock of a process
	var used unix.Timespec
	if err := unix.ClockGettime(int32(^pid<<3|wholeProcess), &used); err != nil {
		return 0, fmt.Errorf("read the processor time of process %d: %w", pid, err)
	}
	return time.Duration(used.Nano()), nil
}

// memoryOf is how much memory a process has now, and the most that it had since resetPeak, in bytes.
func memoryOf(pid int) (now, peak int64, err error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, 0, fmt.Errorf("read the memory of process %d: %w", pid, err)
	}
	field := func(name string) int64 {
		_, rest, _ := bytes.Cut(text, []byte("\n"+name+":"))
		line, _, _ := bytes.Cut(rest, []byte(" kB"))
		kilobytes, _ := strconv.ParseInt(string(bytes.TrimSpace(line)), 10, 64)
		return kilobytes << 10
	}
	return field("VmRSS"), field("VmHWM"), nil
}

// resetPeak lets the most memory be counted anew.
func resetPeak(pid int) error {
	if err := os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", pid), []byte("5"), 0); err != nil {
		return fmt.Errorf("reset the peak memory of process %d: %w", pid, err)
	}
	return nil
}
