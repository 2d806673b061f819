package cluster

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	pb "aliquot/cluster/clusterpb"
)

// FuzzDecodeCommand holds that whatever is taken for a command can be written again, and that Apply copes with it.
func FuzzDecodeCommand(f *testing.F) {
	for _, like := range everyAction {
		f.Add(EncodeCommand(counting().command(like)))
	}
	base := built(f, 3, 30).s
	f.Fuzz(func(t *testing.T, b []byte) {
		c, err := DecodeCommand(b)
		if err != nil {
			return
		}
		again, err := DecodeCommand(EncodeCommand(c))
		if diff := cmp.Diff(c, again, cmpopts.EquateEmpty()); diff != "" || err != nil {
			t.Fatalf("%v (-first +second):\n%s", err, diff)
		}
		s := base.Clone()
		c.Actor.Role, c.Epoch, c.Request = System, s.Epoch, ""
		if r := s.Apply(s.Revision+1, c); r.Rejection != nil && r.Rejection.Code == CodeInternalBug {
			t.Fatalf("%+v: %v", c, r.Rejection)
		}
	})
}

// FuzzDecodeState checks that every state that decodes also encodes. The input is records; the test computes the seal,
// which hardly any input would match.
func FuzzDecodeState(f *testing.F) {
	for _, s := range []*State{Newest([16]byte{1}, PolicyChoice{"FCFS", Minute}), counting().state(), built(f, 3, 30).s} {
		f.Add(unsealed(written(f, s)))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if s, err := Decode(bytes.NewReader(b)); err == nil {
			t.Fatalf("revision %d was read without a seal", s.Revision)
		}
		s, err := Decode(bytes.NewReader(sealed(b)))
		if err != nil {
			return
		}
		if again := reread(t, s); again.Hash() != s.Hash() {
			t.Fatalf("(-first +second):\n%s", differ(s, again))
		}
	})
}

// unsealed takes the magic and the tail away.
func unsealed(b []byte) []byte {
	b = b[len(stateMagic):]
	last := 0
	for at := 0; at < len(b); {
		n, w := binary.Uvarint(b[at:])
		last, at = at, at+w+int(n)
	}
	return b[:last]
}

// sealed adds them, with the count of the records that there seem to be.
func sealed(b []byte) []byte {
	out, records := append([]byte(stateMagic), b...), uint64(0)
	for at := 0; at < len(b); records++ {
		n, w := binary.Uvarint(b[at:])
		if w <= 0 || n > uint64(len(b)) {
			break
		}
		at += w + int(n)
	}
	tail := &pb.Tail{Records: records, Checksum: crc32.Checksum(out, castagnoli)}
	record := marshal(nil, &pb.Record{Record: &pb.Record_Tail{Tail: tail}})
	return append(binary.AppendUvarint(out, uint64(len(record))), record...)
}
