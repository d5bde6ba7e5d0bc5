package cli_test

import (
	"os"
	"syscall"
)

// peakMiB is the most memory that a process had.
func peakMiB(state *os.ProcessState) int {
	usage, ok := state.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	return int(usage.Maxrss >> 10)
}
