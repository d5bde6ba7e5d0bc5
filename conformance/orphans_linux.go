package conformance

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"time"
)

// prSetChildSubreaper is of prctl(2).
const prSetChildSubreaper = 36

// adoptOrphans makes this process the parent of whatever a client leaves running, also of what has left the client's
// process group, so that endOrphans finds it.
func adoptOrphans() error {
	_, _, errno := syscall.RawSyscall6(syscall.SYS_PRCTL, prSetChildSubreaper, 1, 0, 0, 0, 0)
	if errno != 0 {
		return fmt.Errorf("adopt what clients leave running: %w", errno)
	}
	return nil
}

// endOrphans kills the children of this process, and then theirs, until there are none. To be called when no command
// is waited for.
func endOrphans() error {
	for range 1000 {
		if err := killChildren(); err != nil {
			return err
		}
		for {
			pid, err := syscall.Wait4(-1, nil, syscall.WNOHANG, nil)
			if err == syscall.ECHILD {
				return nil
			}
			if pid <= 0 {
				break
			}
		}
		time.Sleep(10 * time.Millisecond)
	}
	return fmt.Errorf("what clients left running does not end")
}

func killChildren() error {
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		return err
	}
	for _, stat := range stats {
		if !childOfOurs(stat) {
			continue
		}
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(stat)))
		if err != nil {
			return err
		}
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil && err != syscall.ESRCH {
			return fmt.Errorf("end what a client left running: %w", err)
		}
	}
	return nil
}

// childOfOurs reads "pid (name) state ppid …", of which the name may hold anything. A file that has gone is of a
// process that has ended.
func childOfOurs(stat string) bool {
	data, _ := os.ReadFile(stat)
	fields := bytes.Fields(data[bytes.LastIndexByte(data, ')')+1:])
	return len(fields) > 1 && string(fields[1]) == strconv.Itoa(os.Getpid())
}
