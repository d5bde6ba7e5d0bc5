package conformance

import (
	"os/exec"
	"syscall"
)

// ownGroup puts the client at the head of a process group and ties its life to ours.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// killGroup ends the client and all that it started in its group; a group that is gone already is fine.
func killGroup(cmd *exec.Cmd) {
	if cmd.Process != nil {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	}
}
