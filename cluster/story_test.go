package cluster

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"aliquot/internal/story"
)

// TestStoriesGoAsTold runs testdata/*.txt. In a story, "new" makes a cluster of the nodes given, and with "new unbound"
// root may be promised all of them; "do" applies one command per line and shows the events, or why it was refused;
// "show" shows jobs, nodes and what is pending; "view" what policies see of them; "orders" what a node is told.
// story.verbs lists the commands. Time stands still but for "wait". Nodes do as they are ordered only when told to
// "obey".
func TestStoriesGoAsTold(t *testing.T) {
	story.Replay(t, "testdata", func(t *testing.T) story.Runner { return (&teller{T: t}).run })
}

type teller struct {
	*testing.T
	s    *State
	now  Time
	seen *View // the basis of the next decision; nil: the state as it is then
	out  strings.Builder
}

// words is one line of a story: what comes first and key=value behind it.
type words struct {
	verb string
	list []string
	args map[string]string
}

func split(line string) words {
	l := story.Parse(line)
	return words{l.Name, l.Words, l.Args}
}

func (w words) get(i int) string {
	if i < len(w.list) {
		return w.list[i]
	}
	return ""
}

func (w words) number(key string, otherwise int) int {
	return story.Line{Args: w.args}.Number(key, otherwise)
}

func (s *teller) run(t *testing.T, d *datadriven.TestData) string {
	s.out.Reset()
	switch d.Cmd {
	case "new":
		s.now, s.s = 0, Newest([16]byte{1}, PolicyChoice{"FCFS", Minute})
		s.apply(PutImage{Image{Name: "busybox", Digest: testImage[len("busybox@sha256:"):], Kind: "kernel", Size: 1}},
			words{})
		s.apply(Claim{Replica: 1, Term: 1}, words{})
		if len(d.CmdArgs) > 0 {
			s.apply(SetQuota{unbound}, words{})
		}
		for line := range strings.Lines(d.Input) {
			s.node(split(line))
		}
		s.out.Reset()
	case "do":
		for line := range strings.Lines(d.Input) {
			s.do(split(line))
		}
	case "show":
		s.show()
	case "view":
		s.view()
	case "orders":
		s.orders(d.CmdArgs[0].Key)
	default:
		d.Fatalf(t, "unknown command %q", d.Cmd)
	}
	return s.out.String()
}

func (s *teller) node(w words) {
	join := Join{Name: w.verb, Boot: cmp.Or(w.args["boot"], "first"), Description: Description{
		CPU: CPU(w.number("cpu", 1000)), Memory: Bytes(w.number("memory", 256)) * MiB,
		Overhead: Bytes(w.number("overhead", 0)) * MiB, Cores: int(w.number("cores", 0)),
		Labels: pairs(w.args["labels"]), MigrateURI: "qemu+tls://" + w.verb,
		Immobile: w.args["immobile"] == "yes",
	}}
	if n := s.s.NodeNamed(w.verb); n != nil {
		join.Admission = n.Admission
	}
	if w.args["certificate"] == "old" {
		join.Admission = 0
	}
	s.apply(join, w)
	if s.s.NodeNamed(w.verb) != nil {
		s.report(w, w.verb)
	}
}

func pairs(list string) (out []Pair) {
	for _, word := range strings.FieldsFunc(list, func(r rune) bool { return r == ',' }) {
		key, value, _ := strings.Cut(word, ":")
		out = append(out, Pair{key, value})
	}
	return out
}

// report sends what a node observed, with a working store and fence unless the words say otherwise.
func (s *teller) report(w words, node string, seen ...Observation) {
	store := w.number("store", 10_000)
	s.apply(Report{
		Node: s.id(node), FenceAlive: w.args["fence"] != "dead", StoreProven: store >= 0,
		StoreFree: max(-1, Bytes(store)*MiB),
		Foreign:   Foreign{CPU(w.number("foreign-cpu", 0)), Bytes(w.number("foreign", 0)) * MiB}, Observations: seen,
		HypervisorSilent: w.args["hypervisor"] == "silent", Astray: Bytes(w.number("astray", 0)) * MiB,
		Joined: uint64(w.number("joined", math.MaxInt)), Revision: uint64(w.number("revision", math.MaxInt)),
	}, w)
}

