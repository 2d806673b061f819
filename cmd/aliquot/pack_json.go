package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"aliquot/packing"
)

// packNode is a node of a JSON instance, or several that are alike.
type packNode struct {
	ID    string             `json:"id"`
	Count *int               `json:"count"`
	CPU   float64            `json:"cpu"`
	Mem   float64            `json:"mem"`
	Rigid map[string]float64 `json:"rigid"`
	Fluid map[string]float64 `json:"fluid"`
}

// packItem is a group of identical tasks.
type packItem struct {
	ID       string                `json:"id"`
	Count    *int                  `json:"count"`
	CPU      float64               `json:"cpu"`
	LeastCPU float64               `json:"leastCpu"`
	Mem      float64               `json:"mem"`
	Rigid    map[string]float64    `json:"rigid"`
	Fluid    map[string]packDemand `json:"fluid"`
	Allowed  []string              `json:"allowed"`
	Pinned   []string              `json:"pinned"`
	Spread   bool                  `json:"spread"`
	Together bool                  `json:"together"`
	Priority *float64              `json:"priority"`
}

// packDemand is clamp(slope·yield + base, least, most) of a fluid dimension.
type packDemand struct {
	Slope float64 `json:"slope"`
	Base  float64 `json:"base"`
	Least float64 `json:"least"`
	Most  float64 `json:"most"`
}

// packDocument is what a JSON instance says, and in which lines.
type packDocument struct {
	name      string
	nodes     []packNode
	items     []packItem
	nodeLines []int
	itemLines []int
}

func readPackJSON(name string, text []byte) (*packInstance, error) {
	d := &packDocument{name: name}
	if err := d.read(text); err != nil {
		return nil, err
	}
	b := &packBuilder{packDocument: d, in: &packInstance{}, byName: map[string][]int{}}
	b.dimensions()
	for k := range d.nodes {
		if err := b.node(k); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, d.nodeLines[k], err)
		}
	}
	seen := newNames()
	for k := range d.items {
		err := seen.add(d.items[k].ID, d.itemLines[k])
		if err == nil {
			err = b.item(k)
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, d.itemLines[k], err)
		}
	}
	return b.in, nil
}

// read takes the document apart element by element, so that errors know their line.
func (d *packDocument) read(text []byte) error {
	r := json.NewDecoder(bytes.NewReader(text))
	r.DisallowUnknownFields()
	fail := func(at int64, err error) error {
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			at = syntax.Offset
		}
		return fmt.Errorf("%s:%d: %w", d.name, lineAt(text, at), err)
	}
	elements := func(one func() error) (lines []int, err error) {
		if open, err := r.Token(); err != nil || open != json.Delim('[') {
			return nil, fail(r.InputOffset(), errors.Join(err, errors.New("a list must begin here")))
		}
		for r.More() {
			start := nextValue(text, r.InputOffset())
			if err := one(); err != nil {
				return nil, fail(start, err)
			}
			lines = append(lines, lineAt(text, start))
		}
		_, err = r.Token()
		if err != nil {
			return nil, fail(r.InputOffset(), err)
		}
		return lines, nil
	}
	if _, err := r.Token(); err != nil {
		return fail(r.InputOffset(), err)
	}
	for r.More() {
		key, err := r.Token()
		if err != nil {
			return fail(r.InputOffset(), err)
		}
		switch key {
		case "nodes":
			d.nodeLines, err = elements(func() error {
				d.nodes = append(d.nodes, packNode{})
				return r.Decode(&d.nodes[len(d.nodes)-1])
			})
		case "items":
			d.itemLines, err = elements(func() error {
				d.items = append(d.items, packItem{})
				return r.Decode(&d.items[len(d.items)-1])
			})
		default:
			err = fail(r.InputOffset(), fmt.Errorf("there is no field %v here, only nodes and items", key))
		}
		if err != nil {
			return err
		}
		if len(d.nodeLines) != len(d.nodes) || len(d.itemLines) != len(d.items) {
			return fail(r.InputOffset(), fmt.Errorf("%v is there twice", key))
		}
	}
	if _, err := r.Token(); err != nil {
		return fail(r.InputOffset(), err)
	}
	if rest := bytes.TrimSpace(text[r.InputOffset():]); len(rest) > 0 {
		return fail(r.InputOffset()+1, errors.New("something follows the end"))
	}
	return nil
}

