package document

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"aliquot/packing"
)

// node is a node of a JSON file, or several that are alike.
type node struct {
	ID    string             `json:"id"`
	Count *int               `json:"count"`
	CPU   float64            `json:"cpu"`
	Mem   float64            `json:"mem"`
	Rigid map[string]float64 `json:"rigid"`
	Fluid map[string]float64 `json:"fluid"`
}

// item is a group of identical tasks.
type item struct {
	ID       string             `json:"id"`
	Count    *int               `json:"count"`
	CPU      float64            `json:"cpu"`
	LeastCPU float64            `json:"leastCpu"`
	Mem      float64            `json:"mem"`
	Rigid    map[string]float64 `json:"rigid"`
	Fluid    map[string]demand  `json:"fluid"`
	Allowed  []string           `json:"allowed"`
	Pinned   []string           `json:"pinned"`
	Spread   bool               `json:"spread"`
	Together bool               `json:"together"`
	Priority *float64           `json:"priority"`
}

// demand is clamp(slope·yield + base, least, most) of a fluid dimension.
type demand struct {
	Slope float64 `json:"slope"`
	Base  float64 `json:"base"`
	Least float64 `json:"least"`
	Most  float64 `json:"most"`
}

// builder makes an Instance from a JSON file.
type builder struct {
	*syntax
	in           *Instance
	rigid, fluid []string          // names of dimensions beside memory and CPU, sorted
	byName       map[string][]int  // nodes: by the name that they share
	exact        map[string]int    // node, by its own name
	given        map[string]bool   // names that the document gives nodes
	lists        map[string][]bool // of allowed nodes, by names
}

// dimensions collects the names that are used anywhere.
func (b *builder) dimensions() {
	rigid, fluid := map[string]bool{}, map[string]bool{}
	for _, n := range b.nodes {
		for name := range n.Rigid {
			rigid[name] = true
		}
		for name := range n.Fluid {
			fluid[name] = true
		}
	}
	for _, it := range b.items {
		for name := range it.Rigid {
			rigid[name] = true
		}
		for name := range it.Fluid {
			fluid[name] = true
		}
	}
	b.rigid, b.fluid = slices.Sorted(maps.Keys(rigid)), slices.Sorted(maps.Keys(fluid))
	b.in.unit = packing.Node{CPU: Unit, Rigid: slices.Repeat([]float64{Unit}, 1+len(b.rigid)),
		Fluid: slices.Repeat([]float64{Unit}, len(b.fluid))}
}

func (b *builder) node(k int) error {
	n := &b.nodes[k]
	if n.ID == "" {
		n.ID = b.freeName()
	}
	if _, taken := b.exact[n.ID]; taken || b.byName[n.ID] != nil {
		return fmt.Errorf("there is another node %q", n.ID)
	}
	count, err := parseCount(n.Count, MostNodes-len(b.in.Problem.Nodes))
	if err != nil {
		return err
	}
	var v vector
	node := packing.Node{CPU: v.size("cpu", n.CPU), Rigid: []float64{v.size("mem", n.Mem)}}
	for _, name := range b.rigid {
		node.Rigid = append(node.Rigid, v.size(name, n.Rigid[name]))
	}
	for _, name := range b.fluid {
		node.Fluid = append(node.Fluid, v.size(name, n.Fluid[name]))
	}
	for c := range count {
		if b.asks.Seen(1) {
			return ErrSpent
		}
		name := n.ID
		if count > 1 {
			name += "-" + strconv.Itoa(c)
		}
		if _, taken := b.exact[name]; taken || count > 1 && b.byName[name] != nil {
			return fmt.Errorf("there is another node %q", name)
		}
		b.exact[name] = len(b.in.names)
		b.byName[n.ID] = append(b.byName[n.ID], len(b.in.names))
		b.in.names, b.in.Problem.Nodes = append(b.in.names, name), append(b.in.Problem.Nodes, node)
	}
	return v.err
}

// freeName returns n followed by the index of the next node, or by the first higher number that is no node's name.
func (b *builder) freeName() string {
	if b.given == nil {
		b.given = map[string]bool{}
		for _, n := range b.nodes {
			b.given[n.ID] = true
		}
	}
	for number := len(b.in.names); ; number++ {
		name := "n" + strconv.Itoa(number)
		if _, taken := b.exact[name]; !taken && !b.given[name] {
			return name
		}
	}
}

