package install

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// parallel calls do for 0 … n-1 from a few goroutines, each with a buffer of its
// own.
func parallel(n int, do func(i int, buf *[]byte)) {
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(n, 2*runtime.GOMAXPROCS(0), 8) {
		wg.Go(func() {
			var buf []byte
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				do(i, &buf)
			}
		})
	}
	wg.Wait()
}
