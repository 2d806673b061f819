package cluster

import (
	"strings"
	"testing"
)

func TestPathsOfFilesLeadToOnePlaceBelowTheTasksFolder(t *testing.T) {
	long := strings.Repeat("x", MaxPath+1)
	for name, ok := range map[string]bool{
		"script.py": true, "data/in.csv": true, "a b": true, "ö": true, "..a": true,
		"": false, "/etc/passwd": false, "../x": false, "a/../x": false, "a//b": false, "a/": false, ".": false,
		"a\nb": false, "a\x1b[2J": false, "a\xff": false, "a=b": false, long: false,
	} {
		s := Spec{Files: []Pair{{name, "text"}}}
		if got := s.checkBaggage() == nil; got != ok {
			t.Errorf("file %q: taken %v, want %v", name, got, ok)
		}
	}
	if s := (Spec{Files: []Pair{{"a", ""}, {"a.b", ""}, {"a/b", ""}}}); s.checkBaggage() == nil {
		t.Error("a file is taken that lies in another file")
	}
}

func TestAJobGetsADiskOnlyFromAnImageThatHasOne(t *testing.T) {
	w := new(worldOfImages)
	s := w.state(t)
	for says, spec := range map[string]Spec{
		"":                     {Image: w.disk, Disk: 3 << 30},
		"there is no image":    {Image: "none@sha256:"},
		"needs an image of":    {Image: w.kernel, Disk: 3 << 30},
		"needs an image of k":  {Image: w.kernel, CloudInit: "#cloud-config"},
		"k does not start":     {Image: w.kernel, Requirement: Requirement{Memory: 38*MiB - 1}},
		"must be at least 38 ": {Image: w.kernel, Requirement: Requirement{Memory: 16 * MiB}},
		"at least 2 GiB":       {Image: w.disk, Disk: 1 << 30},
	} {
		r := s.Unfit(&spec)
		if says == "" && r != nil || says != "" && (r == nil || !strings.Contains(r.Detail, says)) {
			t.Errorf("%q: %+v", says, r)
		}
	}
}

func TestAJobNeedsTheMemoryThatItsImageTakes(t *testing.T) {
	w := new(worldOfImages)
	s := w.state(t)
	if r := s.Unfit(&Spec{Image: w.kernel, Requirement: Requirement{Memory: 38 * MiB}}); r != nil {
		t.Error(r)
	}
	s.Format = hasDisks - 1
	old := Image{Name: "old", Digest: strings.Repeat("c", 64), Kind: KernelImage, Size: 1, Least: 68 * MiB}
	put := Within(PutImage{old}, s.Format)
	if r := s.Apply(s.Revision+1, Command{Actor: Actor{Role: System}, Action: put}); r.Rejection != nil {
		t.Fatal(r.Rejection)
	}
	if i := s.Image(old.Digest); i.Least != 0 || formatOf(put) != 1 {
		t.Errorf("%+v is kept by replicas that older programs may share", i)
	}
	if all := Within(PutImage{old}, hasDisks); all != (PutImage{old}) || formatOf(all) != hasDisks {
		t.Errorf("%+v of format %d", all, formatOf(all))
	}
}

// worldOfImages is a state with an image of each kind.
type worldOfImages struct{ kernel, disk string }

func (w *worldOfImages) state(t *testing.T) *State {
	t.Helper()
	s := New([16]byte{1}, PolicyChoice{})
	s.Format = LatestFormat
	kernel := Image{Name: "k", Digest: strings.Repeat("a", 64), Kind: KernelImage, Size: 1, Least: 68 * MiB}
	disk := Image{Name: "d", Digest: strings.Repeat("b", 64), Kind: DiskImage, Size: 1, Disk: 2 << 30}
	w.kernel, w.disk = kernel.Reference(), disk.Reference()
	for _, i := range []Image{kernel, disk} {
		r := s.Apply(s.Revision+1, Command{Actor: Actor{Role: System}, Action: PutImage{i}})
		if r.Rejection != nil {
			t.Fatal(r.Rejection)
		}
	}
	return s
}

func TestDisksWaitForTheirFormat(t *testing.T) {
	s := New([16]byte{1}, PolicyChoice{})
	for _, a := range []Action{
		PutImage{Image{Kind: DiskImage}}, PutImage{Image{Kind: KernelImage, Least: 1}},
		Submit{Spec: &Spec{CloudInit: "x"}}, Submit{Spec: &Spec{Files: []Pair{{"a", ""}}}},
		Submit{Spec: &Spec{Disk: 1}},
	} {
		if r := s.Unready(a); r == nil || !strings.Contains(r.Detail, "format 5") {
			t.Errorf("%+v: %+v", a, r)
		}
	}
}

