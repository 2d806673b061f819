package cluster

import (
	"strings"

	"pgregory.net/rapid"
)

// administer does one of the things that administrators, operators and leaders seldom do.
func (w *world) administer() {
	owner := rapid.SampledFrom([]string{"root", "eve", ""}).Draw(w.T, "owner")
	digest := strings.Repeat(rapid.SampledFrom([]string{"a", "b", "g"}).Draw(w.T, "digit"), 64)
	seldom := []func() Action{
		func() Action { return Import{uint64(w.int(0, 3, "generation"))} },
		func() Action { return SetPolicy{owner, Time(w.int(0, 90_000, "period")) * Second} },
		func() Action { return w.token() },
		func() Action {
			most := Use{Jobs: w.int(0, 3, "jobs"), Memory: Bytes(w.int(0, 300, "memory")) * MiB}
			return SetQuota{Quota{Project: "default", Owner: owner, Most: most}}
		},
		func() Action {
			subnet := Subnet{Base: Address(w.int(9, 11, "base")) << 24, Bits: w.int(28, 29, "bits"),
				Open: rapid.Bool().Draw(w.T, "open"), Rate: w.int(-1, 2, "rate")}
			return SetSubnet{rapid.SampledFrom([]Subnet{{}, subnet}).Draw(w.T, "subnet")}
		},
		func() Action { return SetTheta{Theta(w.int(-1, 300, "θ"))} },
		func() Action { return PutImage{Image{Name: w.someName(), Digest: digest, Kind: "kernel", Size: 1}} },
		func() Action { return RemoveImage{digest} },
		func() Action { return Checkpoint{Revision: w.s.Revision} },
		func() Action { return Raise{uint32(w.int(0, LatestFormat+1, "format"))} },
		func() Action { return SetTime{w.s.Now + Time(w.int(-100, 100, "time"))*Second} },
	}
	w.apply(seldom[w.int(0, len(seldom)-1, "what")]())
}

func (w *world) token() PutToken {
	return PutToken{Token{ID: w.someName(), Name: w.someName(), Revoked: rapid.Bool().Draw(w.T, "revoked"),
		Actor: Actor{Name: "eve", Owner: "eve", Project: "default", Role: Role(w.int(0, int(System), "role"))}}}
}

// enact carries out a plan, as it was announced or not.
func (w *world) enact() {
	basis := w.s.Revision - uint64(w.int(0, 9, "late")/9)
	wishes := []Action{nil, SetPolicy{"FCFS", Minute}, w.submission(), SetNode{w.someNode(), Drain}, Hold{w.someJob()}}
	w.apply(Enact{Basis: basis, Wish: wishes[w.int(0, len(wishes)-1, "wish")], Decision: w.proposal(basis)})
}
