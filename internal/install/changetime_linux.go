package install

import (
	"io/fs"
	"syscall"
	"time"
)

// changeTime gives the time of the last change to a file or to what is known of
// it, which no program can set.
func changeTime(info fs.FileInfo) time.Time {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return time.Unix(st.Ctim.Unix())
	}
	return time.Time{}
}
