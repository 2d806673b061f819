package labtest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"aliquot/web/api"
)

// observedWithin bounds the time until a rate is observed: reports come at most once a minute, and two may be needed.
const observedWithin = 4 * time.Minute

func TestAStarvedVMIsNotCreditedWithItsCapAndAnIdleOneIsNotStarved(t *testing.T) {
	s := beginAlone(t)
	s.calm()
	busy := s.submit(on(counting(endless, "400m"), "n1"), on(counting(endless, "400m"), "n1"))
	idle := s.submitOne(on(shell("while :; do sleep 5; done", "300m"), "n1"))
	all := append([]string{idle}, busy...)
	for _, id := range all {
		s.await(id, "running", 2*ended)
	}
	s.settled(all)
	for _, id := range all {
		j := s.awaitThat(id, "observed", observedWithin, func(j api.Job) bool { return j.ProgressSource == "observed" })
		t.Logf("alone %s progresses at %.3f with the yield %.3f", id, *j.ProgressRate, *j.Yield)
	}

	s.hog("n1", 3)
	for _, id := range busy {
		j := s.awaitThat(id, "starved", observedWithin, func(j api.Job) bool {
			return j.ProgressRate != nil && *j.ProgressRate < 0.8**j.Yield
		})
		t.Logf("starved %s progresses at %.3f with the yield %.3f", id, *j.ProgressRate, *j.Yield)
	}
	time.Sleep(time.Minute + 20*time.Second) // from now on the rate depends on the starved node alone
	var gauges []*gauge
	for _, id := range busy {
		gauges = append(gauges, s.gauges(s.job(id))...)
	}
	for range windows {
		measure(t, gauges)
	}
	for i, id := range busy {
		used := 0
		for _, u := range gauges[i].used {
			used += u / windows
		}
		j := s.job(id)
		rate, had := *j.ProgressRate, float64(used)/float64(j.NeedMillicores)
		t.Logf("%s progresses at %.3f; its vCPU had %.3f of its need", id, rate, had)
		if rate > 0.8**j.Yield || rate-had > 0.15 || had-rate > 0.15 {
			t.Errorf("%s progresses at %.3f; its vCPU had %.3f of its need", id, rate, had)
		}
	}
	if j := s.job(idle); j.ProgressSource != "observed" || *j.ProgressRate < 0.95**j.Yield {
		t.Errorf("the idle %s progresses at %.3f (%s) with the yield %.3f", idle, *j.ProgressRate, j.ProgressSource, *j.Yield)
	}
}

// hog starts processes that compete with the VMs of the node for its CPU until the test ends. Each has twice a VM's
// weight, or the same weight if the kernel allows no more.
func (s *scene) hog(node string, processes int) {
	s.t.Helper()
	for i := range processes {
		folder := filepath.Join(s.env["CGROUP_"+node], "machine", fmt.Sprint("hog", i))
		s.ok(os.Mkdir(folder, 0o755))
		weigh := os.WriteFile(filepath.Join(folder, "cpu.shares"), []byte("20000"), 0o644)
		if weigh != nil {
			weigh = os.WriteFile(filepath.Join(folder, "cpu.weight"), []byte("10000"), 0o644)
		}
		s.ok(weigh)
		c := exec.Command("/bin/sh", "-c", "while :; do :; done")
		s.ok(c.Start())
		s.t.Cleanup(func() {
			c.Process.Kill()
			c.Wait()
			s.eventually("its cgroup is removed", ended, func() error { return os.Remove(folder) })
		})
		s.ok(os.WriteFile(filepath.Join(folder, "cgroup.procs"), fmt.Append(nil, c.Process.Pid), 0o644))
	}
}
