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

// watchdogTime is the time without a sign of the fence after which the machine is reset. It is shorter than every
// margin that a manager may be given, so that a machine whose fence died just before the lease's end is reset in time.
const watchdogTime = 10 // seconds

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
	w := &watchdog{file}
	// Many devices have one fixed timeout. A shorter one than ours is fed often enough too.
	unix.IoctlSetPointerInt(int(file.Fd()), unix.WDIOC_SETTIMEOUT, watchdogTime)
	if err := timely(unix.IoctlGetInt(int(file.Fd()), unix.WDIOC_GETTIMEOUT)); err != nil {
		w.disarm()
		return nil, fmt.Errorf("arm the watchdog: %s %w", device, err)
	}
	return w, nil
}

// timely returns an error unless a watchdog with that timeout resets the machine in time.
func timely(seconds int, err error) error {
	switch {
	case err != nil:
		return fmt.Errorf("is not a watchdog: %w", err)
	case seconds > watchdogTime:
		return fmt.Errorf("resets the machine only after %d s; tasks may have started elsewhere by then", seconds)
	}
	return nil
}

func (w *watchdog) quiet() { w.file.Write([]byte{0}) }

// disarm tells the device, by its magic character, that the fence ends intentionally.
func (w *watchdog) disarm() {
	w.file.WriteString("V")
	w.file.Close()
}
