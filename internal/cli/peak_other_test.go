//go:build !linux

package cli_test

import "os"

// peakMiB is not measured here: the unit differs between systems.
func peakMiB(*os.ProcessState) int { return 0 }
