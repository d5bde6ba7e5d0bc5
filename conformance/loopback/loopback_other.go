//go:build !linux

package loopback

func isolated() bool { return false }

// Main runs the tests; only Linux has network namespaces.
func Main(run func() int) int { return run() }
