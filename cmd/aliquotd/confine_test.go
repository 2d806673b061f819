package main

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// attempts are what a confined process tries, with whether it must succeed.
func attempts(folder, secret string) map[string]func() error {
	return map[string]func() error{
		"write into its folder": func() error { return os.WriteFile(filepath.Join(folder, "report"), []byte("r"), 0o600) },
		"read a file elsewhere": func() error { _, err := os.ReadFile(secret); return err },
		"write elsewhere":       func() error { return os.WriteFile(secret+".new", nil, 0o600) },
		"open a socket":         func() error { _, err := net.Listen("tcp", "127.0.0.1:0"); return err },
		"start a program":       func() error { return exec.Command("/bin/true").Run() },
		"signal its parent":     func() error { return unix.Kill(os.Getppid(), 0) },
	}
}

func TestASimulationReachesItsFolderAlone(t *testing.T) {
	const confined = "ALIQUOT_TEST_CONFINED"
	if where := os.Getenv(confined); where != "" {
		folder, secret, _ := strings.Cut(where, ":")
		if err := confine(folder); err != nil {
			t.Fatal(err)
		}
		for name, attempt := range attempts(folder, secret) {
			if attempt() == nil {
				println("succeeded: " + name)
			}
		}
		return
	}
	abi, _, _ := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if int(abi) < 1 {
		t.Skip("needs a kernel with Landlock")
	}
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("s"), 0o600); err != nil {
		t.Fatal(err)
	}
	c := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
	c.Env = append(os.Environ(), confined+"="+t.TempDir()+":"+secret)
	said, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	succeeded := slices.DeleteFunc(strings.Split(string(said), "\n"), func(line string) bool {
		return !strings.HasPrefix(line, "succeeded: ")
	})
	if want := []string{"succeeded: write into its folder"}; !slices.Equal(succeeded, want) {
		t.Errorf("a confined process %q", succeeded)
	}
}
