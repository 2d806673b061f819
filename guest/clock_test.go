package guest_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"aliquot/guest/protocol"
)

const tellingTime = `while :; do date +%s; sleep 1; done`

// ahead returns by how many seconds the guest's time of day is ahead of its time since boot, in its latest line.
// The latter does not count while the machine stands still.
func (m machine) ahead() (seconds int64, lines int) {
	m.t.Helper()
	var d protocol.OutputDecoder
	for _, c := range d.Feed(m.file("output")) {
		now, err := strconv.ParseInt(strings.TrimSpace(string(c.Data)), 10, 64)
		if err != nil {
			m.t.Fatalf("the guest printed %q", c.Data)
		}
		seconds, lines = now-int64(c.Micros/1e6), lines+1
	}
	return seconds, lines
}

// monitored returns the arguments by which QEMU listens for commands at the socket.
func monitored(socket string) []string {
	return []string{"-qmp", "unix:" + socket + ",server=on,wait=off"}
}

// command has QEMU execute a command of its monitor protocol.
func command(t *testing.T, socket, name string, arguments map[string]string) {
	t.Helper()
	c, err := net.Dial("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	answers := bufio.NewScanner(c)
	for _, order := range []map[string]any{{"execute": "qmp_capabilities"},
		{"execute": name, "arguments": arguments}} {
		b, err := json.Marshal(order)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := fmt.Fprintf(c, "%s\n", b); err != nil {
			t.Fatal(err)
		}
		if err := answered(answers); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
}

// answered reads up to the answer to a command, past events.
func answered(from *bufio.Scanner) error {
	for from.Scan() {
		switch line := from.Text(); {
		case strings.HasPrefix(line, `{"return"`):
			return nil
		case strings.HasPrefix(line, `{"error"`):
			return fmt.Errorf("%s", line)
		}
	}
	return fmt.Errorf("no answer: %v", from.Err())
}

// away is how long the tests keep a machine from running: long beside the second of which clocks are right.
const away = 6 * time.Second

func (m machine) wantTimeToJump(since int64) {
	m.t.Helper()
	want := since + int64(away.Seconds()) - 2
	m.eventually("the clock is right", func() bool { now, _ := m.ahead(); return now >= want })
}

func TestTheTimeIsRightAfterAPause(t *testing.T) {
	t.Parallel()
	socket := filepath.Join(t.TempDir(), "qmp")
	m := boot(t, shell(t, tellingTime), monitored(socket)...)
	m.eventually("the task runs", func() bool { _, lines := m.ahead(); return lines > 0 })
	before, _ := m.ahead()
	command(t, socket, "stop", map[string]string{})
	time.Sleep(away)
	command(t, socket, "cont", map[string]string{})
	m.wantTimeToJump(before)
}

func TestTheTimeIsRightAfterARestore(t *testing.T) {
	t.Parallel()
	socket, saved := filepath.Join(t.TempDir(), "qmp"), filepath.Join(t.TempDir(), "saved")
	m := boot(t, shell(t, tellingTime), monitored(socket)...)
	m.eventually("the task runs", func() bool { _, lines := m.ahead(); return lines > 0 })
	before, _ := m.ahead()
	partial := saved + ".partial"
	command(t, socket, "migrate", map[string]string{"uri": "exec:cat >" + partial + " && mv " + partial + " " + saved})
	m.eventually("the machine is saved", func() bool { _, err := os.Stat(saved); return err == nil })
	command(t, socket, "quit", map[string]string{})
	if err := m.cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(away)
	restored := boot(t, shell(t, tellingTime), "-incoming", "exec:cat "+saved)
	restored.eventually("the task goes on", func() bool { _, lines := restored.ahead(); return lines > 0 })
	restored.wantTimeToJump(before)
}
