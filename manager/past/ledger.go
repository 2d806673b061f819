package past

import (
	"cmp"
	"encoding/json"
	"maps"
	"math"
	"slices"

	"aliquot/cluster"
)

// Holder is an owner in a project.
type Holder struct {
	Project string `json:"project"`
	Owner   string `json:"owner"`
}

// Others stands for the holders beyond the most that an hour has room for.
var Others = Holder{"*", "*"}

// Amounts is what the jobs of a holder had over some time.
type Amounts struct {
	Granted float64 `json:"granted"` // seconds of a core
	Used    float64 `json:"used"`    // seconds of a core
	Waited  float64 `json:"waited"`  // seconds of a job that waits or is paused
}

// Plus returns the sum of a, and b times the factor.
func (a Amounts) Plus(b Amounts, factor float64) Amounts {
	return Amounts{a.Granted + factor*b.Granted, a.Used + factor*b.Used, a.Waited + factor*b.Waited}
}

func (a Amounts) valid() bool {
	sum := a.Granted + a.Used + a.Waited
	return min(a.Granted, a.Used, a.Waited) >= 0 && !math.IsNaN(sum) && !math.IsInf(sum, 0)
}

const (
	holdersPerHour = 1000
	accountsKept   = 400_000            // of all hours, about 60 MB
	settling       = 5 * cluster.Minute // after which the accounts of an hour count as complete
)

// LedgerKept is the age up to which hours are kept.
const LedgerKept = 400 * 24 * cluster.Hour

// reign is an hour under one leader. Accounts of a reign only grow, so of two copies the larger is the later one.
type reign struct {
	hour  cluster.Time // its beginning
	epoch uint64
}

func (r reign) compare(o reign) int {
	return cmp.Or(cmp.Compare(r.hour, o.hour), cmp.Compare(r.epoch, o.epoch))
}

// account is what holders had in a reign.
type account struct {
	of      map[Holder]Amounts
	shared  bool // of is in the hands of a reader, so it must not change
	unsaved bool // changed since the last line
	open    bool // changed since the last line after the hour's end
}

// Ledger holds what the jobs of each holder had in each hour.
type Ledger struct{ accounts map[reign]*account }

// NewLedger returns an empty ledger.
func NewLedger() *Ledger { return &Ledger{map[reign]*account{}} }

// Line is an account as it is kept in files and sent to other managers.
type Line struct {
	Hour  cluster.Time `json:"hour"`
	Epoch uint64       `json:"epoch"`
	Of    []Entry      `json:"of"`
}

// Entry is what one holder had.
type Entry struct {
	Holder
	Amounts
}

// DecodeLine reads a line.
func DecodeLine(text []byte) (l Line, err error) {
	if err := json.Unmarshal(text, &l); err != nil {
		return l, err
	}
	if l.Hour <= 0 || l.Hour%cluster.Hour != 0 {
		return l, errRecord
	}
	for _, e := range l.Of {
		if !e.valid() {
			return l, errRecord
		}
	}
	return l, nil
}

// Encode returns the line as JSON, without its end.
func (l *Line) Encode() []byte {
	text, err := json.Marshal(l)
	if err != nil {
		panic("past: an account cannot be encoded: " + err.Error())
	}
	return text
}

// write returns the amounts, to be changed.
func (a *account) write() map[Holder]Amounts {
	if a.shared {
		a.of, a.shared = maps.Clone(a.of), false
	}
	return a.of
}

func (l *Ledger) account(r reign) *account {
	if l.accounts[r] == nil {
		l.accounts[r] = &account{of: map[Holder]Amounts{}}
	}
	return l.accounts[r]
}

// Add adds what a holder had at the time, under the leader with that epoch.
func (l *Ledger) Add(at cluster.Time, epoch uint64, who Holder, had Amounts) {
	a := l.account(reign{at - at%cluster.Hour, epoch})
	if _, known := a.of[who]; !known && len(a.of) >= holdersPerHour {
		who = Others
	}
	a.write()[who] = a.of[who].Plus(had, 1)
	a.unsaved, a.open = true, true
}

