package audit

import (
	"fmt"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"aliquot/web"
)

func TestASegmentIsReadOnceForAPage(t *testing.T) {
	d := openDiary(t, t.TempDir(), small)
	defer d.close()
	for range 100 { // repetitions are often in the segment after that of their request
		d.Add(refusal("", "10.0.0.7"), false)
		d.Add(refusal("", "10.0.0.7"), false)
		d.at = d.at.Add(time.Minute)
		d.tidy()
	}
	whole, err := d.Entries(t.Context(), web.AuditQuery{Limit: 1000})
	if err != nil || len(whole) != 100 || len(d.segments) < 4 {
		t.Fatalf("%d entries in %d segments, %v", len(whole), len(d.segments), err)
	}
	var open book
	var read []web.AuditEntry
	for before := uint64(0); ; {
		s, ok := d.segmentBefore(before)
		if !ok {
			break
		}
		list, err := d.read(s, &open)
		if err != nil || len(open) > 3 {
			t.Fatalf("segment %d: %d segments are held, %v", s.first, len(open), err)
		}
		slices.Reverse(list)
		read, before = append(read, list...), s.first
		if err := os.Remove(s.path); err != nil { // so that it cannot be read again
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(whole, read); diff != "" {
		t.Error(diff)
	}
}

// Pages of a full log: 32 segments, with some repetitions in each.
func BenchmarkEntries(b *testing.B) {
	d := openDiary(b, b.TempDir(), Limits{Age: 30 * oneDay, Bytes: 64 << 20, Segment: Segment})
	defer d.close()
	for i := 0; len(d.segments) < 32; i++ {
		d.Add(change(fmt.Sprint("user", i%50), fmt.Sprint("j", i)), false)
		d.Add(refusal("", fmt.Sprint("10.0.0.", i%9)), false)
		d.at = d.at.Add(100 * time.Millisecond)
		if i%600 == 0 {
			d.tidy()
		}
	}
	for name, q := range map[string]web.AuditQuery{
		"first page":     {Limit: 100},
		"page in middle": {Limit: 100, Before: d.next / 2},
		"nothing found":  {Limit: 100, Match: func(*web.AuditEntry) bool { return false }},
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := d.Entries(b.Context(), q); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
