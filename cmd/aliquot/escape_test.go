package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"testing/iotest"

	"golang.org/x/sys/unix"
)

func TestATildeAndADotAtTheBeginningOfALineLeave(t *testing.T) {
	for typed, want := range map[string]struct {
		passed string
		left   bool
	}{
		"~.":              {"", true},
		"ls\r~.more":      {"ls\r", true},
		"ls\n~.":          {"ls\n", true},
		"cd ~.\r":         {"cd ~.\r", false},
		"~~.\r":           {"~.\r", false},
		"~user\r~\r~~~.":  {"~user\r~\r~~.", false},
		"\r\r~x~.\r":      {"\r\r~x~.\r", false},
		"":                {"", false},
		"plain \x03 keys": {"plain \x03 keys", false},
	} {
		for name, in := range map[string]io.Reader{"at once": strings.NewReader(typed),
			"key by key": iotest.OneByteReader(strings.NewReader(typed))} {
			left := false
			got, err := io.ReadAll(&escape{in: in, leave: func() { left = true }})
			if err != nil || string(got) != want.passed || left != want.left {
				t.Errorf("%q %s: %q, left %v, %v", typed, name, got, left, err)
			}
		}
	}
}

func TestACommandAtATerminalIsLeft(t *testing.T) {
	d := alone(t)
	keys, terminal := terminalPair(t)
	if _, err := keys.WriteString("~."); err != nil {
		t.Fatal(err)
	}
	o := d.do(&app{in: terminal}, []string{"job", "exec", "-t", "j1", "--", "sh"})
	if o.code != exitFailed || !strings.Contains(o.err, errLeft.Error()) {
		t.Errorf("%+v", o)
	}
}

// terminalPair opens a terminal, and the other end, where its keys are pressed.
func terminalPair(t *testing.T) (keys, terminal *os.File) {
	t.Helper()
	keys, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { keys.Close() })
	number, err := unix.IoctlGetInt(int(keys.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.IoctlSetPointerInt(int(keys.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	terminal, err = os.OpenFile(fmt.Sprint("/dev/pts/", number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { terminal.Close() })
	return keys, terminal
}
