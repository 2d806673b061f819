package terminal

import (
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// Size returns the size of the terminal that w writes to, or nil if w is not a terminal.
func Size(w io.Writer) *unix.Winsize {
	file, ok := w.(*os.File)
	if !ok {
		return nil
	}
	window, err := unix.IoctlGetWinsize(int(file.Fd()), unix.TIOCGWINSZ)
	if err != nil {
		return nil
	}
	return window
}
