package fence

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// watchdogTime is how long the machine lives on without a sign of the fence.
const watchdogTime = 60 // seconds

// watchdog resets the machine unless it is kept quiet.
type watchdog struct{ file *os.File }

func arm(device string) (*watchdog, error) {
	file, err := os.OpenFile(device, os.O_WRONLY, 0)
	if err != nil {
		return nil, fmt.Errorf("arm the watchdog: %w", err)
	}
	if err := unix.IoctlSetPointerInt(int(file.Fd()), unix.WDIOC_SETTIMEOUT, watchdogTime); err != nil {
		// Many devices have one fixed time; a shorter one than ours is kept quiet as well.
		if _, err := unix.IoctlGetInt(int(file.Fd()), unix.WDIOC_GETTIMEOUT); err != nil {
			file.WriteString("V")
			file.Close()
			return nil, fmt.Errorf("arm the watchdog: %s is none: %w", device, err)
		}
	}
	return &watchdog{file}, nil
}

func (w *watchdog) quiet() { w.file.Write([]byte{0}) }

// disarm tells the device, by its magic character, that the fence ends on purpose.
func (w *watchdog) disarm() {
	w.file.WriteString("V")
	w.file.Close()
}
