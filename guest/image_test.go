package guest_test

import (
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"aliquot/guest/protocol"

	"github.com/google/go-cmp/cmp"
)

// image is the folder of the built guest. TestMain brings it up to date.
const image = "../build/guest"

// unmet names the missing requirement for building and booting the image; empty: none is missing.
var unmet string

func TestMain(m *testing.M) {
	for _, tool := range []string{"qemu-system-x86_64", "busybox", "cpio", "lz4", "strip"} {
		if _, err := exec.LookPath(tool); err != nil {
			unmet = tool
		}
	}
	if unmet == "" {
		build := exec.Command("../scripts/guest-image", image)
		build.Stderr = os.Stderr
		if err := build.Run(); err != nil {
			os.Stderr.WriteString("build the guest image: " + err.Error() + "\n")
			os.Exit(1)
		}
	}
	os.Exit(m.Run())
}

// A machine is one boot of the image with the files that it wrote.
type machine struct {
	t   *testing.T
	dir string
	cmd *exec.Cmd
}

// boot starts the image with the document as its task, and with further arguments of QEMU.
func boot(t *testing.T, task []byte, further ...string) machine {
	t.Helper()
	if unmet != "" {
		t.Skipf("needs %s; run scripts/setup", unmet)
	}
	cmdline, err := os.ReadFile(filepath.Join(image, "cmdline"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "task"), task, 0o600); err != nil {
		t.Fatal(err)
	}
	port := func(id, name string) []string {
		return []string{"-chardev", "file,append=on,id=" + id + ",path=" + filepath.Join(dir, id), "-device",
			"virtserialport,chardev=" + id + ",name=" + name}
	}
	args := []string{
		"-machine", "q35", "-accel", "tcg", "-cpu", "qemu64,-tsc", "-m", "96", "-nodefaults", "-display", "none",
		"-no-reboot",
		"-kernel", filepath.Join(image, "kernel"), "-initrd", filepath.Join(image, "initrd"), "-append",
		strings.TrimSpace(string(cmdline)),
		"-serial", "file:" + filepath.Join(dir, "console"),
		"-fw_cfg", "name=" + protocol.TaskEntry + ",file=" + filepath.Join(dir, "task"), "-device", "virtio-serial-pci",
	}
	args = append(args, port("control", protocol.ControlPort)...)
	args = append(args, port("output", protocol.OutputPort)...)
	args = append(args, port("results", protocol.ResultPort)...)
	args = append(args, further...)
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	t.Cleanup(cancel)
	m := machine{t: t, dir: dir, cmd: exec.CommandContext(ctx, "qemu-system-x86_64", args...)}
	m.cmd.Stderr = os.Stderr
	if err := m.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return m
}

func (m machine) file(name string) []byte {
	m.t.Helper()
	b, err := os.ReadFile(filepath.Join(m.dir, name))
	if err != nil && !os.IsNotExist(err) {
		m.t.Fatal(err)
	}
	return b
}

// wait returns after power-off with the last control message, or nil if there is none.
func (m machine) wait() protocol.Message {
	m.t.Helper()
	if err := m.cmd.Wait(); err != nil {
		m.t.Fatalf("QEMU: %v; console:\n%s", err, m.file("console"))
	}
	return m.last()
}

func (m machine) last() protocol.Message {
	m.t.Helper()
	var d protocol.ControlDecoder
	messages, err := d.Feed(m.file("control"))
	if err != nil {
		m.t.Fatal(err)
	}
	if len(messages) == 0 {
		return nil
	}
	return messages[len(messages)-1]
}

// output returns the task's output, by stream.
func (m machine) output() (stdout, stderr string) {
	m.t.Helper()
	var d protocol.OutputDecoder
	var out [2]bytes.Buffer
	var before uint64
	for _, c := range d.Feed(m.file("output")) {
		if c.Micros < before {
			m.t.Errorf("time goes back from %d to %d", before, c.Micros)
		}
		before = c.Micros
		out[c.Stream-protocol.Stdout].Write(c.Data)
	}
	if d.Lost() > 0 {
		m.t.Errorf("%d bytes of output are damaged", d.Lost())
	}
	return out[0].String(), out[1].String()
}

// eventually polls until the condition holds.
func (m machine) eventually(what string, holds func() bool) {
	m.t.Helper()
	for deadline := time.Now().Add(time.Minute); !holds(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			m.t.Fatalf("not within a minute: %s; console:\n%s", what, m.file("console"))
		}
	}
}

func shell(t *testing.T, script string, args ...string) []byte {
	t.Helper()
	return encode(t, protocol.Task{Job: "j17", Index: 1, Count: 2, Run: 1, Command: []string{"sh", "-c", script, "sh"},
		Args: args, Env: map[string]string{"GREETING": "good day"}})
}

