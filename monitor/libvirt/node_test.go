package libvirt

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"
	"libvirt.org/go/libvirt"

	"aliquot/cluster"
	"aliquot/monitor"
	"aliquot/monitor/reconcile"
)

func TestTheCPUCgroupIsFoundInBothVersions(t *testing.T) {
	for _, c := range []struct {
		name    string
		version int
		content string
		want    string // "": none
	}{
		{"v1", 1, "12:freezer:/machine/qemu-1-a.libvirt-qemu\n4:cpu,cpuacct:/machine/qemu-1-a.libvirt-qemu/emulator\n0::/\n",
			"/machine/qemu-1-a.libvirt-qemu/emulator"},
		{"v1, cpu alone", 1, "5:cpuset:/x/emulator\n4:cpu:/machine/qemu-1-a.libvirt-qemu/emulator\n",
			"/machine/qemu-1-a.libvirt-qemu/emulator"},
		{"v2 with systemd", 2, "0::/machine.slice/machine-qemu\\x2d1\\x2da.scope/libvirt/emulator\n",
			"/machine.slice/machine-qemu\\x2d1\\x2da.scope/libvirt/emulator"},
		{"v2, plain", 2, "0::/machine/qemu-1-a.libvirt-qemu/emulator\n", "/machine/qemu-1-a.libvirt-qemu/emulator"},
		{"not delegated", 2, "0::/user.slice\n", ""},
		{"empty", 1, "", ""},
	} {
		got, err := cgroups{version: c.version}.emulatorPath([]byte(c.content))
		if got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%s: %q, %v; want %q", c.name, got, err, c.want)
		}
	}
}

