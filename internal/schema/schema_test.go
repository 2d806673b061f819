package schema

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

type colour uint8

const blue colour = 2

func TestTheFirstErrorIsKept(t *testing.T) {
	var r Reader
	first := errors.New("first")
	for _, err := range []error{nil, first, errors.New("second")} {
		r.Check(err)
	}
	if r.Err() != first {
		t.Errorf("error %v, want %v", r.Err(), first)
	}
}

func TestANumberBeyondItsEnumerationIsRefused(t *testing.T) {
	for _, c := range []struct {
		number uint32
		want   colour
		known  bool
	}{{0, 0, true}, {2, blue, true}, {3, 0, false}, {258, 0, false}} {
		var r Reader
		if got := Enum(&r, c.number, blue); got != c.want || (r.Err() == nil) != c.known {
			t.Errorf("%d: got %d, error %v", c.number, got, r.Err())
		}
		if !c.known && !strings.Contains(r.Err().Error(), "newer program") {
			t.Errorf("%d: no hint at the cause in %v", c.number, r.Err())
		}
	}
}

func TestBytesMustBeAsManyAsThereIsRoomFor(t *testing.T) {
	var r Reader
	var to [2]byte
	r.Exactly(to[:], []byte{1, 2})
	if r.Err() != nil || to != [2]byte{1, 2} {
		t.Errorf("got %v, error %v", to, r.Err())
	}
	r.Exactly(to[:], []byte{3})
	if r.Err() == nil || to != [2]byte{1, 2} {
		t.Errorf("got %v from one byte, error %v", to, r.Err())
	}
}

func TestWhatIsEmptyOrAbsentIsNil(t *testing.T) {
	double := func(v *int) *int { d := 2 * *v; return &d }
	read := func(_ *Reader, m *int) int { return *m / 2 }
	zero, one := 0, 1
	if List([]int{}, double) != nil || Numbers[uint32]([]uint64{}) != nil || ReadList(nil, []*int{}, read) != nil {
		t.Error("an empty list is not nil")
	}
	if Optional(nil, double) != nil || ReadOptional(nil, nil, read) != nil {
		t.Error("an absent value is not nil")
	}
	if diff := cmp.Diff([]int{2, 0}, []int{*Optional(&one, double), *Optional(&zero, double)}); diff != "" {
		t.Error(diff)
	}
	if got := *ReadOptional(nil, &one, read); got != 0 {
		t.Errorf("a half of one is read as %d", got)
	}
}