func (b *builder) item(k int) error {
	from := &b.items[k]
	count, err := parseCount(from.Count, MostTasks)
	if err != nil {
		return err
	}
	var v vector
	it := packing.Item{Count: count, Need: v.size("cpu", from.CPU), MinCPU: v.size("leastCpu", from.LeastCPU),
		Rigid: []float64{v.size("mem", from.Mem)}, Spread: from.Spread, Together: from.Together}
	for _, name := range b.rigid {
		it.Rigid = append(it.Rigid, v.size(name, from.Rigid[name]))
	}
	for _, name := range b.fluid {
		d := from.Fluid[name]
		it.Fluid = append(it.Fluid, packing.Demand{
			Slope: v.size(name+".slope", d.Slope), Base: v.signed(name+".base", d.Base), Least: v.size(name+".least", d.Least),
			Most: v.size(name+".most", d.Most),
		})
	}
	if v.err != nil {
		return v.err
	}
	if it.Spread && it.Together && count > 1 {
		return errors.New("its tasks are to be spread, and to be together")
	}
	if err := b.places(from, &it); err != nil {
		return err
	}
	priority := 0.0
	if from.Priority != nil {
		priority, b.in.Ranked = *from.Priority, true
	}
	b.in.priorities = append(b.in.priorities, priority)
	return b.in.add(from.ID, it)
}

// places sets the nodes where an item may be and those where it must be.
func (b *builder) places(from *item, it *packing.Item) error {
	if from.Allowed != nil {
		list, err := b.allowed(from.Allowed)
		if err != nil {
			return err
		}
		it.Allowed = list
	}
	for _, name := range from.Pinned {
		n, ok := b.exact[name]
		if alike := b.byName[name]; !ok && alike != nil {
			return fmt.Errorf("pinned: there are %d nodes %q: name one, from %q on", len(alike), name, b.in.names[alike[0]])
		}
		if !ok {
			return fmt.Errorf("pinned: there is no node %q", name)
		}
		if it.Allowed != nil && !it.Allowed[n] {
			return fmt.Errorf("pinned: node %q is not allowed", name)
		}
		it.Pinned = append(it.Pinned, n)
	}
	if from.Pinned != nil && len(from.Pinned) != it.Count {
		return fmt.Errorf("pinned names %d nodes for %d tasks", len(from.Pinned), it.Count)
	}
	return nil
}

// allowed returns the nodes with the given names. Equal lists of names share one result.
func (b *builder) allowed(names []string) ([]bool, error) {
	key := strings.Join(names, "\x00")
	if list, ok := b.lists[key]; ok {
		return list, nil
	}
	if (len(b.lists)+1)*len(b.in.names) > mostAllowed {
		return nil, fmt.Errorf("allowed: with %d nodes there may be at most %d different lists", len(b.in.names),
			len(b.lists))
	}
	list := make([]bool, len(b.in.names))
	for _, name := range names {
		nodes := b.byName[name]
		if n, one := b.exact[name]; one {
			nodes = []int{n}
		}
		if nodes == nil {
			return nil, fmt.Errorf("allowed: there is no node %q", name)
		}
		for _, n := range nodes {
			list[n] = true
		}
		if b.asks.Seen(len(nodes)) {
			return nil, ErrSpent
		}
	}
	if b.asks.Seen(len(list)) {
		return nil, ErrSpent
	}
	b.lists[key] = list
	return list, nil
}

func parseCount(count *int, most int) (int, error) {
	if count == nil {
		return 1, nil
	}
	if *count < 1 || *count > most {
		return 0, fmt.Errorf("count is %d, must be from 1 to %d", *count, most)
	}
	return *count, nil
}

// vector collects sizes and keeps the first error.
type vector struct{ err error }

// signed is a size that may be negative.
func (v *vector) signed(what string, x float64) float64 {
	if x < -MostSize && v.err == nil {
		v.err = fmt.Errorf("%s is %v, must be at least %g, in unit nodes", what, x, -float64(MostSize))
	}
	return math.Copysign(v.size(what, math.Abs(x)), x)
}

func (v *vector) size(what string, x float64) float64 {
	size, err := checkSize(what, x)
	if v.err == nil {
		v.err = err
	}
	return size
}
