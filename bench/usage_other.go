//go:build !linux

package bench

import (
	"errors"
	"time"
)

var errLinuxOnly = errors.New("colony bench measures other processes, which it can do on Linux only")

func cpuOf(int) (time.Duration, error)          { return 0, errLinuxOnly }
func memoryOf(int) (now, peak int64, err error) { return 0, 0, errLinuxOnly }
func resetPeak(int) error                       { return errLinuxOnly }
