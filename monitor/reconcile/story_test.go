package reconcile_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"aliquot/cluster"
	"aliquot/internal/story"
	"aliquot/monitor/reconcile"
	"aliquot/wording"
)

// Stories are worlds, one fact per line, and the actions and observations that follow from them.
func TestStoriesOfRunsOnANodeEndAsWritten(t *testing.T) {
	story.Replay(t, "testdata", func(*testing.T) story.Runner { return step })
}

func step(t *testing.T, d *datadriven.TestData) string {
	if d.Cmd != "step" {
		t.Fatalf("%s: unknown command %q", d.Pos, d.Cmd)
	}
	w := newWorld()
	for _, line := range strings.Split(strings.TrimSpace(d.Input), "\n") {
		if err := fact(&w, strings.Fields(line)); err != nil {
			t.Fatalf("%s: %q: %v", d.Pos, line, err)
		}
	}
	return told(reconcile.Step(w))
}

func newWorld() reconcile.World {
	return reconcile.World{
		Lease: true, Store: true,
		Domains: map[cluster.RunID]reconcile.Domain{}, Guests: map[cluster.RunID]reconcile.Guest{},
		Images: map[cluster.RunID]reconcile.Image{}, Ended: map[cluster.RunID]reconcile.End{},
		Busy: map[cluster.RunID]reconcile.Action{}, Failed: map[cluster.RunID]reconcile.Failure{},
		Unread: map[cluster.RunID]bool{}, Untried: map[cluster.RunID]bool{},
		Resting: map[cluster.RunID]reconcile.Verb{}, Peers: map[cluster.RunID]reconcile.Presence{},
		Unready: map[cluster.RunID]bool{},
	}
}

var (
	wants  = map[string]cluster.Want{}
	verbs  = map[string]reconcile.Verb{}
	states = map[string]reconcile.State{
		"running": reconcile.Running, "frozen": reconcile.Frozen, "doubtful": reconcile.Doubtful, "dying": reconcile.Dying,
	}
	presences = map[string]reconcile.Presence{
		"there": reconcile.There, "landed": reconcile.Landed, "coming": reconcile.Coming, "nowhere": reconcile.Nowhere,
	}
)

func init() {
	for w := cluster.Stay; w <= cluster.Vanish; w++ {
		wants[w.String()] = w
	}
	for v := reconcile.Abort; v <= reconcile.Raise; v++ {
		verbs[v.String()] = v
	}
}

// fact adds one line to the world: WORD RUN WHAT key=value flag …
func fact(w *reconcile.World, f []string) error {
	switch f[0] {
	case "nolease":
		w.Lease = false
		return nil
	case "nostore":
		w.Store = false
		return nil
	case "speed":
		v, err := strconv.ParseInt(f[1], 10, 64)
		w.Speed = cluster.Speed(v)
		return err
	case "cpu":
		millicores, err := strconv.ParseInt(f[1], 10, 64)
		w.CPU = cluster.CPU(millicores)
		return err
	}
	run, err := cluster.ParseRunID(f[1])
	if err != nil {
		return err
	}
	word := ""
	if len(f) > 2 {
		word = f[2]
	}
	has := func(flag string) bool { return strings.Contains(" "+strings.Join(f, " ")+" ", " "+flag+" ") }
	number := func(key string) int64 {
		for _, x := range f {
			if v, ok := strings.CutPrefix(x, key+"="); ok {
				n, e := strconv.ParseInt(v, 10, 64)
				if e != nil {
					err = e
				}
				return n
			}
		}
		return 0
	}
	switch f[0] {
	case "order":
		o := cluster.Order{Run: run, Want: wants[word], Move: cluster.MoveID(number("move")), CPU: cluster.CPU(number("cpu")),
			Core: cluster.CoreID(number("core")), Aborted: has("aborted")}
		if has("background") {
			o.Tier = cluster.Background
		}
		if !has("nopeer") {
			o.Peer = "peer"
		}
		w.Orders.Runs = append(w.Orders.Runs, o)
	case "destroy":
		w.Orders.Destroy = append(w.Orders.Destroy, run)
	case "domain":
		d := reconcile.Domain{State: states[word], Cap: cluster.CPU(number("cap")), Moving: has("moving"),
			Stopped: has("stopped"), Half: has("half"), Uncapped: has("uncapped"), Core: cluster.CoreID(number("core"))}
		d.Age = time.Duration(number("age")) * time.Second
		if has("background") {
			d.Tier = cluster.Background
		}
		if ran := number("ran"); ran != 0 {
			d.Work = &cluster.Work{Ran: cluster.Time(ran), Waited: cluster.Time(number("waited"))}
		}
		w.Domains[run] = d
	case "guest":
		g := reconcile.Guest{Begun: true, Started: !has("begun")}
		if strings.Contains(word, "exit=") {
			g.Exit = &cluster.Exit{Code: int(number("exit"))}
		}
		w.Guests[run] = g
	case "image":
		w.Images[run] = reconcile.Image{Size: cluster.Bytes(number("size")), Partial: has("partial"), Used: has("used")}
	case "ended":
		w.Ended[run] = reconcile.End{ByGuest: word == "guest", Cause: "cause"}
	case "busy":
		w.Busy[run] = reconcile.Action{Verb: verbs[word], Run: run}
	case "failed":
		w.Failed[run] = reconcile.Failure{Move: cluster.MoveID(number("move")), Cause: "cause", Lost: has("lost")}
	case "resting":
		w.Resting[run] = verbs[word]
	case "unread":
		w.Unread[run], w.Untried[run] = true, word == "untried"
	case "unready":
		w.Unready[run] = true
	case "peer":
		w.Peers[run] = presences[word]
	default:
		return fmt.Errorf("unknown fact")
	}
	return err
}

func told(actions []reconcile.Action, seen []cluster.Observation) string {
	var b strings.Builder
	for _, a := range actions {
		fmt.Fprintf(&b, "do %v %v", a.Verb, a.Run)
		if a.Verb == reconcile.Raise || a.Verb == reconcile.Lower {
			fmt.Fprintf(&b, " cap=%d", a.Order.CPU)
			if a.Order.Core != 0 {
				fmt.Fprintf(&b, " core=%d", a.Order.Core)
			}
		}
		b.WriteString("\n")
	}
	for _, o := range seen {
		fmt.Fprintf(&b, "see %v %v", o.Run, o.Seen)
		if o.Move != 0 {
			fmt.Fprintf(&b, " move=%d", o.Move)
		}
		if o.Cap != 0 {
			fmt.Fprintf(&b, " cap=%d", o.Cap)
		}
		if o.Tier == cluster.Background {
			b.WriteString(" background")
		}
		if o.Work != nil {
			fmt.Fprintf(&b, " ran=%d waited=%d", o.Work.Ran, o.Work.Waited)
		}
		if o.Image != 0 {
			fmt.Fprintf(&b, " image=%d", o.Image)
		}
		if o.Exit != nil {
			fmt.Fprintf(&b, " %s", wording.Cause(o.Exit.Explain(), wording.Names{}))
		}
		if o.Cause != "" {
			fmt.Fprintf(&b, ": %s", o.Cause)
		}
		b.WriteString("\n")
	}
	if b.Len() == 0 {
		return "nothing\n"
	}
	return b.String()
}
