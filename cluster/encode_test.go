package cluster

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/proto"
	"pgregory.net/rapid"

	pb "aliquot/cluster/clusterpb"
)

func written(t interface{ Fatal(...any) }, s *State) []byte {
	var out bytes.Buffer
	if err := s.Encode(&out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func reread(t interface{ Fatal(...any) }, s *State) *State {
	back, err := Decode(bytes.NewReader(written(t, s)))
	if err != nil {
		t.Fatal(err)
	}
	return back
}

func TestEveryFieldOfACommandSurvivesTheLog(t *testing.T) {
	for _, like := range everyAction {
		want := counting().command(like)
		got, err := DecodeCommand(EncodeCommand(want))
		if err != nil {
			t.Fatalf("%T: %v", like, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%T (-want +got):\n%s", like, diff)
		}
	}
}

func TestEveryActionIsTriedHere(t *testing.T) {
	var tried, written []string
	for _, a := range everyAction {
		tried = append(tried, reflect.TypeOf(a).Name())
	}
	files := must(filepath.Glob("*.go"))
	for _, file := range files {
		for _, found := range applies.FindAllSubmatch(must(os.ReadFile(file)), -1) {
			written = append(written, string(found[1]))
		}
	}
	slices.Sort(tried)
	slices.Sort(written)
	if diff := cmp.Diff(written, tried); diff != "" {
		t.Errorf("actions (-with an apply method +in everyAction):\n%s", diff)
	}
}

var applies = regexp.MustCompile(`(?m)^func \(\w+ (\w+)\) apply\(t \*transaction\) Result`)

func TestEveryChangeOfACommandChangesItsBytes(t *testing.T) {
	for _, like := range everyAction {
		c := counting().command(like)
		before, action := EncodeCommand(c), reflect.New(reflect.TypeOf(like))
		action.Elem().Set(reflect.ValueOf(c.Action))
		changes(action.Elem(), reflect.TypeOf(like).Name(), func(path string) {
			c.Action = action.Elem().Interface().(Action)
			if bytes.Equal(before, EncodeCommand(c)) {
				t.Errorf("%s is not written down", path)
			}
		})
	}
}

func TestAnyCommandSurvivesTheLog(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := drawing(t).command(rapid.SampledFrom(everyAction).Draw(t, "action"))
		got, err := DecodeCommand(EncodeCommand(want))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

func TestTextThatIsNotUTFIsRepairedInACopy(t *testing.T) {
	c := Command{Action: Submit{Spec: &Spec{Name: "a\xff", Args: []string{"b\xfe"}, Env: []Pair{{"k", "\xfd"}}}}}
	got, err := DecodeCommand(EncodeCommand(c))
	if err != nil {
		t.Fatal(err)
	}
	want := &Spec{Name: "a\ufffd", Args: []string{"b\ufffd"}, Env: []Pair{{"k", "\ufffd"}}}
	if diff := cmp.Diff(want, got.Action.(Submit).Spec); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if arg := c.Action.(Submit).Spec.Args[0]; arg != "b\xfe" {
		t.Errorf("encoding changed the command itself: %q", arg)
	}
}

func TestACommandThatIsNotFullyKnownIsRefused(t *testing.T) {
	unknown := append(EncodeCommand(Command{Action: Hold{1}}), 0x98, 0x7d, 1) // field 2003
	nested, err := proto.Marshal(&pb.Command{Format: 1, Action: &pb.Command_Submit{Submit: &pb.Submit{}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		bytes []byte
		want  string
		newer bool
	}{
		{"nothing", nil, "format 0 has no action that this program knows", false},
		{"a newer format", must(proto.Marshal(&pb.Command{Format: LatestFormat + 1})),
			fmt.Sprintf("format %d, known up to %d", LatestFormat+1, LatestFormat), true},
		{"an unknown field", unknown, "unknown fields", true},
		{"no specification", nested, "a job without a specification", false},
		{"a number beyond its enumeration",
			must(proto.Marshal(&pb.Command{Action: &pb.Command_SetHealth{SetHealth: &pb.SetHealth{Health: 256}}})),
			"256 is no cluster.Health, the last is 2", false},
		{"a short hash",
			must(proto.Marshal(&pb.Command{Action: &pb.Command_Checkpoint{Checkpoint: &pb.Checkpoint{Hash: []byte{1}}}})),
			"1 bytes where 32 are expected", false},
		{"too many bytes", make([]byte, MaxCommand+1), "the most are 67108864", false},
	} {
		_, err := DecodeCommand(c.bytes)
		if err == nil || !strings.Contains(err.Error(), c.want) || errors.Is(err, ErrNewer) != c.newer {
			t.Errorf("%s: %v; expected %q", c.name, err, c.want)
		}
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func TestEveryFieldOfAStateSurvivesASnapshot(t *testing.T) {
	want := counting().state()
	got := reread(t, want)
	if diff := differ(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if want.Hash() != got.Hash() {
		t.Error("the hash differs")
	}
}

func TestEveryChangeOfAStateChangesItsBytesAndItsHash(t *testing.T) {
	s := counting().state()
	bytesBefore, hashBefore, n := written(t, s), s.Hash(), 0
	stateChanges(s, func(path string) {
		n++
		if bytes.Equal(bytesBefore, written(t, s)) {
			t.Errorf("%s is not written down", path)
		}
		if hashBefore == s.Hash() {
			t.Errorf("%s is not hashed", path)
		}
	})
	if s.Hash() != hashBefore || n < 300 {
		t.Fatalf("%d changes were tried, and undone: %v", n, s.Hash() == hashBefore)
	}
}

func TestAnyStateSurvivesASnapshot(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := drawing(t).state()
		got := reread(t, want)
		if diff := differ(want, got); diff != "" {
			t.Fatalf("(-want +got):\n%s", diff)
		}
		if want.Hash() != got.Hash() || !bytes.Equal(written(t, want), written(t, got)) {
			t.Fatal("the hash or the bytes differ")
		}
	})
}

func TestCommandsDoTheSameAfterASnapshot(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld(t)
		w.join()
		t.Repeat(w.actions())
		twin := reread(t, w.s)
		for range 20 {
			c := drawing(t).command(rapid.SampledFrom(everyAction).Draw(t, "action"))
			c.Actor.Role, c.Epoch = System, w.s.Epoch
			want, got := w.s.Apply(w.s.Revision+1, c), twin.Apply(twin.Revision+1, c)
			if want.Rejection != nil && want.Rejection.Code == CodeInternalBug {
				t.Fatal(want.Rejection)
			}
			if diff := cmp.Diff(want, got); diff != "" || w.s.Hash() != twin.Hash() {
				t.Fatalf("%T (-want +got):\n%s", c.Action, diff)
			}
		}
	})
}

func TestADamagedStateIsRefused(t *testing.T) {
	whole := written(t, counting().state())
	for n := range whole {
		if _, err := Decode(bytes.NewReader(whole[:n])); err == nil {
			t.Fatalf("the first %d of %d bytes were taken for a state", n, len(whole))
		}
		flipped := bytes.Clone(whole)
		flipped[n] ^= 1
		if _, err := Decode(bytes.NewReader(flipped)); err == nil {
			t.Fatalf("byte %d was flipped, and nobody noticed", n)
		}
	}
	if _, err := Decode(bytes.NewReader(append(bytes.Clone(whole), 0))); err == nil ||
		!strings.Contains(err.Error(), "more data after the end") {
		t.Errorf("with a byte too many: %v", err)
	}
}

// TestAStateOfFormat1IsReadAndStaysWhatItWas reads what a program wrote that knew format 1 only.
func TestAStateOfFormat1IsReadAndStaysWhatItWas(t *testing.T) {
	old := must(os.ReadFile("testdata/format1.state"))
	s, err := Decode(bytes.NewReader(old))
	if err != nil {
		t.Fatal(err)
	}
	if now := written(t, s); s.Format != 1 || !bytes.Equal(now, old) {
		t.Errorf("format %d, written as %d bytes that are others than the %d it was read from", s.Format, len(now), len(old))
	}
}

func TestAStateOfANewerProgramIsRefused(t *testing.T) {
	s := New([16]byte{1}, PolicyChoice{})
	s.Format = LatestFormat + 1
	if _, err := Decode(bytes.NewReader(written(t, s))); !errors.Is(err, ErrNewer) {
		t.Error(err)
	}
}

func TestAFullDiskIsReported(t *testing.T) {
	s := counting().state()
	if err := s.Encode(fullDisk{}); !errors.Is(err, io.ErrShortWrite) {
		t.Error(err)
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, io.ErrShortWrite }
