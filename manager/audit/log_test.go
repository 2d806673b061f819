package audit

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rs/zerolog"
	"go.uber.org/goleak"

	"aliquot/web"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var start = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)

// diary is a log with a clock of its own.
type diary struct {
	*Log
	testing.TB
	at time.Time
}

var small = Limits{Age: 30 * 24 * time.Hour, Bytes: 64 << 10, Segment: 4 << 10}

func openDiary(t testing.TB, dir string, limits Limits) *diary {
	t.Helper()
	d := &diary{TB: t, at: start}
	l, err := open(dir, limits, nil, zerolog.Nop(), func() time.Time { return d.at })
	if err != nil {
		t.Fatal(err)
	}
	d.Log = l
	return d
}

func (d *diary) close() {
	d.Helper()
	if err := d.Close(); err != nil {
		d.Fatal(err)
	}
}

// all returns all kept entries, the oldest first, each as a few words.
func (d *diary) all() (lines []string) {
	d.Helper()
	list, err := d.Entries(d.Context(), web.AuditQuery{Limit: 1 << 20})
	if err != nil {
		d.Fatal(err)
	}
	for _, e := range list {
		line := strings.TrimSpace(fmt.Sprint(e.Actor, " ", e.Operation, " ", e.Object))
		if e.Count > 0 {
			line += fmt.Sprint(" ×", e.Count)
		}
		lines = append([]string{line}, lines...)
	}
	return lines
}

func change(who, what string) web.AuditEntry {
	return web.AuditEntry{Token: "t-" + who, Actor: who, Role: "user", From: "10.0.0.7", Operation: "cancel-job",
		Object: what, Status: 200}
}

func refusal(who, from string) web.AuditEntry {
	return web.AuditEntry{Actor: who, From: from, Operation: "list-jobs", Status: 401, Code: "unauthorized"}
}

func TestEntriesSurviveARestartAndNumbersGoOn(t *testing.T) {
	dir := t.TempDir()
	d := openDiary(t, dir, small)
	for i := range 200 { // several segments
		d.Add(change("alice", fmt.Sprint("j", i)), true)
	}
	before := d.all()
	d.close()
	d = openDiary(t, dir, small)
	defer d.close()
	if diff := cmp.Diff(before, d.all()); diff != "" {
		t.Error(diff)
	}
	d.Add(change("bob", "j1"), true)
	list, err := d.Entries(t.Context(), web.AuditQuery{Limit: 1})
	if err != nil || len(list) != 1 || list[0].Number != 201 || list[0].Actor != "bob" {
		t.Errorf("%+v, %v", list, err)
	}
}

func TestATornLastLineIsCutOffAndOtherDamageIsSkipped(t *testing.T) {
	dir := t.TempDir()
	d := openDiary(t, dir, small)
	d.Add(change("alice", "j1"), true)
	d.Add(change("alice", "j2"), true)
	path := d.last().path
	d.close()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	first := strings.Index(string(text), "\n") + 1
	for cut := first; cut < len(text); cut++ {
		if err := os.WriteFile(path, text[:cut], 0o600); err != nil {
			t.Fatal(err)
		}
		d := openDiary(t, dir, small)
		d.Add(change("bob", "j3"), true)
		if diff := cmp.Diff([]string{"alice cancel-job j1", "bob cancel-job j3"}, d.all()); diff != "" {
			t.Fatalf("cut at %d: %s", cut, diff)
		}
		d.close()
	}
	for _, damage := range []string{"{\n", "\x00\x00\x00\n", "{\"n\": -1}\n", "[]\n", "\n",
		strings.Repeat("x", 9000) + "\n"} {
		if err := os.WriteFile(path, []byte(string(text[:first])+damage+string(text[first:])), 0o600); err != nil {
			t.Fatal(err)
		}
		d := openDiary(t, dir, small)
		if diff := cmp.Diff([]string{"alice cancel-job j1", "alice cancel-job j2"}, d.all()); diff != "" {
			t.Errorf("damage %q: %s", damage, diff)
		}
		d.close()
	}
}

