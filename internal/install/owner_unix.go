//go:build unix

package install

import (
	"io/fs"
	"os"
	"syscall"
)

// ownerOf gives the owner of a file.
func ownerOf(info fs.FileInfo) (uid, gid int) {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return int(st.Uid), int(st.Gid)
	}
	return os.Geteuid(), os.Getegid()
}
