package cli

import (
	"strings"
	"testing"
	"time"
)

// A short run shows no progress; a long one does, not too often, and takes the
// line away at the end.
func TestProgressLine(t *testing.T) {
	for _, c := range []struct {
		step time.Duration
		want string
	}{
		{time.Millisecond, ""},
		{30 * time.Millisecond, "\r34 % done\r38 % done\r42 % done\r46 % done\r50 % done\r54 % done\r58 % done\r62 % done\r66 % done\r70 % done\r74 % done\r78 % done\r82 % done\r86 % done\r90 % done\r94 % done\r98 % done\r\x1b[K"},
		{2 * time.Second, "\r1 % done\r2 % done"},
	} {
		var out strings.Builder
		clock := time.Unix(0, 0)
		tell, clear := progressLine(&out, func() time.Time { return clock })
		for i := 1; i <= 100; i++ {
			clock = clock.Add(c.step)
			tell(i, 100)
		}
		clear()
		if got := out.String(); c.step < time.Second && got != c.want || !strings.HasPrefix(got, c.want) {
			t.Errorf("a step every %v: %q", c.step, got)
		}
	}
}