func encode(t *testing.T, task protocol.Task) []byte {
	t.Helper()
	b, err := protocol.EncodeTask(task)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestATaskGetsItsInputAndItsOutputAndExitCodeComeOut(t *testing.T) {
	t.Parallel()
	m := boot(t,
		shell(t, `echo "$GREETING, $1: $ALIQUOT_JOB $ALIQUOT_TASK_INDEX of $ALIQUOT_TASK_COUNT"; echo oops >&2; exit 3`,
			"two words"))
	if diff := cmp.Diff(protocol.Message(protocol.Exit{Code: 3}), m.wait()); diff != "" {
		t.Error(diff)
	}
	stdout, stderr := m.output()
	if stdout != "good day, two words: j17 1 of 2\n" || stderr != "oops\n" {
		t.Errorf("stdout %q, stderr %q", stdout, stderr)
	}
}

func TestATaskFindsItsFilesAndCannotChangeThem(t *testing.T) {
	t.Parallel()
	m := boot(t, encode(t, protocol.Task{Count: 1, Run: 1,
		Files: map[string]string{"script": "echo from $(pwd): $(cat in/numbers)\n", "in/numbers": "1 2 3\n"},
		Command: []string{"sh", "-c", `./script; echo new >out && cat out
			for c in 'echo x >>script' 'mount -o remount,rw /run/aliquot-files' 'rm /run/aliquot-files/script'; do
				if sh -c "$c" 2>/dev/null; then echo "possible: $c"; fi
			done`}}))
	if diff := cmp.Diff(protocol.Message(protocol.Exit{}), m.wait()); diff != "" {
		t.Error(diff)
	}
	if stdout, stderr := m.output(); stdout != "from /work: 1 2 3\nnew\n" {
		t.Errorf("%s%s", stdout, stderr)
	}
}

func TestWhatATaskLeavesComesOutAlsoWhenItFails(t *testing.T) {
	t.Parallel()
	m := boot(t, encode(t, protocol.Task{Count: 1, Run: 1, Outputs: []string{"out/*", "/tmp/x", "/dev/shm/y", "none"},
		ResultBytes: 2 << 20, Command: []string{"sh", "-c", `mkdir out; head -c 1000000 /dev/zero >out/zeros
			echo $(pwd) >out/where; head -c 9000000 /dev/zero >out/large; echo x >/tmp/x; echo y >/dev/shm/y; ln -s /etc/passwd out/link; exit 3`}}))
	if diff := cmp.Diff(protocol.Message(protocol.Exit{Code: 3}), m.wait()); diff != "" {
		t.Error(diff)
	}
	stream := bytes.NewReader(m.file("results"))
	got, err := protocol.ReadResults(stream, stream.Size())
	if err != nil || !got.Complete {
		t.Fatalf("%+v, %v", got, err)
	}
	contents, omitted := map[string]string{}, map[string]protocol.Omission{}
	for _, f := range got.Files {
		content, err := io.ReadAll(f.Open(stream))
		if err != nil {
			t.Error(err)
		}
		contents[f.Path] = string(content)
	}
	for _, o := range got.Omitted {
		omitted[o.Path] = o.Why
	}
	want := map[string]string{"out/where": "/work\n", "out/zeros": strings.Repeat("\x00", 1000000), "tmp/x": "x\n",
		"dev/shm/y": "y\n"}
	if diff := cmp.Diff(want, contents); diff != "" {
		t.Error(diff)
	}
	left := map[string]protocol.Omission{"out/large": protocol.TooLarge, "out/link": protocol.Special,
		"none": protocol.Unmatched}
	if diff := cmp.Diff(left, omitted); diff != "" {
		t.Error(diff)
	}
}

func TestATaskHasTheAddressOfItsPlaceAndKnowsItsPeers(t *testing.T) {
	t.Parallel()
	m := boot(t, encode(t, protocol.Task{Job: "j17", Index: 1, Count: 2, Run: 1,
		Network: &protocol.Network{MAC: "02:00:00:00:00:07", First: "10.77.0.2", Bits: 24},
		Command: []string{"sh", "-c", `echo $ALIQUOT_ADDRESS of $ALIQUOT_PEERS; ip -4 -o addr show | grep -o 10.77.*brd
			grep task /etc/hosts; ip addr add 10.77.0.9/24 dev eth0 2>/dev/null && echo "possible: another address"`}}),
		"-netdev", "user,id=n", "-device", "virtio-net-pci,netdev=n,mac=02:00:00:00:00:07")
	m.wait()
	want := "10.77.0.3 of 10.77.0.2 10.77.0.3\n10.77.0.3/24 brd\n10.77.0.2 task-0 j17-0\n10.77.0.3 task-1 j17-1\n"
	if stdout, stderr := m.output(); stdout != want {
		t.Errorf("%s%s", stdout, stderr)
	}
}

func TestAKilledTaskReportsItsSignal(t *testing.T) {
	t.Parallel()
	if diff := cmp.Diff(protocol.Message(protocol.Exit{Code: 137, Signal: "SIGKILL"}),
		boot(t, shell(t, `kill -9 $$`)).wait()); diff != "" {
		t.Error(diff)
	}
}

func TestACommandThatCannotBeExecutedEndsAsInAShell(t *testing.T) {
	t.Parallel()
	for command, code := range map[string]int{"no-such-command": 127, "/bin/no-such-file": 127, "/etc/passwd": 126} {
		m := boot(t, encode(t, protocol.Task{Count: 1, Run: 1, Command: []string{command}}))
		if diff := cmp.Diff(protocol.Message(protocol.Exit{Code: code}), m.wait()); diff != "" {
			t.Errorf("%s: %s", command, diff)
		}
		if _, stderr := m.output(); !strings.HasPrefix(stderr, "aliquot: "+command+": ") {
			t.Errorf("%s: stderr %q", command, stderr)
		}
	}
}

func TestATaskCannotForgeItsExit(t *testing.T) {
	t.Parallel()
	attempts := []string{
		`ls /dev/vport*`,
		`for i in 0 1 2; do mknod /tmp/v$i c 24$i 1 && echo x >/tmp/v$i && exit 0; done; exit 1`,
		`mount -t devtmpfs d /mnt`, `mount -o remount,rw /sys`, `umount /dev`, `umount -l /proc`,
		`echo virtio0 >/sys/bus/virtio/drivers/virtio_console/unbind`,
		`echo '|/tmp/x' >/proc/sys/kernel/core_pattern`, `echo 1 >/proc/sys/user/max_user_namespaces`,
		`echo c >/proc/sysrq-trigger`,
		`insmod /modules/*virtio_console.ko`, `unshare -U -r true`, `nsenter -t 1 -m true`, `test -e /proc/1/fd/2`,
		`cat /proc/1/mem`,
		`ps -o args | grep '^{*init}* */init'`, `test -e /proc/1/root/dev/vport0p1`,
	}
	m := boot(t,
		shell(t,
			`for a; do if sh -c "$a" >/dev/null 2>&1; then echo "possible: $a"; fi; done; kill -9 1; kill -TERM 1; echo all tried; exit 1`, attempts...))
	if diff := cmp.Diff(protocol.Message(protocol.Exit{Code: 1}), m.wait()); diff != "" {
		t.Error(diff)
	}
	if stdout, _ := m.output(); stdout != "all tried\n" {
		t.Errorf("%s", stdout)
	}
}

func TestMuchOutputArrivesWhole(t *testing.T) {
	t.Parallel()
	m := boot(t, shell(t, `seq 1 200000`))
	if diff := cmp.Diff(protocol.Message(protocol.Exit{}), m.wait()); diff != "" {
		t.Error(diff)
	}
	stdout, _ := m.output()
	lines := strings.Split(strings.TrimSuffix(stdout, "\n"), "\n")
	if len(lines) != 200000 || lines[0] != "1" || lines[99999] != "100000" || lines[199999] != "200000" {
		t.Errorf("%d lines", len(lines))
	}
}

func TestOutputBeyondTheLimitIsDroppedAndTheTaskGoesOn(t *testing.T) {
	t.Parallel()
	m := boot(t, encode(t, protocol.Task{Count: 1, Run: 1, Command: []string{"sh", "-c", "yes | head -c 5000000; exit 7"},
		LogBytes: 1000}))
	if diff := cmp.Diff(protocol.Message(protocol.Exit{Code: 7}), m.wait()); diff != "" {
		t.Error(diff)
	}
	stdout, stderr := m.output()
	if len(stdout) != 1000 || !strings.Contains(stderr, "output limit reached") {
		t.Errorf("%d bytes on stdout, stderr %q", len(stdout), stderr)
	}
}

func TestATaskEndsWithItsCommandEvenIfProcessesRemain(t *testing.T) {
	t.Parallel()
	if diff := cmp.Diff(protocol.Message(protocol.Exit{}),
		boot(t, shell(t, `setsid sleep 100000 & exit 0`)).wait()); diff != "" {
		t.Error(diff)
	}
}

func TestAGuestThatCannotReadItsTaskReportsIt(t *testing.T) {
	t.Parallel()
	m, ok := boot(t, []byte(`{"command":[]}`)).wait().(protocol.Error)
	if !ok || !strings.Contains(m.Text, "no command") {
		t.Errorf("got %+v", m)
	}
}

func TestAVanishedMachineIsNoSuccess(t *testing.T) {
	t.Parallel()
	m := boot(t, shell(t, `echo running; while :; do :; done`))
	m.eventually("the task runs", func() bool { stdout, _ := m.output(); return stdout == "running\n" })
	if err := m.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := m.cmd.Wait(); err == nil {
		t.Fatal("a killed QEMU ended well")
	}
	if diff := cmp.Diff(protocol.Message(protocol.Started{}), m.last()); diff != "" {
		t.Error(diff)
	}
}

func TestProgramsOfATaskReachEachOtherByLoopback(t *testing.T) {
	t.Parallel()
	m := boot(t, shell(t, `ping -c 1 127.0.0.1 && ping -c 1 localhost && ping -c 1 ::1`))
	if diff := cmp.Diff(protocol.Message(protocol.Exit{}), m.wait()); diff != "" {
		stdout, stderr := m.output()
		t.Errorf("%s%s%s", diff, stdout, stderr)
	}
}
