package packing

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"aliquot/internal/story"
)

// TestStoriesGoAsTold runs testdata/*.txt. Nodes are n1, n2, ...; items have the names and, unless
// search gives others, the priorities of their lines, the first being the highest. Later lines are
// submitted later. Memory is the first rigid dimension, disk the second. The fluid dimension net is
// used in proportion to the yield.
func TestStoriesGoAsTold(t *testing.T) {
	story.Replay(t, "testdata", func(*testing.T) story.Runner { return new(teller).run })
}

type teller struct {
	p     Problem
	names []string
}

func (s *teller) run(t *testing.T, d *datadriven.TestData) string {
	switch d.Cmd {
	case "nodes":
		s.p.Nodes = nil
		for _, l := range story.Lines(d.Input) {
			s.node(l.Args)
		}
		return ""
	case "items":
		s.p.Items, s.names = nil, nil
		for _, l := range story.Lines(d.Input) {
			s.item(l.Name, l.Args)
		}
		if err := s.p.Validate(); err != nil {
			d.Fatalf(t, "%v", err)
		}
		return ""
	case "pack":
		var level float64
		d.ScanArgs(t, "level", &level)
		m, ok := Pack(&s.p, level)
		if !ok {
			return "does not fit"
		}
		return s.table(m, level)
	case "search":
		return s.search(t, d)
	case "shares":
		return s.shares(t, d, func(m Mapping) []float64 { return MaxMin(&s.p, m) })
	case "average":
		return s.shares(t, d, func(m Mapping) []float64 {
			yields, err := Average(&s.p, m, 1/max(1, s.p.Load(m)), nil)
			if err != nil {
				d.Fatalf(t, "%v", err)
			}
			return yields
		})
	}
	d.Fatalf(t, "unknown command %q", d.Cmd)
	return ""
}

func (s *teller) node(args map[string]string) {
	for range story.Number(cmp.Or(args["times"], "1")) {
		s.p.Nodes = append(s.p.Nodes, Node{CPU: float64(story.Number(args["cpu"])), Rigid: rigid(args), Fluid: net(args)})
	}
}

func (s *teller) item(name string, args map[string]string) {
	it := Item{
		Count:  story.Number(cmp.Or(args["tasks"], "1")),
		Need:   float64(story.Number(args["need"])),
		MinCPU: float64(story.Number(cmp.Or(args["min"], "0"))),
		Line:   Line{decimal(args["slope"]), decimal(args["base"]), decimal(args["idle"])},
		Rigid:  rigid(args),
		Label:  uint64(len(s.names)),
	}
	if allowed := args["allowed"]; allowed != "" {
		it.Allowed = make([]bool, len(s.p.Nodes))
		for _, n := range nodes(allowed) {
			it.Allowed[n] = true
		}
	}
	for _, slope := range net(args) {
		it.Fluid = append(it.Fluid, Demand{Slope: slope})
	}
	it.Spread, it.Together = args["spread"] == "yes", args["together"] == "yes"
	if pinned := args["pinned"]; pinned != "" {
		it.Pinned = nodes(pinned)
	}
	s.p.Items, s.names = append(s.p.Items, it), append(s.names, name)
}

func rigid(args map[string]string) []float64 {
	v := []float64{float64(story.Number(args["memory"]))}
	if disk := args["disk"]; disk != "" {
		v = append(v, float64(story.Number(disk)))
	}
	return v
}

func net(args map[string]string) (v []float64) {
	if amount := args["net"]; amount != "" {
		v = append(v, float64(story.Number(amount)))
	}
	return v
}

func nodes(list string) (indices []int) {
	for name := range strings.SplitSeq(list, ",") {
		indices = append(indices, story.Number(strings.TrimPrefix(name, "n"))-1)
	}
	return indices
}

func decimal(s string) float64 {
	x, err := strconv.ParseFloat(cmp.Or(s, "0"), 64)
	if err != nil {
		panic(err)
	}
	return x
}

func (s *teller) search(t *testing.T, d *datadriven.TestData) string {
	order := all(len(s.names))
	if d.HasArg("order") {
		order = nil
		for _, arg := range d.CmdArgs {
			if arg.Key != "order" {
				continue
			}
			for _, name := range arg.Vals {
				order = append(order, slices.Index(s.names, name))
			}
		}
	}
	r := Options{Strict: d.HasArg("strict"), Accuracy: accuracy(t, d)}.Search(&s.p, order)
	out := fmt.Sprintf("yield %.4g after %d probes", r.Yield, r.Probes)
	if len(r.Dropped) > 0 {
		out += "; dropped " + s.list(r.Dropped)
	}
	return out + "\n" + s.table(r.Mapping, r.Yield)
}

func accuracy(t *testing.T, d *datadriven.TestData) (accuracy float64) {
	d.MaybeScanArgs(t, "accuracy", &accuracy)
	return accuracy
}

// table shows the use and the items of each node at a level.
func (s *teller) table(m Mapping, level float64) string {
	var b strings.Builder
	for n, node := range s.p.Nodes {
		used := make([]float64, s.p.width())
		var who []string
		for i, to := range m {
			tasks := 0
			for _, k := range to {
				if k == n {
					tasks++
				}
			}
			add(used, float64(tasks), taken(&s.p, i, s.p.Items[i].demand(level), s.p.Items[i].granted(level)))
			if tasks > 0 {
				who = append(who, strings.TrimSuffix(fmt.Sprintf("%s×%d", s.names[i], tasks), "×1"))
			}
		}
		fmt.Fprintf(&b, "n%d  CPU %4g/%-4g", n+1, used[0], node.CPU)
		for d, capacity := range node.Rigid {
			fmt.Fprintf(&b, "  %s %3g/%-3g", []string{"memory", "disk"}[d], used[1+d], capacity)
		}
		for d, capacity := range node.Fluid {
			fmt.Fprintf(&b, "  net %4g/%-4g", used[1+len(node.Rigid)+d], capacity)
		}
		fmt.Fprintf(&b, "  %s\n", cmp.Or(strings.Join(who, " "), "idle"))
	}
	return b.String()
}

// shares maps items as its lines say and shows the yields that give returns.
func (s *teller) shares(t *testing.T, d *datadriven.TestData, give func(Mapping) []float64) string {
	m := make(Mapping, len(s.names))
	for line := range strings.Lines(d.Input) {
		words := strings.Fields(line)
		m[slices.Index(s.names, words[0])] = nodes(words[1])
	}
	yields := give(m)
	var b strings.Builder
	fmt.Fprintf(&b, "load %.4g\n", s.p.Load(m))
	for i, y := range yields {
		fmt.Fprintf(&b, "%s  yield %.4f  %5.1f of %g\n", s.names[i], y, y*s.p.Items[i].Need, s.p.Items[i].Need)
	}
	if err := s.p.Feasible(m, yields); err != nil {
		fmt.Fprintf(&b, "not feasible: %v\n", err)
	}
	return b.String()
}

func (s *teller) list(items []int) string {
	var names []string
	for _, i := range items {
		names = append(names, s.names[i])
	}
	return strings.Join(names, ", ")
}
