package migrate

import (
	"slices"

	"aliquot/cluster"
)

// group is a set of moves that take memory and happen together: the starts and resumes of one job. A migration is a
// group of its own, because the other tasks keep running.
type group struct {
	charge cluster.Bytes // memory that each move takes
	moves  []cluster.Move
	after  []credit // credits that must end first
	parks  bool     // its migration is a pause and a resume, and the store has room for the image
}

// join adds the move to its job's group.
func (b *builder) join(m cluster.Move, charge cluster.Bytes) {
	if n := len(b.groups); n > 0 && m.Kind != cluster.Migrate {
		last := b.groups[n-1]
		if head := last.moves[0]; head.Task.Job == m.Task.Job && head.Kind != cluster.Migrate {
			last.moves = append(last.moves, m)
			return
		}
	}
	b.groups = append(b.groups, &group{charge: charge, moves: []cluster.Move{m}})
}

// needs returns the memory that the group takes per node, in the order of its moves.
func (g *group) needs() (nodes []cluster.NodeID, bytes map[cluster.NodeID]cluster.Bytes) {
	bytes = map[cluster.NodeID]cluster.Bytes{}
	for _, m := range g.moves {
		if bytes[m.To] == 0 {
			nodes = append(nodes, m.To)
		}
		bytes[m.To] += g.charge
	}
	return nodes, bytes
}

// fill plans the moves that take memory, in the order in which memory becomes free. It breaks cycles. Where a VM cannot
// move alive, it is paused and resumes.
func (b *builder) fill() {
	b.sift()
	for len(b.groups) > 0 {
		before := len(b.groups)
		b.groups = slices.DeleteFunc(b.groups, b.admit)
		if len(b.groups) == before && !b.breakCycle() {
			b.giveUp(b.groups...)
			return
		}
	}
}

// sift drops the groups that cannot be carried out. Store room that is reserved for one that is dropped goes to those
// that found none.
func (b *builder) sift() {
	for short := b.reserve(b.takeGroups()); ; {
		b.discard()
		before := len(b.groups)
		if short = b.reserve(short); len(b.groups) == before {
			for _, g := range short {
				b.block(g.moves[0].Task, NoStoreRoom)
			}
			return
		}
	}
}

func (b *builder) takeGroups() (all []*group) {
	all, b.groups = b.groups, nil
	return all
}

// discard drops groups whose nodes will lack room even after all other moves, because something there is blocked. The
// youngest job is dropped first. The remaining groups can be held up only by a cycle.
func (b *builder) discard() {
	last := map[cluster.NodeID]cluster.Bytes{}
	for id, l := range b.ledgers {
		last[id] = l.room()
	}
	book := func(g *group, sign cluster.Bytes) {
		for _, m := range g.moves {
			last[m.To] -= sign * g.charge
			if m.From != 0 {
				last[m.From] += sign * g.charge
			}
		}
	}
	for _, g := range b.groups {
		book(g, 1)
	}
	for i := len(b.groups) - 1; i >= 0; i-- {
		g := b.groups[i]
		if slices.ContainsFunc(g.moves, func(m cluster.Move) bool { return last[m.To] < 0 }) {
			book(g, -1)
			b.giveUp(g)
			if g.parks {
				b.store += g.charge
			}
			b.groups = slices.Delete(b.groups, i, i+1)
			i = len(b.groups) // memory that it would have freed may be missing elsewhere
		}
	}
}

func (b *builder) giveUp(groups ...*group) {
	for _, g := range groups {
		for _, m := range g.moves {
			b.block(m.Task, NoMemory)
		}
	}
}

// fits reports whether the group's nodes have, or will have, enough memory for the whole group.
func (b *builder) fits(g *group) bool {
	nodes, bytes := g.needs()
	return !slices.ContainsFunc(nodes, func(n cluster.NodeID) bool { return b.ledger(n).room() < bytes[n] })
}

// admit plans a group if it fits, and reports whether it did.
func (b *builder) admit(g *group) bool {
	if !b.fits(g) {
		return false
	}
	var shared Step
	shared.wait(g.after...)
	nodes, bytes := g.needs()
	for _, n := range nodes {
		b.ledger(n).spend(bytes[n], &shared)
	}
	if g.parks {
		b.detour(g, shared)
		return true
	}
	for _, m := range g.moves {
		index := b.add(Step{m, shared.After, shared.Await})
		if m.Kind.Frees() {
			b.credit(m.From, credit{g.charge, index, 0})
		}
	}
	return true
}

// breakCycle turns one migration into a pause and a resume: the first that holds others up and whose image fits in
// the store, and rather one that cannot be made alive. It reports whether it found one.
func (b *builder) breakCycle() bool {
	for _, parks := range []bool{true, false} {
		for _, g := range b.groups {
			fits := g.parks || b.store >= g.charge
			if g.parks == parks && g.moves[0].Kind == cluster.Migrate && fits && b.holdsUp(g) {
				b.park(g)
				return true
			}
		}
	}
	return false
}

// park pauses the VM of a migration at once, and lets it resume when its place is free.
func (b *builder) park(g *group) {
	if !g.parks {
		b.store -= g.charge
	}
	pause, resume := parted(g.moves[0])
	saved := credit{g.charge, b.add(Step{Move: pause}), 0}
	b.credit(pause.From, saved)
	g.moves[0], g.after, g.parks = resume, []credit{saved}, false
}

// parted returns the pause and the resume that take the place of a migration.
func parted(m cluster.Move) (pause, resume cluster.Move) {
	pause, resume = m, m
	pause.Kind, pause.To, pause.CPU, pause.Tier = cluster.Pause, 0, 0, 0
	resume.Kind, resume.From = cluster.Resume, 0
	return pause, resume
}

// reserve adds groups to those that are to be carried out. For a migration that cannot be made alive it reserves
// room in the store; it returns those that find none.
func (b *builder) reserve(groups []*group) (short []*group) {
	for _, g := range groups {
		if m := g.moves[0]; m.Kind == cluster.Migrate && (b.immobile(m.From) || b.immobile(m.To)) {
			if b.store < g.charge {
				short = append(short, g)
				continue
			}
			b.store -= g.charge
			g.parks = true
		}
		b.groups = append(b.groups, g)
	}
	return short
}

func (b *builder) immobile(id cluster.NodeID) bool { return b.v.Node(id).Description.Immobile }

// detour adds a pause and a resume in place of a migration, after the steps and moves that its destination waits for.
func (b *builder) detour(g *group, after Step) {
	pause, resume := parted(g.moves[0])
	saved := b.add(Step{pause, after.After, after.Await})
	b.credit(pause.From, credit{g.charge, saved, 0})
	b.add(Step{resume, []int{saved}, nil})
}

// holdsUp reports whether another group would fit if the migration had left its node.
func (b *builder) holdsUp(g *group) bool {
	l := b.ledger(g.moves[0].From)
	l.free += g.charge
	defer func() { l.free -= g.charge }()
	return slices.ContainsFunc(b.groups, func(other *group) bool { return other != g && b.fits(other) })
}
