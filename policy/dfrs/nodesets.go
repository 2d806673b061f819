package dfrs

import (
	"encoding/binary"
	"slices"

	"aliquot/cluster"
)

// nodeSets are the sets of eligible nodes. Jobs whose runs are of one platform and that ask for the same
// share one.
type nodeSets struct {
	lists map[string]*nodeSet
	last  *nodeSet // that was asked for
	key   []byte   // of the last that was looked up
}

// A nodeSet is the nodes of the board that are eligible for jobs of a platform that ask for the same.
type nodeSet struct {
	platform string
	asked    *cluster.Constraint
	allowed  []bool   // by place on the board
	places   []int    // those that are allowed, in order
	refused  refusals // since the board was last lifted from
	lifts    int      // how often it had been then
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

// add keeps a set that find did not find just before.
func (p *nodeSets) add(found *nodeSet) {
	if p.lists == nil {
		p.lists = map[string]*nodeSet{}
	}
	p.last = found
	p.lists[string(p.key)] = found
}

// encode writes the key, which no other platform and constraint have.
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