// Merge takes a line of a file, or of another manager. Lines of the future are refused: they are damaged, or of a clock
// that was wrong. Saved says that the line is a final one from a file.
func (l *Ledger) Merge(line *Line, now cluster.Time, saved bool) {
	if line.Hour > now || line.Hour < now-LedgerKept {
		return
	}
	a := l.account(reign{line.Hour, line.Epoch})
	for _, e := range line.Of {
		old := a.of[e.Holder]
		next := Amounts{max(old.Granted, e.Granted), max(old.Used, e.Used), max(old.Waited, e.Waited)}
		if next != old && (old != Amounts{} || len(a.of) <= holdersPerHour) {
			a.write()[e.Holder], a.unsaved, a.open = next, a.unsaved || !saved, a.open || !saved
		}
	}
}

// Unsaved returns the lines that have changed since they were returned before: all of them, and those of hours that are
// over. It forgets what is too old.
func (l *Ledger) Unsaved(now cluster.Time) (changed, final []Line) {
	for _, r := range l.sorted(0) {
		a := l.accounts[r]
		if a.unsaved {
			changed = append(changed, l.line(r))
		}
		if a.open && r.hour+cluster.Hour+settling <= now {
			final = append(final, l.line(r))
			a.open = false
		}
		a.unsaved = false
	}
	l.forget(now)
	return changed, final
}

// Retry makes Unsaved return the line again, because it could not be saved. Final says which of its lines it was.
func (l *Ledger) Retry(line *Line, final bool) {
	if a := l.accounts[reign{line.Hour, line.Epoch}]; a != nil {
		a.unsaved, a.open = a.unsaved || !final, a.open || final
	}
}

// Lines returns the lines of the hours after the given time, in order.
func (l *Ledger) Lines(after cluster.Time) (list []Line) {
	for _, r := range l.sorted(after) {
		list = append(list, l.line(r))
	}
	return list
}

func (l *Ledger) sorted(after cluster.Time) (list []reign) {
	for r := range l.accounts {
		if r.hour+cluster.Hour > after {
			list = append(list, r)
		}
	}
	slices.SortFunc(list, reign.compare)
	return list
}

func (l *Ledger) line(r reign) Line {
	line := Line{Hour: r.hour, Epoch: r.epoch}
	for who, had := range l.accounts[r].of {
		line.Of = append(line.Of, Entry{who, had})
	}
	slices.SortFunc(line.Of, func(a, b Entry) int { return a.Holder.compare(b.Holder) })
	return line
}

func (h Holder) compare(o Holder) int {
	return cmp.Or(cmp.Compare(h.Project, o.Project), cmp.Compare(h.Owner, o.Owner))
}

// forget drops the oldest hours beyond the limits.
func (l *Ledger) forget(now cluster.Time) {
	kept := 0
	for _, r := range slices.Backward(l.sorted(0)) {
		if kept += len(l.accounts[r].of); kept > accountsKept || r.hour < now-LedgerKept {
			delete(l.accounts, r)
		}
	}
}

// Accounts is what holders had in some hours. Its maps do not change any longer.
type Accounts []Hour

// Hour is what holders had in an hour under one leader.
type Hour struct {
	Start cluster.Time
	Of    map[Holder]Amounts
}

// Accounts returns the accounts of the hours from the one of from to before to. It copies none of them.
func (l *Ledger) Accounts(from, to cluster.Time) (list Accounts) {
	for r, a := range l.accounts {
		if r.hour >= from-from%cluster.Hour && r.hour < to {
			a.shared = true
			list = append(list, Hour{r.hour, a.of})
		}
	}
	return list
}

// Total is what owners had since a manager's start, for counters.
type Total map[string]Amounts

// Add adds what an owner had. Owners beyond a number share one total.
func (t Total) Add(owner string, had Amounts) {
	if _, known := t[owner]; !known && len(t) >= holdersPerHour {
		owner = Others.Owner
	}
	t[owner] = t[owner].Plus(had, 1)
}

// Clone returns a copy.
func (t Total) Clone() Total { return maps.Clone(t) }
