package dfrs

import (
	"encoding/binary"
	"slices"

	"aliquot/cluster"
)

// permits are lists of the nodes on which jobs may be placed. Jobs whose runs are of one platform and that ask for the same
// share one.
type permits struct {
	lists map[string]*permit
	last  *permit // that was asked for
	key   []byte  // of the last that was looked up
}

// A permit is the nodes of the board on which jobs of a platform that ask for the same may be placed.
type permit struct {
	platform string
	asked    *cluster.Constraint
	allowed  []bool // by place on the board
	places   []int  // those that are allowed, in order
	refused  []*job // of these, that Greedy could not map since the board was last lifted from
	lifts    int    // how often it had been then
}

// everywhere tells whether no node is missing.
func (p *permit) everywhere() bool { return len(p.places) == len(p.allowed) }

// find returns the permit for that platform and constraint, or nil.
func (p *permits) find(platform string, asked *cluster.Constraint) *permit {
	if p.last == nil || !p.last.fits(platform, asked) {
		p.encode(platform, asked)
		p.last = p.lists[string(p.key)]
	}
	return p.last
}

// add keeps a permit that was looked for in vain just before.
func (p *permits) add(found *permit) {
	if p.lists == nil {
		p.lists = map[string]*permit{}
	}
	p.last = found
	p.lists[string(p.key)] = found
}

// encode writes the key, which no other platform and constraint have.
func (p *permits) encode(platform string, asked *cluster.Constraint) {
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

func (p *permits) clear() {
	clear(p.lists)
	p.last = nil
}

func (p *permit) fits(platform string, asked *cluster.Constraint) bool {
	return p.platform == platform && slices.Equal(p.asked.Nodes, asked.Nodes) && slices.Equal(p.asked.Match, asked.Match)
}
