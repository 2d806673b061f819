package terminal

import (
	"errors"
	"os"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

func TestATerminalIsRawUntilItIsRestored(t *testing.T) {
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skip("needs a terminal: ", err)
	}
	defer master.Close()
	echoes := func() bool {
		state, err := unix.IoctlGetTermios(int(master.Fd()), unix.TCGETS)
		if err != nil {
			t.Fatal(err)
		}
		return state.Lflag&unix.ECHO != 0
	}
	restore, err := Raw(master)
	if err != nil || echoes() {
		t.Fatalf("%v, echoes: %v", err, echoes())
	}
	if restore(); !echoes() {
		t.Error("it is raw still")
	}
	if !Typed(master) || Typed(strings.NewReader("")) {
		t.Error("a terminal is told by what can be set of it")
	}
	if _, err := Raw(strings.NewReader("")); !errors.Is(err, ErrNone) {
		t.Error(err)
	}
}