func (s *teller) id(node string) NodeID {
	if n := s.s.NodeNamed(node); n != nil {
		return n.ID
	}
	return 99
}

// apply applies the action as the words say: as=name:role, request=, epoch=.
func (s *teller) apply(a Action, w words) Result {
	actor := root
	if as := w.args["as"]; as != "" {
		name, role, _ := strings.Cut(as, ":")
		roles := []string{"", "viewer", "user", "operator", "admin"}
		actor = Actor{Name: name, Owner: name, Project: "default", Role: Role(slices.Index(roles, cmp.Or(role, "user")))}
	}
	epoch := s.s.Epoch
	if w.args["epoch"] != "" {
		epoch = uint64(w.number("epoch", 0))
	}
	r := s.s.Apply(s.s.Revision+1, Command{At: s.now, TimeSet: s.s.TimeSet, Actor: actor, Request: w.args["request"],
		Epoch: epoch, Action: a})
	if err := s.s.Check(); err != nil {
		s.Fatalf("after %T: %v", a, err)
	}
	if r.Rejection != nil {
		if r.Rejection.Code == CodeInternalBug {
			s.Fatalf("%T: %v", a, r.Rejection)
		}
		fmt.Fprintf(&s.out, "refused, %s%s: %s\n", r.Rejection.Code, strings.TrimSuffix(" in "+r.Rejection.Field, " in "),
			r.Rejection.Detail)
	}
	if o := r.Offered; o != nil {
		fmt.Fprintf(&s.out, "offered instead, %s in %s: %s\n", o.Code, o.Field, o.Detail)
	}
	if r.Repeated {
		fmt.Fprintf(&s.out, "done before: %v\n", r.Job)
	}
	for _, e := range r.Events {
		s.event(e)
	}
	return r
}

func (s *teller) event(e Event) {
	who := ""
	switch {
	case e.Run > 0:
		who = " " + RunID{e.Job, e.Task, e.Run}.String()
	case e.Job != 0:
		who = " " + e.Job.String()
	}
	if n := s.s.Node(e.From); n != nil {
		who += " from " + n.Name
	}
	if n := s.s.Node(e.Node); n != nil {
		who += " " + map[bool]string{true: "", false: "at "}[e.Job == 0] + n.Name
	}
	if e.CPU != 0 {
		who += " " + e.CPU.String()
		if e.Tier == Background {
			who += " in the background"
		}
	}
	fmt.Fprintf(&s.out, "%4gs %s%s%s\n", e.At.Seconds(), e.Kind, who, strings.TrimSuffix(": "+plainCause(e.Cause), ": "))
}

// plainCause writes the codes with their numbers, and the words.
func plainCause(c Cause) string {
	var parts []string
	for _, r := range c.Why {
		parts = append(parts, r.String())
	}
	if c.Text != "" {
		parts = append(parts, c.Text)
	}
	return strings.Join(parts, ", ")
}

