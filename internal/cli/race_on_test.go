//go:build race

package cli_test

// raceDetector tells that programs keep shadows of what they touch.
const raceDetector = true
