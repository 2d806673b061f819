package fence

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/rs/zerolog"
	"golang.org/x/sys/unix"
)

// usual is the machine's first watchdog.
const usual = "/dev/watchdog"

// watchdogTime is the time without a sign of the fence after which the machine is reset.
const watchdogTime = 60 // seconds

// watchdog resets the machine unless it is fed.
type watchdog struct{ file *os.File }

// choose arms the configured watchdog, or returns nil for none. The usual device may be missing or
// held by another program, such as systemd; the fence does its duty without it.
func choose(configured, usual string, log zerolog.Logger) (*watchdog, error) {
	switch configured {
	case "", "none":
		return nil, nil
	case "auto":
		w, err := arm(usual)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
		if err != nil {
			log.Warn().Err(err).Msg("cannot arm the watchdog; a dead fence will not reset the machine")
			return nil, nil
		}
		log.Info().Str("device", usual).Msg("the watchdog is armed: the machine resets if the fence stays dead")
		return w, nil
	}
	return arm(configured)
}

func arm(device string) (*watchdog, error) {
	file, err := os.OpenFile(device, os.O_WRONLY, 0)
	if err != nil {
		return nil, fmt.Errorf("arm the watchdog: %w", err)
	}
	if err := unix.IoctlSetPointerInt(int(file.Fd()), unix.WDIOC_SETTIMEOUT, watchdogTime); err != nil {
		// Many devices have one fixed timeout. A shorter one than ours is fed often enough too.
		if _, err := unix.IoctlGetInt(int(file.Fd()), unix.WDIOC_GETTIMEOUT); err != nil {
			file.WriteString("V")
			file.Close()
			return nil, fmt.Errorf("arm the watchdog: %s is not a watchdog: %w", device, err)
		}
	}
	return &watchdog{file}, nil
}

func (w *watchdog) quiet() { w.file.Write([]byte{0}) }

// disarm tells the device, by its magic character, that the fence ends intentionally.
func (w *watchdog) disarm() {
	w.file.WriteString("V")
	w.file.Close()
}
