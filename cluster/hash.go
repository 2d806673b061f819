package cluster

import (
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"iter"
	"slices"
)

// Hash returns the SHA-256 of a walk over all of the state: of every nonzero field, its number in cluster.proto and its
// value. Programs of different versions that both know the Format compute the same hash: a field that one of them does
// not know is zero in the other, and the walk does not depend on how a library encodes messages. Hash reads everything,
// which takes about a second for a million jobs.
func (s *State) Hash() (sum [32]byte) {
	w := &walker{h: sha256.New()}
	s.hashHead(w)
	hashTree(w, 2, s.jobs, hashJob)
	hashTree(w, 3, s.history, hashJob)
	hashTree(w, 4, s.nodes, hashNode)
	w.num(5, int64(s.target.Len()))
	for id, p := range s.target.All() {
		hashHolding(w, &Holding{id, *p})
		w.end()
		w.flush()
	}
	hashTree(w, 6, s.moves, hashMove)
	hashTree(w, 7, s.images, hashImage)
	hashTree(w, 8, s.tokens, hashToken)
	hashLater(w, s)
	hashTree(w, 9, s.requests, func(w *walker, r request) { hashRequest(w, &r) })
	w.h.Write(w.buf)
	w.h.Sum(sum[:0])
	return sum
}

// hashLater walks over what only later Formats have, if there is any: below the Formats that have it, other
// programs know none.
func hashLater(w *walker, s *State) {
	if s.quotas.Len() > 0 {
		hashTree(w, 10, s.quotas, hashQuota)
	}
	if s.promises.Len() > 0 {
		hashTree(w, 11, s.promises, hashPromise)
	}
	if s.experience.Len() > 0 {
		hashTree(w, 12, s.experience, hashRunTimes)
	}
	if s.speeds.Len() > 0 {
		hashTree(w, 130, s.speeds, hashRunTimes)
	}
	if s.boots.Len() > 0 {
		hashTree(w, 112, s.boots, hashBoots)
	}
	if s.offers.Len() > 0 {
		hashTree(w, 13, s.offers, hashJobOffer)
	}
	if s.standings.Len() > 0 {
		hashTree(w, 95, s.standings, hashStanding)
	}
	if s.refusals.Len() > 0 {
		hashTree(w, 120, s.refusals, func(w *walker, r refused) { hashRefused(w, &r) })
	}
}

// hashHead walks over the fields that are in no tree. The numbers are those of Head and, for the occasion, of Occasion.
func (s *State) hashHead(w *walker) {
	w.num(1, int64(s.Format))
	w.bytes(2, s.Cluster[:])
	w.num(3, int64(s.Generation))
	w.num(4, int64(s.Epoch))
	w.num(5, int64(s.Leader))
	w.num(6, int64(s.Term))
	w.num(7, int64(s.Now))
	w.num(8, int64(s.Revision))
	hashStruct(w, 9, &s.Policy, hashPolicyChoice)
	hashStruct(w, 10, &s.Occasion, hashOccasion)
	w.num(11, int64(s.StoreFree))
	w.num(12, int64(s.NextJob))
	w.num(13, int64(s.NextNode))
	w.num(14, int64(s.NextMove))
	w.num(15, int64(s.reserved))
	w.num(16, int64(s.overhead))
	w.num(17, int64(s.ended))
	w.num(18, int64(s.changed))
	hashList(w, 19, s.Unheard, hashGap)
	hashList(w, 20, s.Agenda, hashAlarm)
	w.num(21, int64(s.TimeSet))
	hashNumbers(w, 22, s.starts)
	w.num(23, int64(s.Subnet.Base)<<6|int64(s.Subnet.Bits))
	w.num(80, int64(s.NextOffer))
	w.num(95, int64(s.NextStanding))
	w.num(105, int64(s.Theta))
	hashNumbers(w, 110, s.restores)
	hashNumbers(w, 111, s.losses)
	w.flag(120, s.Subnet.Open)
	w.num(121, int64(s.Subnet.Rate))
	w.end()
}

func hashOccasion(w *walker, o *Occasion) {
	hashNumbers(w, 1, o.Submitted)
	w.flag(2, o.Ended)
	w.flag(3, o.NodesChanged)
	hashList(w, 6, o.Due, hashAlarm)
	w.flag(7, o.EndedForeground)
}

// walker collects the bytes to hash: numbers of fields, which are above 0, each before its value; 0 ends a struct.
type walker struct {
	h   hash.Hash
	buf []byte
}

func (w *walker) tag(field int) { w.buf = binary.AppendUvarint(w.buf, uint64(field)) }

func (w *walker) size(n int) { w.buf = binary.AppendUvarint(w.buf, uint64(n)) }

// end ends a struct.
func (w *walker) end() { w.buf = append(w.buf, 0) }

func (w *walker) num(field int, v int64) {
	if v != 0 {
		w.tag(field)
		w.buf = binary.AppendVarint(w.buf, v)
	}
}

func (w *walker) flag(field int, v bool) {
	if v {
		w.num(field, 1)
	}
}

func (w *walker) text(field int, v string) {
	if v != "" {
		w.tag(field)
		w.string(v)
	}
}

// bytes walks over an array unless all of it is zero.
func (w *walker) bytes(field int, v []byte) {
	if slices.ContainsFunc(v, func(b byte) bool { return b != 0 }) {
		w.text(field, string(v))
	}
}

func (w *walker) string(v string) {
	w.size(len(v))
	w.buf = append(w.buf, v...)
}

// hashStruct walks over a struct unless all of it is zero.
func hashStruct[T any](w *walker, field int, v *T, each func(*walker, *T)) {
	before := len(w.buf)
	w.tag(field)
	within := len(w.buf)
	if each(w, v); len(w.buf) == within {
		w.buf = w.buf[:before]
		return
	}
	w.end()
}

// hashOptional walks over an optional struct.
func hashOptional[T any](w *walker, field int, v *T, each func(*walker, *T)) {
	if v != nil {
		w.tag(field)
		each(w, v)
		w.end()
	}
}

// hashList walks over a list after its length.
func hashList[T any](w *walker, field int, list []T, each func(*walker, *T)) {
	if len(list) == 0 {
		return
	}
	w.tag(field)
	w.size(len(list))
	for i := range list {
		each(w, &list[i])
		w.end()
	}
}

func hashNumbers[T ~int64 | ~uint32 | ~uint64](w *walker, field int, list []T) {
	if len(list) == 0 {
		return
	}
	w.tag(field)
	w.size(len(list))
	for _, v := range list {
		w.buf = binary.AppendVarint(w.buf, int64(v))
	}
}

func hashTexts(w *walker, field int, list []string) {
	if len(list) == 0 {
		return
	}
	w.tag(field)
	w.size(len(list))
	for _, v := range list {
		w.string(v)
	}
}

// hashTree walks over a tree in its order after its length. The field is that of Record.
func hashTree[T any](w *walker, field int, t interface {
	Len() int
	all() iter.Seq[T]
}, each func(*walker, T)) {
	w.num(field, int64(t.Len()))
	for v := range t.all() {
		each(w, v)
		w.end()
		w.flush()
	}
}

// flush passes on what was gathered. It is called between structs, as hashStruct may take back what is in one.
func (w *walker) flush() {
	if len(w.buf) > 1<<15 {
		w.h.Write(w.buf)
		w.buf = w.buf[:0]
	}
}