func lineAt(text []byte, offset int64) int {
	return 1 + bytes.Count(text[:min(max(0, offset), int64(len(text)))], []byte("\n"))
}

// nextValue is where the next element begins.
func nextValue(text []byte, offset int64) int64 {
	for offset < int64(len(text)) && bytes.IndexByte([]byte(" \t\r\n,"), text[offset]) >= 0 {
		offset++
	}
	return offset
}

// packBuilder makes an instance of a document.
type packBuilder struct {
	*packDocument
	in           *packInstance
	rigid, fluid []string         // names of dimensions beside memory and CPU, sorted
	byName       map[string][]int // nodes
}

// dimensions collects the names that are used anywhere.
func (b *packBuilder) dimensions() {
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
	b.in.unit = packing.Node{CPU: packUnit, Rigid: slices.Repeat([]float64{packUnit}, 1+len(b.rigid)), Fluid: slices.Repeat([]float64{packUnit}, len(b.fluid))}
}

func (b *packBuilder) node(k int) error {
	n := &b.nodes[k]
	if n.ID == "" {
		n.ID = "n" + strconv.Itoa(len(b.in.problem.Nodes))
	}
	if b.byName[n.ID] != nil {
		return fmt.Errorf("there is another node %q", n.ID)
	}
	count, err := packCount(n.Count, mostNodes-len(b.in.problem.Nodes))
	if err != nil {
		return err
	}
	var v packVector
	node := packing.Node{CPU: v.size("cpu", n.CPU), Rigid: []float64{v.size("mem", n.Mem)}}
	for _, name := range b.rigid {
		node.Rigid = append(node.Rigid, v.size(name, n.Rigid[name]))
	}
	for _, name := range b.fluid {
		node.Fluid = append(node.Fluid, v.size(name, n.Fluid[name]))
	}
	for c := range count {
		name := n.ID
		if count > 1 {
			name += "-" + strconv.Itoa(c)
		}
		b.byName[n.ID] = append(b.byName[n.ID], len(b.in.nodes))
		b.in.nodes, b.in.problem.Nodes = append(b.in.nodes, name), append(b.in.problem.Nodes, node)
	}
	return v.err
}

func (b *packBuilder) item(k int) error {
	from := &b.items[k]
	count, err := packCount(from.Count, mostPacked)
	if err != nil {
		return err
	}
	var v packVector
	it := packing.Item{Count: count, Need: v.size("cpu", from.CPU), MinCPU: v.size("leastCpu", from.LeastCPU), Rigid: []float64{v.size("mem", from.Mem)}, Spread: from.Spread, Together: from.Together}
	for _, name := range b.rigid {
		it.Rigid = append(it.Rigid, v.size(name, from.Rigid[name]))
	}
	for _, name := range b.fluid {
		d := from.Fluid[name]
		base := max(d.Base, -d.Base)
		base = v.size(name, base)
		if d.Base < 0 {
			base = -base
		}
		it.Fluid = append(it.Fluid, packing.Demand{Slope: v.size(name, d.Slope), Base: base, Least: v.size(name, d.Least), Most: v.size(name, d.Most)})
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
		priority, b.in.ranked = *from.Priority, true
	}
	b.in.priorities = append(b.in.priorities, priority)
	return b.in.add(from.ID, it)
}

// places says where an item may be, and where it has to.
func (b *packBuilder) places(from *packItem, it *packing.Item) error {
	if from.Allowed != nil {
		it.Allowed = make([]bool, len(b.in.nodes))
	}
	for _, name := range from.Allowed {
		nodes, ok := b.byName[name]
		if !ok {
			return fmt.Errorf("allowed: there is no node %q", name)
		}
		for _, n := range nodes {
			it.Allowed[n] = true
		}
	}
	for _, name := range from.Pinned {
		n := slices.Index(b.in.nodes, name)
		if n < 0 {
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

func packCount(count *int, most int) (int, error) {
	if count == nil {
		return 1, nil
	}
	if *count < 1 || *count > most {
		return 0, fmt.Errorf("count is %d, must be from 1 to %d", *count, most)
	}
	return *count, nil
}

// packVector collects sizes and keeps the first error.
type packVector struct{ err error }

func (v *packVector) size(what string, x float64) float64 {
	size, err := packSize(what, x)
	if v.err == nil {
		v.err = err
	}
	return size
}