func TestTheBuiltInImageStays(t *testing.T) {
	s := New([16]byte{1}, PolicyChoice{})
	s.Format = LatestFormat
	pushed := Image{Name: "mine", Digest: strings.Repeat("a", 64), Kind: KernelImage, Size: 1}
	older := Image{Name: "busybox", Digest: strings.Repeat("b", 64), Kind: KernelImage, Size: 1, Builtin: true}
	builtin := pushed
	builtin.Name, builtin.Builtin = "busybox", true
	do := func(r Role, a Action) *Rejection {
		return s.Apply(s.Revision+1, Command{Actor: Actor{Name: "a", Role: r}, Action: a, At: s.Now + Second}).Rejection
	}
	for _, step := range []struct {
		by      Role
		a       Action
		refused bool
		now     string // name of the built-in image
	}{
		{System, PutImage{older}, false, "busybox"},
		{Operator, RemoveImage{older.Digest}, true, "busybox"},
		{Operator, PutImage{pushed}, false, "busybox"},
		{System, PutImage{builtin}, false, "mine"}, // it has these files, whoever put them
		{Operator, PutImage{pushed}, false, "mine"},
		{Admin, RemoveImage{pushed.Digest}, true, "mine"},
		{Operator, RemoveImage{older.Digest}, false, "mine"}, // a newer one has replaced it
	} {
		r := do(step.by, step.a)
		if (r != nil) != step.refused || r != nil && !strings.Contains(r.Detail, "built-in") || s.Builtin().Name != step.now {
			t.Errorf("%+v: %+v, and jobs boot %+v", step.a, r, s.Builtin())
		}
	}
}

func TestNodesThatBootNoDisksTakeNoJobsWhoseImageIsOne(t *testing.T) {
	w := new(worldOfImages)
	s := w.state(t)
	do := func(a Action) { s.Apply(s.Revision+1, Command{Actor: Actor{Role: System}, Action: a, Epoch: s.Epoch}) }
	for _, name := range []string{"all", "kernels"} {
		do(Join{Name: name, Boot: "b", Description: Description{CPU: 1000, Memory: 1 << 34, Diskless: name == "kernels"}})
	}
	all, kernels := s.NodeNamed("all"), s.NodeNamed("kernels")
	small := Requirement{Memory: MiB}
	disk := &Spec{Tasks: 1, Need: 1, Requirement: small, Image: w.disk}
	kernel := &Spec{Tasks: 1, Need: 1, Requirement: small, Image: w.kernel}
	disk, kernel = s.adapted(disk), s.adapted(kernel)
	if !s.Allows(all, disk, "") || !s.Allows(all, kernel, "") || !s.Allows(kernels, kernel, "") ||
		s.Allows(kernels, disk, "") {
		t.Error("a job is allowed where its image does not boot, or is not where it does")
	}
	disk.Placement.Nodes = []string{"kernels"}
	want := "no node that may take the job boots disks"
	if r := s.Impossible(disk); r == nil || r.Field != "image" || !strings.Contains(r.Detail, want) {
		t.Errorf("a disk for nodes that boot none: %+v", r)
	}
	kernel.Placement = disk.Placement
	if r := s.Impossible(kernel); r != nil {
		t.Errorf("a kernel there: %+v", r)
	}
	if a := Within(Join{Description: kernels.Description}, isolates-1).(Join); a.Description.Diskless {
		t.Error("replicas of an earlier format are told of it")
	}
}

func TestJobsOfBeforeTellThatTheirImageIsADiskOnceTheFormatIsRaised(t *testing.T) {
	w := new(worldOfImages)
	s := w.state(t)
	do := func(a Action) Result {
		return s.Apply(s.Revision+1, Command{Actor: Actor{Role: System, Owner: "o", Project: "p"}, Action: a, Epoch: s.Epoch})
	}
	s.Format = isolates - 1
	jobs := map[string]JobID{}
	for _, image := range []string{w.disk, w.kernel} {
		r := do(Submit{Spec: &Spec{Owner: "o", Project: "p", Tasks: 1, Need: 1, Requirement: Requirement{64 * MiB},
			Image: image}})
		if jobs[image] = r.Job; r.Rejection != nil || s.Job(r.Job).Spec.BootsDisk {
			t.Fatalf("%+v", r)
		}
	}
	do(Raise{LatestFormat})
	if !s.Job(jobs[w.disk]).Spec.BootsDisk || s.Job(jobs[w.kernel]).Spec.BootsDisk {
		t.Error("an upgrade takes one for the other")
	}
	if err := s.Check(); err != nil {
		t.Error(err)
	}
}
