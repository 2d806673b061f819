package cluster

// freed is a node of a job whose placement ended in whole or in part, with the latest revision at which one did. Only
// the next decision reads it. It is not stored.
type freed struct {
	node NodeID
	at   uint64
}

func (a freed) less(b freed) bool { return a.node < b.node }

// markFreed records the nodes of a placement that ended in whole or in part.
func (t *transaction) markFreed(p *Placement) {
	for _, id := range p.Nodes {
		if id != 0 {
			t.freed.ReplaceOrInsert(freed{id, t.Revision})
		}
	}
	t.markEnded(p.Tier)
}

// forgetFreed forgets the nodes that a decision with that basis has seen.
func (t *transaction) forgetFreed(basis uint64) {
	var seen []freed
	for f := range t.freed.all() {
		if f.at <= basis {
			seen = append(seen, f)
		}
	}
	for _, f := range seen {
		t.freed.Delete(f)
	}
}
