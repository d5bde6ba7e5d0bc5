package loopback

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"unsafe"
)

// stageVariable says how far the start has come.
const (
	stageVariable = "SUBAGENTS_CONFORMANCE_STAGE"
	stageRaise    = "raise" // in the namespace, its loopback interface still down
	stageRun      = "run"
)

func isolated() bool { return os.Getenv(stageVariable) == stageRun }

// Main runs the tests and returns the exit code for TestMain. The first call starts the binary again in a new network
// namespace and waits for it; in there the second raises the interface and replaces itself, without the capability
// that this took, by the third, which calls run.
func Main(run func() int) int {
	stage := os.Getenv(stageVariable)
	if stage == stageRun || os.Getenv(OpenVariable) == "1" {
		return run()
	}
	var err error
	code := 1
	if stage == stageRaise {
		err = raiseAndReplace()
	} else {
		code, err = again()
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "loopback: no network namespace: %v\nset %s=1 to run in the machine's own network\n", err, OpenVariable)
	}
	return code
}

func again() (int, error) {
	// The kernel sends Pdeathsig when the thread that started the process ends.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	cmd := exec.Command("/proc/self/exe", os.Args[1:]...)
	cmd.Env = append(os.Environ(), stageVariable+"="+stageRaise)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNET, Pdeathsig: syscall.SIGKILL}
	if uid, gid := os.Getuid(), os.Getgid(); uid != 0 {
		// The person stays who they are, since the clients keep folders by user id, and only may raise the interface.
		cmd.SysProcAttr.Cloneflags |= syscall.CLONE_NEWUSER
		cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: uid, HostID: uid, Size: 1}}
		cmd.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{ContainerID: gid, HostID: gid, Size: 1}}
		cmd.SysProcAttr.AmbientCaps = []uintptr{capNetAdmin}
	}
	err := cmd.Run()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return exit.ExitCode(), nil
	}
	if err != nil {
		return 1, err
	}
	return 0, nil
}

// The numbers of capabilities(7) and prctl(2).
const (
	capNetAdmin          = 12
	prCapAmbient         = 47
	prCapAmbientClearAll = 4
)

// raiseAndReplace returns only with an error.
func raiseAndReplace() error {
	if err := raiseLoopback(); err != nil {
		return err
	}
	runtime.LockOSThread() // capabilities belong to the thread, and this one becomes the new program
	_, _, errno := syscall.RawSyscall6(syscall.SYS_PRCTL, prCapAmbient, prCapAmbientClearAll, 0, 0, 0, 0)
	if errno != 0 {
		return fmt.Errorf("drop the capability: %w", errno)
	}
	if err := os.Setenv(stageVariable, stageRun); err != nil {
		return err
	}
	return syscall.Exec("/proc/self/exe", os.Args, os.Environ())
}

// raiseLoopback brings the interface lo up, and proves that there is no other.
func raiseLoopback() error {
	interfaces, err := net.Interfaces()
	if err != nil {
		return err
	}
	if len(interfaces) != 1 || interfaces[0].Flags&net.FlagLoopback == 0 {
		return fmt.Errorf("the namespace has other interfaces than loopback: %v", interfaces)
	}
	socket, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_DGRAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("raise the loopback interface: %w", err)
	}
	defer syscall.Close(socket)
	// struct ifreq of netdevice(7): the name, then the flags.
	var request struct {
		name  [syscall.IFNAMSIZ]byte
		flags uint16
		_     [22]byte
	}
	copy(request.name[:], interfaces[0].Name)
	request.flags = syscall.IFF_UP
	_, _, errno := syscall.Syscall(syscall.SYS_IOCTL, uintptr(socket), syscall.SIOCSIFFLAGS, uintptr(unsafe.Pointer(&request)))
	if errno != 0 {
		return fmt.Errorf("raise the loopback interface: %w", errno)
	}
	return nil
}
