package labtest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// A fault is one fault as a seed draws it. The lab may meet it in another state in each run.
type fault struct {
	kind   string
	node   string
	victim int           // number of the VM, job or manager, modulo how many there are
	moment time.Duration // from the beginning of the move that is cut to the fault
	long   time.Duration // from the fault until its cause is removed
}

func (f fault) String() string {
	return fmt.Sprintf("%s, %s, number %d, after %v, for %v", f.kind, f.node, f.victim, f.moment, f.long)
}

// outage is the least time without a lease after which a node may count as down and its tasks start elsewhere.
const outage = 15 * time.Second

// A breakage is a kind of fault.
type breakage struct {
	name string
	disk bool // needs file systems of the lab's own
	trio bool // needs three managers
	long bool // lasts longer than lease and margin in one of four draws
	down bool // a node that has it for longer than an outage counts as down
	ends bool // ends VMs of the node at once
	hurt func(c *chaos, f fault) (mend func() error, err error)
}

// breakages are all kinds. Their order is part of what a seed means.
func breakages() []breakage {
	kinds := []breakage{
		{name: "manager killed", hurt: (*chaos).killManager},
		{name: "manager stopped", long: true, hurt: (*chaos).stopManager},
		{name: "QEMU killed", ends: true, hurt: (*chaos).killQEMU},
		{name: "QEMU stopped", hurt: (*chaos).stopQEMU},
		{name: "libvirtd killed", long: true, hurt: (*chaos).killLibvirtd},
		{name: "libvirtd stopped", long: true, hurt: (*chaos).haltLibvirtd},
		{name: "link cut", long: true, down: true, hurt: (*chaos).cutLink},
		{name: "link slow", hurt: (*chaos).slowLink},
		{name: "node mute", long: true, down: true, hurt: (*chaos).mute},
		{name: "node deaf", long: true, down: true, hurt: (*chaos).deafen},
		{name: "node without power", ends: true, hurt: (*chaos).powerOff},
		{name: "store not mounted", long: true, hurt: (*chaos).unmountStore},
		{name: "store hangs", disk: true, hurt: (*chaos).hangStore},
		{name: "own disk read-only", long: true, down: true, hurt: (*chaos).lockDisk},
		{name: "own disk full", disk: true, long: true, hurt: (*chaos).fillDisk},
		{name: "own disk hangs", disk: true, long: true, down: true, hurt: (*chaos).hangDisk},
		{name: "two managers killed", trio: true, hurt: (*chaos).killTwoManagers},
	}
	for _, role := range []string{"monitor", "fence"} {
		kinds = append(kinds,
			breakage{name: role + " killed", long: true, down: role == "monitor", hurt: killed(role)},
			breakage{name: role + " stopped", long: true, down: role == "monitor", hurt: stopped(role)})
	}
	for _, who := range []string{"source's libvirtd", "target's libvirtd", "source's monitor", "target's monitor",
		"manager"} {
		kinds = append(kinds, breakage{name: "migration, " + who + " killed", hurt: migrationCut(who)})
	}
	for _, who := range []string{"libvirtd", "monitor"} {
		kinds = append(kinds, breakage{name: "save, " + who + " killed", hurt: saveCut(who)})
	}
	return kinds
}

// kindOf returns the kind of a fault.
func kindOf(f fault) breakage {
	all := breakages()
	return all[slices.IndexFunc(all, func(b breakage) bool { return b.name == f.kind })]
}

// excuses reports whether the fault explains that a run on the node was lost.
func (f fault) excuses(node string) bool {
	b := kindOf(f)
	return f.node == node && (b.ends || b.down && f.long > outage)
}

// draw returns the faults of a seed. Each kind comes once before one comes twice.
func draw(seed uint64, number int, kinds []breakage) (faults []fault) {
	r := rand.New(rand.NewPCG(seed, 0))
	var round []int
	for range number {
		if len(round) == 0 {
			round = r.Perm(len(kinds))
		}
		kind := kinds[round[0]]
		round = round[1:]
		f := fault{
			kind: kind.name, node: places[r.IntN(len(places))].name, victim: r.IntN(1000),
			moment: time.Duration(r.IntN(1200)) * time.Millisecond,
			long:   time.Duration(200+r.IntN(4800)) * time.Millisecond,
		}
		if lasts := r.IntN(4) == 0; lasts && kind.long {
			f.long += lease + fenceMargin + 4*time.Second
		}
		faults = append(faults, f)
	}
	return faults
}

func TestSeedRepeatsItsFaultsAndEachKindComesInEveryRound(t *testing.T) {
	kinds := breakages()
	first := draw(7, 3*len(kinds), kinds)
	if again := draw(7, 3*len(kinds), kinds); !slices.Equal(first, again) {
		t.Errorf("seed 7 drew %v and then %v", first, again)
	}
	if other := draw(8, 3*len(kinds), kinds); slices.Equal(first, other) {
		t.Error("seeds 7 and 8 drew the same faults")
	}
	times := map[string]int{}
	for _, f := range first {
		times[f.kind]++
	}
	for _, kind := range kinds {
		if times[kind.name] != 3 {
			t.Errorf("%s came %d times in three rounds", kind.name, times[kind.name])
		}
	}
}
