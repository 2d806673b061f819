package dfrs

import (
	"encoding/binary"
	"slices"

	"aliquot/cluster"
)

// nodeSets holds the sets of eligible nodes. Jobs with the same platform and the same constraint share one.
type nodeSets struct {
	lists map[string]*nodeSet
	last  *nodeSet // the last set that was looked up
	key   []byte   // key of the last lookup
}

// A nodeSet is the set of nodes on the board that are eligible for jobs with one platform and one constraint.
type nodeSet struct {
	platform string
	asked    *cluster.Constraint
	allowed  []bool   // by place on the board
	places   []int    // places of the allowed nodes, in order
	refused  refusals // requests that did not fit since a job was last unmapped
	lifts    int      // value of board.lifts when refused was last cleared
}

// list writes the places of the allowed nodes, of which there are count.
func (p *nodeSet) list(count int) {
	p.places = make([]int, 0, count)
	for n, allowed := range p.allowed {
		if allowed {
			p.places = append(p.places, n)
		}
	}
}

// everywhere reports whether the set has all nodes of the board.
func (p *nodeSet) everywhere() bool { return len(p.places) == len(p.allowed) }

// find returns the set for that platform and constraint, or nil.
func (p *nodeSets) find(platform string, asked *cluster.Constraint) *nodeSet {
	if p.last == nil || !p.last.fits(platform, asked) {
		p.encode(platform, asked)
		p.last = p.lists[string(p.key)]
	}
	return p.last
}

// add stores a set under the key of the find that just failed.
func (p *nodeSets) add(found *nodeSet) {
	if p.lists == nil {
		p.lists = map[string]*nodeSet{}
	}
	p.last = found
	p.lists[string(p.key)] = found
}

// encode writes the key, which is unique to the platform and constraint.
func (p *nodeSets) encode(platform string, asked *cluster.Constraint) {
	p.key = appendWord(p.key[:0], platform)
	p.key = binary.AppendUvarint(p.key, uint64(len(asked.Nodes)))
	for _, name := range asked.Nodes {
		p.key = appendWord(p.key, name)
	}
	for _, label := range asked.Match {
		p.key = appendWord(appendWord(p.key, label.Key), label.Value)
	}
}

func appendWord(key []byte, word string) []byte {
	return append(binary.AppendUvarint(key, uint64(len(word))), word...)
}

func (p *nodeSets) clear() {
	clear(p.lists)
	p.last = nil
}

func (p *nodeSet) fits(platform string, asked *cluster.Constraint) bool {
	return p.platform == platform && slices.Equal(p.asked.Nodes, asked.Nodes) && slices.Equal(p.asked.Match, asked.Match)
}
