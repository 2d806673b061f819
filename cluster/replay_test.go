package cluster

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"testing"
)

// replay is a log of commands that an older program wrote, with what it made of each; testdata/format2/README.md says
// how.
type replay struct {
	t    *testing.T
	rest *bytes.Reader
	s    *State
}

func openReplay(t *testing.T) *replay {
	f, err := os.Open("testdata/format2/commands.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	all, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return &replay{t: t, rest: bytes.NewReader(all)}
}

// next returns the next command and the first bytes of the hash of the encoded state after it. A new world begins with
// the name of its policy.
func (r *replay) next() (c Command, sum []byte, ok bool) {
	text := r.bytes()
	if text == nil {
		return c, nil, false
	}
	if len(text) == 0 {
		r.s = New([16]byte{1}, PolicyChoice{string(r.bytes()), Minute})
		text = r.bytes()
	}
	c, err := DecodeCommand(text)
	if err != nil {
		r.t.Fatalf("revision %d: %v", r.s.Revision+1, err)
	}
	sum = make([]byte, 8)
	if _, err := io.ReadFull(r.rest, sum); err != nil {
		r.t.Fatal(err)
	}
	return c, sum, true
}

// bytes reads as many bytes as a number before them says; nil: there are no more.
func (r *replay) bytes() []byte {
	n, err := binary.ReadUvarint(r.rest)
	if errors.Is(err, io.EOF) {
		return nil
	}
	b := make([]byte, n)
	if _, err := io.ReadFull(r.rest, b); err != nil {
		r.t.Fatal(err)
	}
	return b
}

// each applies all commands and calls do after each.
func (r *replay) each(do func(c Command, sum []byte)) (tried map[string]int) {
	tried = map[string]int{}
	for c, sum, ok := r.next(); ok; c, sum, ok = r.next() {
		result := r.s.Apply(r.s.Revision+1, c)
		if result.Rejection != nil && result.Rejection.Code == CodeInternalBug {
			r.t.Fatal(result.Rejection)
		}
		if result.Rejection == nil {
			tried[fmt.Sprintf("%T", c.Action)]++
		}
		do(c, sum)
	}
	return tried
}

// raised are the actions that only later formats have.
var raised = []Action{Raise{}, SetTime{}, SetLink{}, SetQuota{}, SetSubnet{}, Invite{}, Admit{}, RemoveNode{},
	Maintain{}, Reopen{}, SubmitWorkflow{}, AcceptOffer{}, DeclineOffer{},
	Reschedule{}, Stand{}, CancelStanding{}, SetTheta{}}

// An upgraded replica applies the log of the older program to a new state, and may exchange snapshots with replicas
// that run it still: both must come to the same bytes.
func TestALogOfFormat2HasTheOutcomeThatItsProgramGaveIt(t *testing.T) {
	r := openReplay(t)
	tried := r.each(func(c Command, sum []byte) {
		b := written(t, r.s)
		if got := sha256.Sum256(b); !bytes.Equal(got[:8], sum) {
			t.Fatalf("revision %d: %T %+v has another outcome:\n%+v", r.s.Revision, c.Action, c.Action, plain(r.s))
		}
		if r.s.Revision%16 == 0 {
			r.s = reread(t, r.s)
		}
	})
	if len(tried) != len(everyAction)-len(raised) {
		t.Errorf("done were %v; all but those of later formats should be", tried)
	}
}

func TestAClusterGoesOnAfterItsFormatWasRaised(t *testing.T) {
	r := openReplay(t)
	raised := 0
	r.each(func(c Command, _ []byte) {
		if r.s.Revision%40 != 0 {
			return
		}
		s := r.s.Clone()
		do := func(a Action) {
			if result := s.Apply(s.Revision+1, Command{At: s.Now, Actor: root, Epoch: s.Epoch,
				Action: a}); result.Rejection != nil {
				t.Fatalf("revision %d: %T: %v", s.Revision, a, result.Rejection)
			}
			if err := s.Check(); err != nil {
				t.Fatalf("revision %d: %T: %v", s.Revision, a, err)
			}
		}
		do(Raise{LatestFormat})
		for n := range s.Clone().Nodes() {
			do(Report{Node: n.ID, FenceAlive: true, StoreProven: true, StoreFree: 1000 * MiB})
		}
		if again := reread(t, s); again.Hash() != s.Hash() {
			t.Errorf("revision %d: another hash after a snapshot", s.Revision)
		}
		raised++
	})
	if raised < 20 {
		t.Errorf("raised %d times only", raised)
	}
}
