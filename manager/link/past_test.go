package link

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"aliquot/cluster"
	"aliquot/wire"
	"aliquot/wire/wirepb"
)

// Lacked yields minutes 1 to 5.
func (l *leader) Lacked(after cluster.Time, have []cluster.Time) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for m := range cluster.Time(5) {
			if at := m + 1; at > after && !slices.Contains(have, at) && !yield(fmt.Append(nil, at)) {
				return
			}
		}
	}
}

func TestAManagerFetchesTheRecordsThatItLacks(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.manager("m1")
		peers := wire.NewPeers(w.ca.PeerTLS(), w.dial)
		var got []string
		take := func(text []byte) { got = append(got, string(text)) }
		if err := peers.Past(t.Context(), "m1", 1, []cluster.Time{3}, take); err != nil {
			t.Fatal(err)
		}
		if text := strings.Join(got, " "); text != "2 4 5" {
			t.Errorf("it got %s", text)
		}
		if err := peers.Past(t.Context(), "gone", 0, nil, take); err == nil {
			t.Error("nobody answers, and all is well")
		}
	})
}

func TestANodeReadsNoRecords(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.manager("m1")
		stream, err := w.as("n1").Past(t.Context(), &wirepb.PastRequest{})
		if err == nil {
			_, err = stream.Recv()
		}
		if status.Code(err) != codes.PermissionDenied {
			t.Errorf("%v", err)
		}
	})
}
