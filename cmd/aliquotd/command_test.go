package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestBadInvocationsSayWhatToDo(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, c := range []struct{ args, want string }{
		{"mangaer", `unknown command "mangaer"`},
		{"manager --polciy x", "unknown flag: --polciy"},
		{"manager here", "unknown command"},
		{"manager --config " + dir + "/gone", "read the configuration"},
		{"manager --lease 2", "write a number with its unit"},
		{"manager --policy GreedyPN*/per", `did you mean "GreedyP */per"?`},
		{"manager --link 0.0.0.0:7422", "link: 0.0.0.0 is not allowed"},
		{"manager --data " + dir + "/m --secrets " + dir + "/s --image " + dir + "/gone", "read the guest image"},
		{"up --members 1=127.0.0.1:1,2=127.0.0.1:2 --links 1=127.0.0.1:3,2=127.0.0.1:4 --urls 1=http://a,2=http://b",
			"only manager"},
		{"up --image " + dir, "read the guest image"},
		{"up --image " + guestImage(t) + " --store " + file("plain", "") + "/store", "make the store"},
		{"monitor --node Node", "node: "},
		{"monitor --trial-image none --data " + dir + "/n --join-token " + dir + "/gone", "this node needs a token"},
		{"monitor --trial-image none --data " + dir + "/n --join-token " + file("token", "x"), "this is not a join token"},
		{"fence --watchdog dog", "give auto, none or a device"},
		{"config check manager " + file("policy", "policy: Greedi"), "policy: there is no policy \"Greedi\": did you mean"},
		{"config check manager " + file("promises", "policy: reserve/FF"), "reserve/FF runs in simulations of streams only"},
		{"config check manager " + file("key", "a: b"), `line 1: there is no key "a"; known are data,`},
		{"config check boss " + file("empty", ""), "there are manager, monitor and fence"},
		{"config show", "accepts 1 arg"},
		{"backup " + dir + " --data " + dir, "must be running with --data " + dir},
		{"restore " + dir + " --data " + dir + "/m --secrets " + dir + "/s", "no folder snapshot-"},
		{"member add 2 --data " + dir, "write it like 2=10.0.0.2:7421"},
		{"member add 2=0.0.0.0:7421 --data " + dir, "not an address at which others"},
		{"member remove two --data " + dir, "not the number of a manager"},
		{"member list --data " + dir, "must be running"},
	} {
		if _, err := run(t.Context(), strings.Fields(c.args)...); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("aliquotd %s: %v; want %q", c.args, err, c.want)
		}
	}
}

func TestAValidFileIsFoundValid(t *testing.T) {
	path := filepath.Join(t.TempDir(), "manager.yaml")
	if err := os.WriteFile(path, []byte("policy: FCFS\nlease: 2m\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if text, err := run(t.Context(), "config", "check", "manager", path); err != nil ||
		!strings.Contains(text, "is valid") {
		t.Errorf("%q, %v", text, err)
	}
}

func TestAFileThatLetsMemoryGoInTheClearIsNoted(t *testing.T) {
	for text, noted := range map[string]bool{
		"migrate-uri: qemu+tls://10.0.0.2/system\n": false, "": false,
		"migrate-uri: qemu+tcp://10.0.0.2/system\nmigrate-tcp: true\n": true,
	} {
		path := filepath.Join(t.TempDir(), "monitor.yaml")
		if err := os.WriteFile(path, []byte("node: n1\nuri: qemu:///system\n"+text), 0o600); err != nil {
			t.Fatal(err)
		}
		out, err := run(t.Context(), "config", "check", "monitor", path)
		if err != nil || strings.Contains(out, "in the clear") != noted {
			t.Errorf("%q: %q, %v", text, out, err)
		}
	}
}

func TestAFileThatOffersMoreThanTheMachineHasIsNoted(t *testing.T) {
	for text, noted := range map[string]bool{
		"cpu: 500m\n": false, "cpu: 50000\n": true, "memory: 64Mi\n": false, "memory: 900Ti\n": true, "": false,
	} {
		path := filepath.Join(t.TempDir(), "monitor.yaml")
		if err := os.WriteFile(path, []byte("node: n1\nuri: qemu:///system\n"+text), 0o600); err != nil {
			t.Fatal(err)
		}
		out, err := run(t.Context(), "config", "check", "monitor", path)
		if err != nil || strings.Contains(out, "note: on this machine, the node offers") != noted {
			t.Errorf("%q: %q, %v", text, out, err)
		}
	}
}