func TestCPUStatisticsAreReadFromBothVersions(t *testing.T) {
	write := func(root, name, content string) {
		t.Helper()
		name = filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	one, two := t.TempDir(), t.TempDir()
	for _, vcpu := range []string{"vcpu0", "vcpu1"} {
		write(one, "cpu/machine/d/"+vcpu+"/cpu.stat", "nr_periods 5\nnr_throttled 2\nthrottled_time 3000\n")
		write(one, "cpuacct/machine/d/"+vcpu+"/cpuacct.usage", "7000\n")
		write(two, "machine/d/"+vcpu+"/cpu.stat", "usage_usec 7\nnr_periods 5\nthrottled_usec 3\n")
	}
	write(one, "cpu/machine/d/cpu.stat", "throttled_time 2000\n")
	write(one, "cpuacct/machine/d/cpuacct.usage", "20000\n")
	write(two, "machine/d/cpu.stat", "usage_usec 20\nthrottled_usec 2\n")
	write(one, "cpu/machine/cpu.stat", "throttled_time 11000\n")
	write(one, "cpuacct/machine/cpuacct.usage", "0\n")
	write(two, "machine/cpu.stat", "throttled_usec 11\n")
	write(two, "cgroup.controllers", "cpu\n")
	for want, root := range map[int]string{1: one, 2: two} {
		c := findCgroups(root)
		if c.version != want {
			t.Fatalf("version %d, want %d", c.version, want)
		}
		sum, err := c.vcpus("/machine/d/emulator", 2)
		if err != nil || sum != (spent{14 * time.Microsecond, 8 * time.Microsecond}) {
			t.Errorf("v%d: %v, %v", want, sum, err)
		}
		if above := c.above("/machine/d/emulator"); above != 11*time.Microsecond {
			t.Errorf("v%d: throttled %v above the VM, want 11µs", want, above)
		}
	}
}

func TestOnlyQEMUsOfLibvirtAreTakenForVMs(t *testing.T) {
	for _, c := range []struct {
		name, cmdline string
		want          Process
		ok            bool
	}{
		{"a VM", "/usr/bin/qemu-system-x86_64\x00-name\x00guest=a-b,debug-threads=on\x00-uuid\x00u\x00",
			Process{Name: "a-b", UUID: "u"}, true},
		{"an editor", "vi\x00-name\x00guest=a,x\x00-uuid\x00u\x00", Process{}, false},
		{"no UUID", "/usr/bin/qemu-system-x86_64\x00-name\x00guest=a\x00", Process{}, false},
		{"a kernel thread", "", Process{}, false},
	} {
		got, ok := parseCmdline([]byte(c.cmdline))
		if ok != c.ok || ok && got != c.want {
			t.Errorf("%s: %+v, %v", c.name, got, ok)
		}
	}
}

func TestAProcessIsKnownByItsStart(t *testing.T) {
	got, err := parseStat([]byte("42 (a (b) c) T 1 42 42 0 -1 4194560 1 0 0 0 1 2 0 0 20 0 3 0 98765 1 2 3"))
	if err != nil || got != (stat{"a (b) c", 'T', 98765}) {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := parseStat([]byte("42 (x) R 1")); err == nil {
		t.Error("a torn status is taken for one")
	}
}

func TestEndsAreBlamedOnGuestOrNode(t *testing.T) {
	for _, c := range []struct {
		why    libvirt.DomainEventStoppedDetailType
		byHost bool
		guest  bool
		ended  bool
	}{
		{libvirt.DOMAIN_EVENT_STOPPED_SHUTDOWN, false, true, true},
		{libvirt.DOMAIN_EVENT_STOPPED_SHUTDOWN, true, false, true},
		{libvirt.DOMAIN_EVENT_STOPPED_CRASHED, false, true, true},
		{libvirt.DOMAIN_EVENT_STOPPED_FAILED, false, false, true},
		{libvirt.DOMAIN_EVENT_STOPPED_DESTROYED, false, false, true},
		{libvirt.DOMAIN_EVENT_STOPPED_MIGRATED, false, false, false},
		{libvirt.DOMAIN_EVENT_STOPPED_SAVED, false, false, false},
	} {
		end, ended := endOf(c.why, c.byHost)
		if ended != c.ended || end.ByGuest != c.guest || ended && end.Cause == "" {
			t.Errorf("stopped, detail %d, by host %v: %+v, %v", c.why, c.byHost, end, ended)
		}
	}
}

func TestStatesOfDomainsAreTranslated(t *testing.T) {
	paused := func(why libvirt.DomainPausedReason) *libvirt.DomainStatsState {
		return &libvirt.DomainStatsState{StateSet: true, State: libvirt.DOMAIN_PAUSED, ReasonSet: true, Reason: int(why)}
	}
	for _, c := range []struct {
		state *libvirt.DomainStatsState
		want  reconcile.State
	}{
		{&libvirt.DomainStatsState{StateSet: true, State: libvirt.DOMAIN_RUNNING}, reconcile.Running},
		{paused(libvirt.DOMAIN_PAUSED_USER), reconcile.Frozen},
		{paused(libvirt.DOMAIN_PAUSED_SAVE), reconcile.Frozen},
		{paused(libvirt.DOMAIN_PAUSED_MIGRATION), reconcile.Doubtful},
		{paused(libvirt.DOMAIN_PAUSED_POSTCOPY_FAILED), reconcile.Doubtful},
		{paused(libvirt.DOMAIN_PAUSED_CRASHED), reconcile.Dying},
		{&libvirt.DomainStatsState{StateSet: true, State: libvirt.DOMAIN_SHUTDOWN}, reconcile.Dying},
		{nil, reconcile.Dying},
	} {
		if got := stateOf(c.state); got != c.want {
			t.Errorf("%+v: %d, want %d", c.state, got, c.want)
		}
	}
}

func TestForeignVMsAreChargedInSteps(t *testing.T) {
	at := func(second, used int) reading {
		return reading{at: time.Unix(int64(second), 0), used: time.Duration(used) * time.Millisecond}
	}
	for _, c := range []struct {
		name     string
		readings []reading
		want     cluster.CPU
	}{
		{"seen once", []reading{at(0, 5000)}, 0},
		{"idle", []reading{at(0, 5000), at(60, 5000)}, 0},
		{"a little", []reading{at(0, 0), at(60, 60)}, 100},
		{"some", []reading{at(0, 0), at(30, 1), at(60, 15_000)}, 300},
	} {
		var s stranger
		for _, r := range c.readings {
			s.see(r)
		}
		if s.charge != c.want {
			t.Errorf("%s: %v, want %v", c.name, s.charge, c.want)
		}
	}
	var s stranger
	for second := range 1000 {
		s.see(at(second, second*100))
	}
	if n := len(s.readings); n != 301 {
		t.Errorf("%d readings are kept, want 301: five minutes and where they begin", n)
	}
}

func TestAForeignVMThatFluctuatesChangesTheOfferRarely(t *testing.T) {
	var s stranger
	charges := map[cluster.CPU]int{}
	used := time.Duration(0)
	for second := range 3600 {
		used += 300 * time.Millisecond
		if second/240%2 == 0 { // its mean goes up and down across the border of two steps
			used += 150 * time.Millisecond
		}
		s.see(reading{at: time.Unix(int64(second), 0), used: used})
		if second > 600 {
			charges[s.charge]++
		}
	}
	if len(charges) != 1 {
		t.Errorf("it is charged in turn %v", charges)
	}
	for second := 3600; second < 4200; second++ {
		s.see(reading{at: time.Unix(int64(second), 0), used: used})
	}
	if s.charge != 0 {
		t.Errorf("ten idle minutes later it is charged %v", s.charge)
	}
}

func TestTheNewestMachineTypesAreOffered(t *testing.T) {
	const caps = `<capabilities><guest><os_type>hvm</os_type><arch name='x86_64'>
	  <machine canonical='pc-q35-7.2' maxCpus='288'>q35</machine><machine>pc-q35-2.9</machine><machine>pc-q35-10.0</machine>
	  <machine>pc-i440fx-7.2</machine><machine>pc-q35-7.1</machine><machine>pc-q35-4.0.1</machine>
	  <domain type='qemu'/></arch></guest></capabilities>`
	got, err := machinesOf(caps, "tcg")
	if diff := cmp.Diff([]string{"pc-q35-10.0", "pc-q35-7.2", "pc-q35-7.1", "pc-q35-4.0.1"}, got); diff != "" ||
		err != nil {
		t.Errorf("%v, %s", err, diff)
	}
	if _, err := machinesOf("<capabilities/>", "tcg"); err == nil {
		t.Error("a hypervisor without machines is taken for one")
	}
}

func TestTheMachinesOwnModelIsPromisedOnlyIfItIsUsable(t *testing.T) {
	const caps = `<domainCapabilities><cpu><mode name='host-model' supported='yes'><model fallback='forbid'>%</model></mode>
	  <mode name='custom' supported='yes'><model usable='yes'>qemu64</model><model usable='yes'>486</model><model usable='yes'>Haswell</model><model usable='no'>EPYC</model></mode></cpu></domainCapabilities>`
	for _, c := range []struct {
		host, accel, wanted string
		want                []string
	}{
		{"Haswell", "kvm", "", []string{"Haswell", "qemu64"}},
		{"EPYC", "kvm", "", []string{"qemu64", "Haswell"}},
		{"Haswell", "kvm", "qemu64", []string{"qemu64", "Haswell"}},
		{"Haswell", "tcg", "", []string{"qemu64"}},
	} {
		got, err := modelsOf(strings.Replace(caps, "%", c.host, 1), c.accel, c.wanted)
		if diff := cmp.Diff(c.want, got); diff != "" || err != nil {
			t.Errorf("%+v: %v, %s", c, err, diff)
		}
	}
}

func TestADomainIsDescribedWithAllThatMustBeExplicit(t *testing.T) {
	m := monitor.Machine{
		VM: monitor.VM{Cluster: [16]byte{1, 2, 3, 4}, Run: cluster.RunID{Job: 17, Index: 2, Number: 1}}, Project: "a<b",
		VCPUs: 2, Memory: 96 * cluster.MiB, Cap: 1500, Tier: cluster.Background,
		Image:  monitor.Image{Kernel: "/i/kernel", Initrd: "/i/initrd", Cmdline: "quiet a=<b>"},
		Folder: monitor.RunFolder("/store", cluster.RunID{Job: 17, Index: 2, Number: 1}),
		NIC: &monitor.NIC{Bridge: "br0", MAC: "06:01:00:11:03:04", Segment: "06:01:00:11", Bits: 20,
			Address: 10<<24 | 77<<16 | 35<<8 | 4, Rate: 500},
	}
	text, err := domainOf(m, platform{"tcg", "pc-q35-7.2", "qemu64"}, 0, []int{3, 7})
	if err != nil {
		t.Fatal(err)
	}
	golden := filepath.Join("testdata", "domain.xml")
	if os.Getenv("REWRITE") != "" {
		if err := os.WriteFile(golden, []byte(text+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), text+"\n"); diff != "" {
		t.Errorf("with REWRITE=1 the description is accepted (-want +got):\n%s", diff)
	}
	config := Config{Images: "/i", Shared: "/store/images"}
	again, err := config.destined(text, 700)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/elsewhere/kernel", ""} { // of a VM from before, or without an initrd
		if got := config.shared(path); got != path {
			t.Errorf("%q becomes %q", path, got)
		}
		if got := (Config{}).shared(path); got != path {
			t.Errorf("without folders %q becomes %q", path, got)
		}
	}
	m.Cap = 700
	m.Image.Kernel, m.Image.Initrd = "/store/images/kernel", "/store/images/initrd"
	other, err := domainOf(m, platform{"tcg", "pc-q35-7.2", "qemu64"}, 0, nil)
	if diff := cmp.Diff(other, again); diff != "" || err != nil {
		t.Errorf("a move changes more than the share and the image's folder: %v\n%s", err, diff)
	}
	f, err := factsOf(text, qemu{}.platformIn)
	if err != nil || f.vcpus != 2 || f.platform != "tcg/pc-q35-7.2/qemu64" ||
		!slices.Equal(f.cpus, []int{3, 7}) {
		t.Errorf("read back: %+v, %v", f, err)
	}
}

// posing starts a process that looks like the QEMU of the VM.
func posing(t *testing.T, vm monitor.VM) Process {
	t.Helper()
	c := &exec.Cmd{Path: "/bin/sh", Args: []string{"qemu-system-posing", "-c", "read line", "-name", "guest=" + vm.Name() +
		",debug-threads=on", "-uuid", vm.UUID()}}
	hold, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { hold.Close(); c.Process.Kill(); c.Wait() })
	p, err := local.process(c.Process.Pid)
	for end := time.Now().Add(10 * time.Second); p.UUID == "" && time.Now().Before(end); time.Sleep(time.Millisecond) {
		p, err = local.process(c.Process.Pid) // until it looks like QEMU
	}
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestTheFirmGripTouchesTheVMsOfItsClusterAlone(t *testing.T) {
	run := cluster.RunID{Job: 3, Index: 1, Number: 2}
	ours, theirs := monitor.VM{Cluster: [16]byte{1, 2}, Run: run}, monitor.VM{Cluster: [16]byte{1, 3}, Run: run}
	twin := monitor.VM{Cluster: [16]byte{1, 2, 0, 0, 5}, Run: run} // a VM of the same name
	mine, other, twins := posing(t, ours), posing(t, theirs), posing(t, twin)
	if err := (Firm{}).Freeze(t.Context(), ours.Cluster); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(10 * time.Second); !mine.Stopped() && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	if !mine.Stopped() || other.Stopped() || twins.Stopped() {
		t.Errorf("stopped: its own %v, another cluster's %v, that of a cluster whose VMs have the same name %v",
			mine.Stopped(), other.Stopped(), twins.Stopped())
	}
	if err := (Firm{}).Destroy(t.Context(), ours.Cluster); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(10 * time.Second); mine.Alive() && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	if mine.Alive() || !other.Alive() || !twins.Alive() {
		t.Errorf("alive: its own %v, another cluster's %v, the twin %v", mine.Alive(), other.Alive(), twins.Alive())
	}
}

func TestTheGentleGripTakesTheVMsThatLibvirtDoesNotList(t *testing.T) {
	of := [16]byte{1, 4}
	run := func(job cluster.JobID) cluster.RunID { return cluster.RunID{Job: job, Number: 1} }
	listed, lost := posing(t, monitor.VM{Cluster: of, Run: run(1)}), posing(t, monitor.VM{Cluster: of, Run: run(2)})
	listing := monitor.Listing{Domains: map[cluster.RunID]reconcile.Domain{run(1): {}}}
	if err := seize(of, listing, unix.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(10 * time.Second); !lost.Stopped() && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	if !lost.Stopped() || listed.Stopped() {
		t.Errorf("stopped: the VM that libvirt lost %v, the one that it lists %v", lost.Stopped(), listed.Stopped())
	}
}

func TestTheAgeOfAProcessIsCountedFromItsStart(t *testing.T) {
	text, err := os.ReadFile("/proc/self/stat")
	if err != nil {
		t.Fatal(err)
	}
	s, err := parseStat(text)
	if err != nil {
		t.Fatal(err)
	}
	if age := (Process{Start: s.start}).age(); age > time.Hour {
		t.Errorf("this test has run for %v", age)
	}
	if age := (Process{Start: s.start + 1000*hertz}).age(); age != 0 {
		t.Errorf("a process of the future is %v old", age)
	}
}