func TestRepetitionsWithinAMinuteAreCountedWithTheirRequest(t *testing.T) {
	d := openDiary(t, t.TempDir(), small)
	defer d.close()
	for range 1000 {
		d.Add(refusal("", "10.0.0.7"), false)
		d.at = d.at.Add(10 * time.Millisecond)
	}
	d.Add(refusal("", "10.0.0.8"), false)
	d.Add(change("alice", "j1"), true)
	d.Add(change("alice", "j1"), true)
	want := []string{"list-jobs", "list-jobs", "alice cancel-job j1", "alice cancel-job j1"}
	if diff := cmp.Diff(want, d.all()); diff != "" {
		t.Error(diff)
	}
	d.at = d.at.Add(time.Minute)
	d.tidy()
	want[0] = "list-jobs ×1000"
	if diff := cmp.Diff(want, d.all()); diff != "" {
		t.Error(diff)
	}
	list, _ := d.Entries(t.Context(), web.AuditQuery{Before: 2, Limit: 1})
	if e := list[0]; e.From != "10.0.0.7" || !e.Since.Equal(start) ||
		e.At.Sub(e.Since).Round(time.Second) != 10*time.Second {
		t.Errorf("%+v", e)
	}
	if c := d.Counts(); c.Repeated != 999 || c.Entries != 5 || c.Bytes == 0 {
		t.Errorf("%+v", c)
	}
}

func TestRepetitionsAreFoundInTheNextSegmentAndAreListedInTheOrderOfTheFirstRequest(t *testing.T) {
	d := openDiary(t, t.TempDir(), small)
	defer d.close()
	for i := range 60 { // several segments
		d.Add(refusal("", "10.0.0.7"), false)
		d.Add(refusal("", "10.0.0.7"), false)
		d.Add(change("alice", fmt.Sprint("j", i)), true)
		d.at = d.at.Add(time.Minute)
		d.tidy()
	}
	whole, err := d.Entries(t.Context(), web.AuditQuery{Limit: 1000})
	if err != nil || len(whole) != 120 {
		t.Fatalf("%d entries, %v", len(whole), err)
	}
	first := func(e *web.AuditEntry) time.Time {
		return map[bool]time.Time{true: e.At, false: e.Since}[e.Since.IsZero()]
	}
	for i := range whole[1:] {
		if first(&whole[i]).Before(first(&whole[i+1])) {
			t.Errorf("%+v is listed before %+v", whole[i], whole[i+1])
		}
	}
	var paged []web.AuditEntry
	for before := uint64(0); ; before = paged[len(paged)-1].Number {
		page, err := d.Entries(t.Context(), web.AuditQuery{Before: before, Limit: 7})
		if err != nil {
			t.Fatal(err)
		}
		if paged = append(paged, page...); len(page) < 7 {
			break
		}
	}
	if diff := cmp.Diff(whole, paged); diff != "" {
		t.Error(diff)
	}
}

func TestInventedAddressesAndObjectsDoNotMultiplyEntries(t *testing.T) {
	d := openDiary(t, t.TempDir(), Limits{Age: time.Hour, Bytes: 1 << 30, Segment: Segment})
	defer d.close()
	for i := range 5000 {
		d.Add(refusal("", fmt.Sprintf("2001:db8::%x", i)), false)
		e := change("alice", fmt.Sprint("j", i))
		e.Status = 403
		d.Add(e, false)
	}
	if n := len(d.all()); n > 4*ownSums {
		t.Errorf("10,000 requests within a minute took %d entries", n)
	}
}

