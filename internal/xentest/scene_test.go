package xentest

import (
	"bytes"
	"encoding/json"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"aliquot/cluster"
	"aliquot/guest/protocol"
	"aliquot/monitor"
	"aliquot/monitor/reconcile"
)

// more is some lines of a task's output, in bytes.
const more = 200

// scene is a test on both hosts.
type scene struct {
	testing.TB
	*lab
}

func newScene(t testing.TB) scene {
	t.Helper()
	l, err := theLab()
	if err != nil {
		t.Fatal(err)
	}
	s := scene{t, l}
	before := s.faults()
	t.Cleanup(func() {
		if s.Failed() { // tells a failure of the emulation from one of ours
			s.Logf("triple faults of the emulated processor: %d", s.faults()-before)
		}
	})
	return s
}

// faults returns how many guests the emulated processors have lost so far.
func (s scene) faults() (all int) {
	s.Helper()
	for _, node := range []string{"xn1", "xn2"} {
		number, err := s.lab.exec(node, "sh", "-c", "xl dmesg | grep -c Triple || true")
		if err != nil {
			s.Error(err)
		}
		n, _ := strconv.Atoi(strings.TrimSpace(number))
		all += n
	}
	return all
}

// node runs a verb of package node on a host.
func (s scene) node(host, verb string, args ...string) string {
	s.Helper()
	out, err := s.lab.exec(host, append([]string{"/root/node", verb}, args...)...)
	if err != nil {
		s.Fatalf("%s on %s: %v", verb, host, err)
	}
	return out
}

// seen is a listing of a host.
type seen struct {
	Domains map[string]reconcile.Domain
	Foreign cluster.Foreign
}

func (s scene) list(host string) (all seen) {
	s.Helper()
	if err := json.Unmarshal([]byte(s.node(host, "list")), &all); err != nil {
		s.Fatal(err)
	}
	return all
}

func runOf(job int) cluster.RunID { return cluster.RunID{Job: cluster.JobID(job), Number: 1} }

// begin starts a task as the job's only one, which is destroyed after the test.
func (s scene) begin(host string, job int, cap cluster.CPU, tier, command string) {
	s.Helper()
	s.node(host, "start", strconv.Itoa(job), strconv.Itoa(int(cap)), tier, "sh", "-c", command)
	s.Cleanup(func() { s.node(host, "destroy", strconv.Itoa(job)) })
}

func (s scene) folder(job int) monitor.Folder { return monitor.RunFolder(s.store, runOf(job)) }

// guest returns the guest's report so far.
func (s scene) guest(job int) reconcile.Guest {
	s.Helper()
	g, err := s.folder(job).Read()
	if err != nil {
		s.Fatal(err)
	}
	return g
}

// output returns what the task has printed so far.
func (s scene) output(job int) string {
	s.Helper()
	content, err := os.ReadFile(s.folder(job).Output())
	if err != nil {
		s.Fatal(err)
	}
	var d protocol.OutputDecoder
	var all bytes.Buffer
	for _, c := range d.Feed(content) {
		all.Write(c.Data)
	}
	if d.Lost() > 0 {
		s.Errorf("%d bytes of output are damaged", d.Lost())
	}
	return all.String()
}

// untilExit lets a host collect what guests have written until the guest of the job reports its exit.
func (s scene) untilExit(host string, job int) {
	s.Helper()
	s.node(host, "until", strconv.Itoa(job), "exit", "0")
}

// untilMore does the same until the guest has printed more.
func (s scene) untilMore(host string, job int) {
	s.Helper()
	info, err := os.Stat(s.folder(job).Output())
	if err != nil {
		s.Fatal(err)
	}
	s.node(host, "until", strconv.Itoa(job), "output", strconv.FormatInt(info.Size()+more, 10))
}

// use returns the median use of each VM on a host in three spans, in millicores.
func (s scene) use(host string) map[string]cluster.CPU {
	s.Helper()
	var all map[string][]cluster.CPU
	if err := json.Unmarshal([]byte(s.node(host, "use")), &all); err != nil {
		s.Fatal(err)
	}
	medians := map[string]cluster.CPU{}
	for run, used := range all {
		slices.Sort(used)
		medians[run] = used[len(used)/2]
	}
	return medians
}
