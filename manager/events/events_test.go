package events

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rs/zerolog"
	"go.uber.org/goleak"

	"aliquot/cluster"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var small = Limits{Age: 24 * 7 * 3600e9, Bytes: 1 << 30, Segment: 600, Page: 1 << 20}

func open(t *testing.T, dir string, limits Limits) *Log {
	t.Helper()
	l, err := Open(dir, limits, zerolog.Nop())
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// at returns two events for each revision from first to last.
func at(first, last uint64) (list []cluster.Event) {
	for r := first; r <= last; r++ {
		for i := range 2 {
			list = append(list, cluster.Event{Revision: r, Index: i, At: cluster.Time(r) * cluster.Second,
				Kind: cluster.JobSubmitted, Job: cluster.JobID(r),
				Cause: cluster.Cause{Why: []cluster.Reason{{Code: cluster.WhyMove, Values: []int64{int64(i)}}}, Text: "<é\n>"}})
		}
	}
	return list
}

func take(t *testing.T, l *Log, after Cursor, n int) (list []cluster.Event) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	events, err := l.Follow(ctx, after)
	if err != nil {
		t.Fatal(err)
	}
	for range n {
		list = append(list, <-events)
	}
	cancel()
	for range events {
	}
	return list
}

func TestWhatWasAppendedIsReadAgainAfterARestart(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir, small)
	for r := uint64(1); r <= 20; r++ {
		l.Append(at(r, r))
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	l = open(t, dir, small)
	defer l.Close()
	l.Append(at(15, 25)) // Raft applies the last commands again
	if diff := cmp.Diff(at(1, 25), take(t, l, Cursor{}, 50)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(at(1, 25)[21:], take(t, l, Cursor{11, 0}, 29)); diff != "" {
		t.Error(diff)
	}
}

func TestAFollowerSeesWhatComesLater(t *testing.T) {
	l := open(t, t.TempDir(), small)
	defer l.Close()
	l.Append(at(1, 3))
	ctx, cancel := context.WithCancel(context.Background())
	events, err := l.Follow(ctx, End)
	if err != nil {
		t.Fatal(err)
	}
	for r := uint64(4); r < 30; r++ {
		l.Append(at(r, r))
		for _, want := range at(r, r) {
			if diff := cmp.Diff(want, <-events); diff != "" {
				t.Fatal(diff)
			}
		}
	}
	cancel()
	for range events {
	}
}

func TestAFollowerAheadOfTheLogSeesOnlyWhatIsAfterItsCursor(t *testing.T) {
	l := open(t, t.TempDir(), small)
	defer l.Close()
	l.Append(at(1, 3))
	ctx, cancel := context.WithCancel(context.Background())
	events, err := l.Follow(ctx, Cursor{5, 0})
	if err != nil {
		t.Fatal(err)
	}
	l.Append(at(4, 6))
	for _, want := range at(4, 6)[3:] {
		if diff := cmp.Diff(want, <-events); diff != "" {
			t.Fatal(diff)
		}
	}
	cancel()
	for range events {
	}
}

func TestAnUnfinishedLineIsCutOffAndComesAgain(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir, Kept)
	l.Append(at(1, 2))
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "00000000000000000000"+suffix)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for cut := range len(text) {
		if err := os.WriteFile(path, text[:cut], 0o600); err != nil {
			t.Fatal(err)
		}
		l := open(t, dir, Kept)
		l.Append(at(1, 2))
		if diff := cmp.Diff(at(1, 2), take(t, l, Cursor{}, 4)); diff != "" {
			t.Fatalf("cut at %d: %s", cut, diff)
		}
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestOldEventsAreDroppedAndAskingForThemSaysSo(t *testing.T) {
	for name, limits := range map[string]Limits{
		"by size": {Age: small.Age, Bytes: 2000, Segment: 600},
		"by age":  {Age: 10e9, Bytes: 1 << 30, Segment: 600},
	} {
		l := open(t, t.TempDir(), limits)
		for r := uint64(1); r <= 100; r++ {
			l.Append(at(r, r))
		}
		if _, err := l.Follow(t.Context(), Cursor{}); !errors.Is(err, ErrTooOld) {
			t.Errorf("%s: %v", name, err)
		}
		if diff := cmp.Diff(at(99, 100), take(t, l, Cursor{98, 1}, 4)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestSkippedRevisionsAreAGapThatSurvivesARestart(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir, Kept)
	l.Append(at(1, 5))
	l.Missing(4) // nothing new
	if got := take(t, l, Cursor{}, 10); len(got) != 10 {
		t.Fatal(got)
	}
	l.Missing(50)
	l.Append(at(40, 52)) // revisions that the received snapshot covers must not look complete
	for range 2 {
		if _, err := l.Follow(t.Context(), Cursor{5, 1}); !errors.Is(err, ErrTooOld) {
			t.Errorf("got %v", err)
		}
		if diff := cmp.Diff(at(51, 52), take(t, l, Cursor{50, 0}, 4)); diff != "" {
			t.Error(diff)
		}
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
		l = open(t, dir, Kept)
	}
	defer l.Close()
}

func TestHistoryIsNewestFirstAndFiltered(t *testing.T) {
	l := open(t, t.TempDir(), small)
	defer l.Close()
	l.Append(at(1, 10))
	l.Append(at(11, 20))
	odd := func(e *cluster.Event) bool { return e.Job%2 == 1 && e.Index == 0 }
	page, err := l.History(t.Context(), Query{Before: Cursor{15, 0}, Limit: 3, Match: odd})
	if err != nil {
		t.Fatal(err)
	}
	var jobs []cluster.JobID
	for _, e := range page.Events {
		jobs = append(jobs, e.Job)
	}
	if diff := cmp.Diff([]cluster.JobID{13, 11, 9}, jobs); diff != "" {
		t.Error(diff)
	}
}

func TestHistoryEndsWhereItIsToldTo(t *testing.T) {
	l := open(t, t.TempDir(), small)
	defer l.Close()
	for r := uint64(1); r <= 30; r++ {
		l.Append(at(r, r))
	}
	page, err := l.History(t.Context(), Query{Before: Cursor{25, 0}, Since: 20 * cluster.Second, Limit: 100})
	list := page.Events
	if err != nil || page.More || len(list) != 10 || list[0].Revision != 24 || list[9].Revision != 20 {
		t.Errorf("%d events, %v: %+v", len(list), err, list)
	}
}

func TestAFilterReadsItsShareOfTheLogAndSaysWhereToGoOn(t *testing.T) {
	limits := small
	limits.Page = 2000
	l := open(t, t.TempDir(), limits)
	defer l.Close()
	for r := uint64(1); r <= 100; r++ {
		l.Append(at(r, r))
	}
	var found []cluster.JobID
	pages, looked := 0, 0
	for q := (Query{Before: End, Limit: 100}); ; pages++ {
		inPage := 0
		q.Match = func(e *cluster.Event) bool {
			inPage++
			return e.Job == 3 && e.Index == 0
		}
		page, err := l.History(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		if inPage > 12 {
			t.Fatalf("page %d looked at %d events; 2000 bytes hold 10", pages, inPage)
		}
		looked += inPage
		for _, e := range page.Events {
			found = append(found, e.Job)
		}
		if q.Before = page.Next; !page.More {
			break
		}
	}
	if len(found) != 1 || found[0] != 3 || looked != 200 {
		t.Errorf("%d pages looked at %d of 200 events and found %v", pages, looked, found)
	}
}

func TestReadersOfOldEventsWaitForEachOther(t *testing.T) {
	l := open(t, t.TempDir(), Kept)
	defer l.Close()
	l.Append(at(1, 10))
	for range readers {
		free, err := l.enter(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer free()
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := l.History(ctx, Query{Before: End, Limit: 1}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the third reader did not wait: %v", err)
	}
	if diff := cmp.Diff(at(10, 10), take(t, l, Cursor{9, 1}, 2)); diff != "" {
		t.Errorf("whoever follows new events waited: %s", diff)
	}
}

func FuzzOpenSegment(f *testing.F) {
	f.Add([]byte("{\"Revision\":1}\n{\"Revision\":2,"))
	f.Add([]byte("{}\n\n[]\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		path := filepath.Join(t.TempDir(), "00000000000000000007"+suffix)
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := openSegment(path)
		if err != nil {
			t.Fatal(err)
		}
		if s.size > int64(len(text)) {
			t.Fatalf("%d bytes of %d", s.size, len(text))
		}
	})
}