func (s *teller) show() {
	for j := range s.s.Jobs() {
		fmt.Fprintf(&s.out, "%v", j.ID)
		if p := s.s.Target(j.ID); p != nil {
			var names []string
			for _, id := range p.Nodes {
				if n := s.s.Node(id); n != nil {
					names = append(names, n.Name)
				} else {
					names = append(names, "-")
				}
			}
			fmt.Fprintf(&s.out, " holds %v on %s", p.Cap, strings.Join(names, ","))
		}
		fmt.Fprintf(&s.out, ", virtual time %v s, %s", j.VirtualTime(s.now).Seconds(), j.Why)
		if j.Moves > 0 {
			fmt.Fprintf(&s.out, "; moves: %d, the last at %gs", j.Moves, j.Moved.Seconds())
		}
		fmt.Fprintln(&s.out)
		for i := range j.Tasks {
			s.showTask(j, i)
		}
	}
	for n := range s.s.Nodes() {
		fmt.Fprintf(&s.out, "%s %v: promised %v and %v of %v, occupied %v", n.Name, n.Health, n.Load.Granted(), n.Load.Memory,
			n.Capacity().Memory, n.Occupied)
		if len(n.Strays) > 0 {
			fmt.Fprintf(&s.out, ", strays %v", n.Strays)
		}
		fmt.Fprintln(&s.out)
	}
	o := s.s.View(s.now).Pending()
	fmt.Fprintf(&s.out, "pending: submitted %v, ended %v, nodes changed %v, due %v\n", o.Submitted, o.Ended,
		o.NodesChanged, o.Rings(AlarmTick))
}

func (s *teller) showTask(j *Job, i int) {
	task := &j.Tasks[i]
	fmt.Fprintf(&s.out, "  %d %v", i, task.Phase)
	if n := s.s.Node(task.Node); n != nil {
		fmt.Fprintf(&s.out, " on %s at %v of %v", n.Name, task.Observed, task.Cap)
	}
	if task.Frozen {
		fmt.Fprint(&s.out, ", frozen")
	}
	if m := s.s.Move(TaskID{j.ID, i}); m != nil {
		fmt.Fprintf(&s.out, ", %v under way", m.Kind)
	}
	if task.RetryAt > s.now {
		fmt.Fprintf(&s.out, ", %d failed moves, no other before %gs", task.Attempts, task.RetryAt.Seconds())
	}
	if task.Trouble != nil {
		fmt.Fprintf(&s.out, ", the last: %s", plainCause(*task.Trouble))
	}
	fmt.Fprintln(&s.out)
}

func (s *teller) view() {
	v := s.s.View(s.now)
	for j := range v.Candidates() {
		var on, allowed []string
		if p := v.Mapped(j.ID); p != nil {
			for _, id := range p.Nodes {
				on = append(on, v.Node(id).Name)
			}
		}
		for n := range v.Nodes() {
			if v.Allowing(j)(n) {
				allowed = append(allowed, n.Name)
			}
		}
		fmt.Fprintf(&s.out, "%v mapped on %v, allowed on %v, pausable %v, stuck %v\n", j.ID, on, allowed,
			v.Saving(j) == 0 || v.StoreRoom() >= v.Saving(j), v.Stuck(j))
		if v.Stuck(j) {
			fmt.Fprintf(&s.out, "  %v\n", s.s.Snapshot(s.now).Reason(j))
		}
	}
	for n := range v.Nodes() {
		o := n.Offer()
		fmt.Fprintf(&s.out, "%s offers %v and %v, open %v\n", n.Name, o.CPU, o.Memory, v.Condition(n) == NodeOpen)
	}
	fmt.Fprintf(&s.out, "wakes at %gs\n", v.WakeAt().Seconds())
}

func (s *teller) orders(node string) {
	o := s.s.Orders(s.id(node))
	for _, r := range o.Runs {
		fmt.Fprintf(&s.out, "%v %v", r.Want, r.Run)
		if r.Want != Vanish && r.Want != Save {
			fmt.Fprintf(&s.out, " %v", r.CPU)
		}
		if r.Core != 0 {
			fmt.Fprintf(&s.out, ", on processor %d", r.Core)
		}
		if r.Move != 0 {
			fmt.Fprintf(&s.out, ", move %d", r.Move)
		}
		if r.Peer != "" {
			fmt.Fprintf(&s.out, ", other end %s", r.Peer)
		}
		if r.Aborted {
			fmt.Fprint(&s.out, ", aborted")
		}
		fmt.Fprintln(&s.out)
	}
	for _, run := range o.Destroy {
		fmt.Fprintf(&s.out, "destroy %v\n", run)
	}
	if s.out.Len() == 0 {
		fmt.Fprintln(&s.out, "nothing")
	}
}
