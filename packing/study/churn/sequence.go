package churn

import (
	"math/rand/v2"
	"slices"

	"aliquot/packing"
	"aliquot/packing/study/instance"
)

// leaving is the part of the jobs that leave at a step.
const leaving = 0.1

// Sequence is a cluster in which, at every step, a tenth of the jobs leave, drawn at random, and new
// ones arrive until the memory is as full as the family says.
type Sequence struct {
	family instance.Family
	seed   uint64 // of the next jobs to arrive
	dice   *rand.Rand
	coming []packing.Item
	items  []packing.Item
	now    packing.Mapping
	label  uint64
}

// Begin returns the sequence of a seed, before its first step.
func Begin(f instance.Family, seed uint64) *Sequence {
	return &Sequence{family: f, seed: seed << 32, dice: rand.New(rand.NewPCG(seed, 0))}
}

// Step lets jobs leave and arrive. It returns the problem, its present mapping, in which new jobs have
// no nodes, and an order of priorities, the older before the younger.
func (s *Sequence) Step() (p *packing.Problem, now packing.Mapping, order []int) {
	s.leave()
	s.fill()
	nodes, _ := s.family.Draw(0)
	p = &packing.Problem{Nodes: nodes.Nodes, Items: slices.Clone(s.items)}
	for i := range s.items {
		order = append(order, i)
	}
	return p, slices.Clone(s.now), order
}

// Adopt makes the mapping the start of the next step. Items that it does not map leave.
func (s *Sequence) Adopt(m packing.Mapping) {
	s.now = m
	s.keep(func(i int) bool { return m[i] != nil })
}

func (s *Sequence) leave() {
	s.keep(func(int) bool { return s.dice.Float64() >= leaving })
}

func (s *Sequence) keep(stays func(i int) bool) {
	items, now := s.items[:0:0], s.now[:0:0]
	for i := range s.items {
		if stays(i) {
			items, now = append(items, s.items[i]), append(now, s.now[i])
		}
	}
	s.items, s.now = items, now
}

func (s *Sequence) fill() {
	memory := s.family.Memory * float64(s.family.Nodes) * instance.Unit
	for i := range s.items {
		memory -= required(&s.items[i])
	}
	for {
		it := s.next()
		if memory -= required(&it); memory < 0 {
			return
		}
		s.label++
		it.Label = s.label
		s.items, s.now = append(s.items, it), append(s.now, nil)
	}
}

func required(it *packing.Item) float64 { return float64(it.Count) * it.Rigid[0] }

func (s *Sequence) next() packing.Item {
	for len(s.coming) == 0 {
		s.seed++
		p, _ := s.family.Draw(s.seed)
		s.coming = p.Items
	}
	it := s.coming[0]
	s.coming = s.coming[1:]
	return it
}
