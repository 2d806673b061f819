package cluster

import (
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"iter"
)

// Hash is the SHA-256 of a walk over all of the state in which numbers have eight bytes and text and lists follow
// their length. It does not depend on how states are written down, so that replicas of different versions of this
// program can compare theirs; for the same reason a field that comes later is walked over only from the Format on that
// brought it. It reads everything: about a second for a million jobs.
func (s *State) Hash() (sum [32]byte) {
	w := &walker{h: sha256.New(), format: s.Format}
	s.hashHead(w)
	hashTree(w, s.jobs, hashJob)
	hashTree(w, s.history, hashJob)
	hashTree(w, s.nodes, hashNode)
	w.num(int64(s.target.Len()))
	for id, p := range s.target.All() {
		hashHolding(w, id, p)
	}
	hashTree(w, s.moves, hashMove)
	hashTree(w, s.images, hashImage)
	hashTree(w, s.tokens, hashToken)
	hashTree(w, s.requests, hashRequest)
	w.flush()
	w.h.Sum(sum[:0])
	return sum
}

// walker gathers what is hashed.
type walker struct {
	h      hash.Hash
	buf    []byte
	format uint32 // of the state
}

func (w *walker) flush() {
	w.h.Write(w.buf)
	w.buf = w.buf[:0]
}

func (w *walker) num(values ...int64) {
	for _, v := range values {
		w.buf = binary.LittleEndian.AppendUint64(w.buf, uint64(v))
	}
	if len(w.buf) > 1<<15 {
		w.flush()
	}
}

func (w *walker) text(values ...string) {
	for _, v := range values {
		w.num(int64(len(v)))
		w.buf = append(w.buf, v...)
	}
}

func (w *walker) flag(values ...bool) {
	for _, v := range values {
		if v {
			w.num(1)
		} else {
			w.num(0)
		}
	}
}

// hashList walks over a list after its length.
func hashList[T any](w *walker, list []T, each func(*walker, T)) {
	w.num(int64(len(list)))
	for _, v := range list {
		each(w, v)
	}
}

// hashTree walks over a tree in its order after its length.
func hashTree[T any](w *walker, t interface {
	Len() int
	all() iter.Seq[T]
}, each func(*walker, T)) {
	w.num(int64(t.Len()))
	for v := range t.all() {
		each(w, v)
	}
}

// hashOptional walks over what may be absent.
func hashOptional[T any](w *walker, v *T, each func(*walker, T)) {
	w.flag(v != nil)
	if v != nil {
		each(w, *v)
	}
}

func hashID[T ~int64 | ~uint32 | ~uint64](w *walker, id T) { w.num(int64(id)) }

func hashText(w *walker, s string) { w.text(s) }
