package past_test

import (
	"bytes"
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"aliquot/cluster"
	"aliquot/manager/past"
)

const someHour = 500_000 * cluster.Hour

var alice = past.Holder{Project: "p", Owner: "alice"}

// sums adds up what each holder had, by hour.
func sums(l *past.Ledger, from, to cluster.Time) map[cluster.Time]map[past.Holder]past.Amounts {
	sums := map[cluster.Time]map[past.Holder]past.Amounts{}
	for _, hour := range l.Accounts(from, to) {
		if sums[hour.Start] == nil {
			sums[hour.Start] = map[past.Holder]past.Amounts{}
		}
		for who, had := range hour.Of {
			sums[hour.Start][who] = sums[hour.Start][who].Plus(had, 1)
		}
	}
	return sums
}

func TestAccountsThatAreReadDoNotChange(t *testing.T) {
	l := past.NewLedger()
	l.Add(someHour, 1, alice, past.Amounts{Granted: 1})
	before := l.Accounts(someHour, someHour+1)
	l.Add(someHour, 1, alice, past.Amounts{Granted: 2})
	l.Merge(&past.Line{Hour: someHour, Epoch: 1, Of: []past.Entry{{Holder: alice, Amounts: past.Amounts{Used: 5}}}},
		someHour, false)
	if had := before[0].Of[alice]; had != (past.Amounts{Granted: 1}) {
		t.Errorf("what was read became %+v", had)
	}
	if had := sums(l, someHour, someHour+1)[someHour][alice]; had != (past.Amounts{Granted: 3, Used: 5}) {
		t.Errorf("the ledger has %+v", had)
	}
}

func TestTheLedgerSumsByHourOverAllLeaders(t *testing.T) {
	l := past.NewLedger()
	l.Add(someHour+1, 1, alice, past.Amounts{Granted: 1, Used: 0.5})
	l.Add(someHour+2, 1, alice, past.Amounts{Granted: 1})
	l.Add(someHour+cluster.Hour-1, 2, alice, past.Amounts{Waited: 7})
	l.Add(someHour+cluster.Hour, 2, alice, past.Amounts{Granted: 9})
	sums := sums(l, someHour+cluster.Minute, someHour+cluster.Hour)
	if len(sums) != 1 || sums[someHour][alice] != (past.Amounts{Granted: 2, Used: 0.5, Waited: 7}) {
		t.Errorf("%+v", sums)
	}
}

func TestAnAccountIsSavedWhenItChangesAndOnceItsHourIsOver(t *testing.T) {
	l := past.NewLedger()
	unsaved := func(now cluster.Time) string {
		changed, final := l.Unsaved(now)
		return fmt.Sprint(len(changed), len(final))
	}
	l.Add(someHour, 1, alice, past.Amounts{Granted: 1})
	over := someHour + cluster.Hour + 5*cluster.Minute
	for i, step := range []struct {
		now  cluster.Time
		want string
	}{{someHour + 1, "1 0"}, {someHour + 2, "0 0"}, {over - 1, "0 0"}, {over, "0 1"}, {over + 1, "0 0"}} {
		if got := unsaved(step.now); got != step.want {
			t.Errorf("step %d: %s, want %s", i, got, step.want)
		}
	}
	l.Merge(&past.Line{Hour: someHour, Epoch: 2, Of: []past.Entry{{Holder: alice, Amounts: past.Amounts{Used: 1}}}},
		over, false)
	if got := unsaved(over); got != "1 1" {
		t.Errorf("what another manager knew is not saved: %s", got)
	}
}

func TestALineThatCouldNotBeSavedIsReturnedAgain(t *testing.T) {
	l := past.NewLedger()
	l.Add(someHour, 1, alice, past.Amounts{Granted: 1})
	over := someHour + 2*cluster.Hour
	changed, final := l.Unsaved(over)
	l.Retry(&changed[0], false)
	if changed, final := l.Unsaved(over); len(changed) != 1 || len(final) != 0 {
		t.Errorf("after a changed line failed: %v, %v", changed, final)
	}
	l.Retry(&final[0], true)
	if changed, final := l.Unsaved(over); len(changed) != 0 || len(final) != 1 {
		t.Errorf("after a final line failed: %v, %v", changed, final)
	}
	l.Retry(&past.Line{Hour: someHour, Epoch: 9}, true) // forgotten since
}