func TestAFloodPushesOutOnlyItsOwnEntries(t *testing.T) {
	dir := t.TempDir()
	d := openDiary(t, dir, small)
	for i := range 50 {
		d.Add(change("alice", fmt.Sprint("j", i)), false)
		d.at = d.at.Add(time.Second)
	}
	for i := range 20_000 {
		e := change("mallory", fmt.Sprint("j", i))
		d.Add(e, i%1000 == 0)
		d.Add(web.AuditEntry{From: "10.0.0.9", Operation: "create-session", Object: fmt.Sprint(i), Status: 401}, false)
		if i%500 == 0 {
			d.Add(change("alice", fmt.Sprint("k", i)), true)
		}
		d.at = d.at.Add(time.Second)
	}
	check := func(d *diary) {
		t.Helper()
		of := map[string]int{}
		for _, line := range d.all() {
			who, _, _ := strings.Cut(line, " ")
			of[who]++
		}
		if of["alice"] != 90 || of["mallory"] < 50 || of["create-session"] < 50 || of["system"] == 0 {
			t.Errorf("kept: %v", of)
		}
	}
	check(d)
	if n := d.Counts().Bytes; n > small.Bytes {
		t.Errorf("%d bytes are used", n)
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*"))
	if len(files) > int(3*small.Bytes/small.Segment) {
		t.Errorf("%d files", len(files))
	}
	d.close()
	d = openDiary(t, dir, small)
	check(d)
	d.close()
}

func TestACrashWhileEntriesAreRemovedRepeatsNone(t *testing.T) {
	dir := t.TempDir()
	d := openDiary(t, dir, small)
	for i := range 300 {
		d.Add(change(fmt.Sprint("user", i%3), fmt.Sprint("j", i)), false)
	}
	old := map[string][]byte{}
	for _, s := range d.segments[:len(d.segments)-1] {
		text, err := os.ReadFile(s.path)
		if err != nil {
			t.Fatal(err)
		}
		old[s.path] = text
	}
	d.limits.Bytes /= 2
	d.mu.Lock()
	d.expire()
	d.mu.Unlock()
	after := d.all()
	d.close()
	for path, text := range old { // as if the removals had not reached the disk
		if _, err := os.Stat(path); os.IsNotExist(err) {
			if err := os.WriteFile(path, text, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	torn := filepath.Join(dir, "00000000000000000001"+suffix+unfinishedSuffix)
	if err := os.WriteFile(torn, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	d = openDiary(t, dir, small)
	defer d.close()
	found := d.all()
	seen := map[string]bool{}
	for _, line := range found {
		if seen[line] {
			t.Errorf("%s is there twice", line)
		}
		seen[line] = true
	}
	for _, line := range after {
		if !seen[line] {
			t.Errorf("%s is gone", line)
		}
	}
}

func TestAFileWhoseRestWasJoinedWithAnotherIsNotReadAgain(t *testing.T) {
	dir := t.TempDir()
	d := openDiary(t, dir, small)
	for n := len(d.segments); n < 8; n = len(d.segments) {
		who := "mallory"
		switch {
		case n <= 2 && d.last().last == 0: // the first entry of two segments
			who = "alice"
		case n == 3: // a segment of its own
			who = "bob"
		}
		d.Add(change(who, fmt.Sprint("j", d.next)), true)
	}
	second := d.segments[1]
	text, err := os.ReadFile(second.path)
	if err != nil {
		t.Fatal(err)
	}
	d.limits.Bytes = 4 * d.limits.Segment
	d.mu.Lock()
	d.expire()
	d.mu.Unlock()
	kept := d.all()
	d.close()
	if err := os.WriteFile(second.path, text, 0o600); err != nil { // as if a crash had prevented its removal
		t.Fatal(err)
	}
	d = openDiary(t, dir, small)
	defer d.close()
	if diff := cmp.Diff(kept, d.all()); diff != "" {
		t.Error(diff)
	}
}

func TestOldEntriesGoByAge(t *testing.T) {
	d := openDiary(t, t.TempDir(), Limits{Age: 3 * oneDay, Bytes: 1 << 30, Segment: Segment})
	defer d.close()
	for day := range 10 {
		d.Add(change("alice", fmt.Sprint("day", day)), false)
		d.at = d.at.Add(oneDay + time.Minute)
		d.tidy()
	}
	if diff := cmp.Diff([]string{"alice cancel-job day8", "alice cancel-job day9"}, d.all()[len(d.all())-2:]); diff != "" {
		t.Error(diff)
	}
	if n := len(d.all()); n > 4 {
		t.Errorf("%d entries are kept", n)
	}
}

func TestEntriesThatTheDiskRefusesAreCountedInTheLog(t *testing.T) {
	d := openDiary(t, t.TempDir(), small)
	good := d.file
	broken, err := os.Open(d.last().path) // not open for writing
	if err != nil {
		t.Fatal(err)
	}
	d.file = broken
	for range 3 {
		d.Add(change("alice", "j1"), true)
	}
	broken.Close()
	d.file = good
	d.Add(change("alice", "j2"), true)
	defer d.close()
	if diff := cmp.Diff([]string{"system lose-audit-entries ×3", "alice cancel-job j2"}, d.all()); diff != "" {
		t.Error(diff)
	}
	if c := d.Counts(); c.Unwritten != 3 {
		t.Errorf("%+v", c)
	}
}

func TestAPartOfALineThatCannotBeRemovedDamagesNoLaterEntry(t *testing.T) {
	d := openDiary(t, t.TempDir(), small)
	d.Add(change("alice", "j1"), true)
	good, path := d.file, d.last().path
	broken, err := os.Open(path) // it can be neither written nor cut off
	if err != nil {
		t.Fatal(err)
	}
	d.file = broken
	d.Add(change("alice", "j2"), true)
	broken.Close()
	if _, err := good.WriteString(`{"n": 2, "op": "canc`); err != nil {
		t.Fatal(err)
	}
	d.file = good
	d.Add(change("alice", "j3"), true)
	defer d.close()
	want := []string{"alice cancel-job j1", "system lose-audit-entries ×1", "alice cancel-job j3"}
	if diff := cmp.Diff(want, d.all()); diff != "" {
		t.Error(diff)
	}
	if text, err := os.ReadFile(path); err != nil || int64(len(text)) != d.Counts().Bytes {
		t.Errorf("the file has %d bytes, of which %d are counted: %v", len(text), d.Counts().Bytes, err)
	}
}

func TestTheBoundsOfAQueryHold(t *testing.T) {
	d := openDiary(t, t.TempDir(), small)
	defer d.close()
	for i := range 100 {
		d.Add(change("alice", fmt.Sprint("j", i)), false)
		d.at = d.at.Add(2 * time.Minute)
	}
	names := func(q web.AuditQuery) (out []string) {
		list, err := d.Entries(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range list {
			out = append(out, e.Object)
		}
		return out
	}
	at := func(i int) time.Time { return start.Add(time.Duration(i) * 2 * time.Minute) }
	for name, c := range map[string]struct {
		q    web.AuditQuery
		want []string
	}{
		"before a number": {web.AuditQuery{Before: 3, Limit: 10}, []string{"j1", "j0"}},
		"before all":      {web.AuditQuery{Before: 1, Limit: 10}, nil},
		"between":         {web.AuditQuery{From: at(10), To: at(12), Limit: 10}, []string{"j12", "j11", "j10"}},
		"at most":         {web.AuditQuery{Limit: 2}, []string{"j99", "j98"}},
		"matching": {web.AuditQuery{Limit: 2, Match: func(e *web.AuditEntry) bool { return e.Object == "j5" }},
			[]string{"j5"}},
	} {
		if diff := cmp.Diff(c.want, names(c.q)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestManyWritersShareTheirFlushes(t *testing.T) {
	d := openDiary(t, t.TempDir(), small)
	defer d.close()
	done := make(chan bool)
	for i := range 20 {
		go func() {
			for j := range 20 {
				d.Add(change(fmt.Sprint("user", i), fmt.Sprint("j", j)), true)
			}
			done <- true
		}()
	}
	for range 20 {
		<-done
	}
	if n := len(d.all()); n != 400 {
		t.Errorf("%d entries", n)
	}
	if d.synced != 400 {
		t.Errorf("flushed up to %d", d.synced)
	}
}

func TestSurplusLeavesEachSenderAFairPart(t *testing.T) {
	for name, c := range map[string]struct {
		bytes map[string]int64
		room  int64
		want  map[string]int64
	}{
		"all fit":          {map[string]int64{"a": 10, "b": 20}, 30, map[string]int64{}},
		"one is too large": {map[string]int64{"a": 10, "b": 90}, 60, map[string]int64{"b": 40}},
		"two are":          {map[string]int64{"a": 10, "b": 90, "c": 60}, 90, map[string]int64{"b": 50, "c": 20}},
		"no room":          {map[string]int64{"a": 10}, -5, map[string]int64{"a": 10}},
		"nobody":           {nil, 10, map[string]int64{}},
	} {
		if diff := cmp.Diff(c.want, surplus(c.bytes, c.room)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}
