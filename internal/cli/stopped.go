package cli

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

// stopSignals are what a person's terminal or a system sends to a program that
// is to end.
var stopSignals = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}

// untilStopped gives a context that ends with the first of these signals, so
// that what writes files can stop between two of them and take its temporary
// ones along. The second signal ends the program on the spot. What was started
// to ignore a signal, as nohup does, goes on ignoring it.
func untilStopped() (ctx context.Context, done func()) {
	ctx, cancel := context.WithCancelCause(context.Background())
	came, over := make(chan os.Signal, 1), make(chan struct{})
	for _, s := range stopSignals {
		if !signal.Ignored(s) {
			signal.Notify(came, s)
		}
	}
	go func() {
		select {
		case s := <-came:
			signal.Stop(came)
			cancel(fmt.Errorf("stopped by a signal (%s); run again to do the rest", s))
		case <-over:
		}
	}()
	return ctx, func() {
		signal.Stop(came)
		close(over)
		cancel(nil)
	}
}