// Whatever copies managers have, and in whatever order they come, all end with the latest of each account.
func TestCopiesOfAnAccountBecomeTheLatest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		leader, copies := past.NewLedger(), []past.Line{}
		for range rapid.IntRange(1, 20).Draw(t, "additions") {
			at := someHour + cluster.Time(rapid.IntRange(0, 2).Draw(t, "hour"))*cluster.Hour
			leader.Add(at, uint64(rapid.IntRange(1, 2).Draw(t, "epoch")), alice, past.Amounts{Granted: 1, Waited: 2})
			copies = append(copies, leader.Lines(0)...)
		}
		follower := past.NewLedger()
		for _, line := range rapid.Permutation(copies).Draw(t, "order") {
			follower.Merge(&line, someHour+10*cluster.Hour, false)
		}
		if got, want := fmt.Sprint(follower.Lines(0)), fmt.Sprint(leader.Lines(0)); got != want {
			t.Fatalf("%s, want %s", got, want)
		}
	})
}

func TestTheLedgerIsBounded(t *testing.T) {
	l, total := past.NewLedger(), past.Total{}
	for i := range 3000 {
		who := past.Holder{Project: "p", Owner: fmt.Sprint(i)}
		l.Add(someHour, 1, who, past.Amounts{Granted: 1})
		total.Add(who.Owner, past.Amounts{Granted: 1})
	}
	if sums := sums(l, someHour, someHour+1)[someHour]; len(sums) != 1001 || sums[past.Others].Granted != 2000 {
		t.Errorf("%d holders, the others have %v", len(sums), sums[past.Others])
	}
	if len(total) != 1001 || total["*"].Granted != 2000 {
		t.Errorf("%d owners, the others have %v", len(total), total["*"])
	}
	for hour := range cluster.Time(500) {
		for i := range 1000 {
			l.Add(someHour+hour*cluster.Hour, 1, past.Holder{Owner: fmt.Sprint(i)}, past.Amounts{Granted: 1})
		}
	}
	l.Unsaved(someHour + 500*cluster.Hour)
	if n := len(l.Lines(0)); n > 401 || n < 398 {
		t.Errorf("%d hours of a thousand holders are kept", n)
	}
	l.Unsaved(someHour + past.LedgerKept + 600*cluster.Hour)
	if n := len(l.Lines(0)); n != 0 {
		t.Errorf("%d hours are kept that are too old", n)
	}
}

func TestDamagedLinesAreRefused(t *testing.T) {
	for _, text := range []string{"", "{}", `{"hour":3600000001}`, `{"hour":-3600000000}`,
		`{"hour":3600000000,"of":[{"owner":"a","granted":-1}]}`,
		`{"hour":3600000000,"of":[{"owner":"a","granted":1e308,"used":1e308}]}`} {
		if l, err := past.DecodeLine([]byte(text)); err == nil {
			t.Errorf("%s is taken as %+v", text, l)
		}
	}
	l := past.NewLedger()
	l.Merge(&past.Line{Hour: someHour + cluster.Hour}, someHour, false)
	l.Merge(&past.Line{Hour: someHour - past.LedgerKept - cluster.Hour}, someHour, false)
	if len(l.Lines(0)) != 0 {
		t.Error("lines of the future or of long ago are taken")
	}
}

func FuzzDecodeLine(f *testing.F) {
	l := past.NewLedger()
	l.Add(someHour, 1, alice, past.Amounts{Granted: math.Pi})
	for _, line := range l.Lines(0) {
		f.Add(line.Encode())
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		line, err := past.DecodeLine(text)
		if err != nil {
			return
		}
		again, err := past.DecodeLine(line.Encode())
		if err != nil || !bytes.Equal(again.Encode(), line.Encode()) {
			t.Fatalf("%s became %s, %v", line.Encode(), again.Encode(), err)
		}
		past.NewLedger().Merge(&line, line.Hour, false)
	})
}
