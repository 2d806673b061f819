//go:build linux

package main

import (
	"fmt"
	"io"
	"os"
	"sync"

	"aliquot/guest/protocol"

	"golang.org/x/sys/unix"
)

// output passes both streams of the task to the port, up to a common limit.
type output struct {
	mu   sync.Mutex
	port io.Writer
	left int64 // bytes; negative once the truncation was announced
}

// copy reads fd to its end. Above the limit it reads on without passing anything, so that the task
// never blocks.
func (o *output) copy(s protocol.Stream, fd int) {
	buf := make([]byte, protocol.MaxData)
	for {
		n, err := unix.Read(fd, buf)
		if err == unix.EINTR {
			continue
		}
		if n <= 0 {
			return
		}
		o.pass(s, buf[:n])
	}
}

func (o *output) pass(s protocol.Stream, data []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.left < 0 {
		return
	}
	kept := data[:min(int64(len(data)), o.left)]
	o.left -= int64(len(kept))
	o.write(s, kept)
	if len(kept) < len(data) {
		o.left = -1
		o.write(protocol.Stderr, []byte("\naliquot: output limit reached, the rest is dropped\n"))
	}
}

func (o *output) write(s protocol.Stream, data []byte) {
	if len(data) == 0 {
		return
	}
	if err := protocol.WriteOutput(o.port, protocol.Chunk{Stream: s, Micros: sinceBoot(), Data: data}); err != nil {
		o.left = -1
		fmt.Fprintln(os.Stderr, "aliquot init: output is lost:", err)
	}
}

func sinceBoot() uint64 {
	var ts unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_BOOTTIME, &ts); err != nil {
		panic(err)
	}
	return uint64(ts.Nano() / 1000)
}
