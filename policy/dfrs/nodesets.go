package dfrs

import (
	"encoding/binary"
	"slices"
	"strconv"

	"aliquot/cluster"
)

// nodeSets holds the sets of eligible nodes. Jobs with the same platform and the same wishes share one.
type nodeSets struct {
	lists map[string]*nodeSet
	last  *nodeSet // the last set that was looked up
	key   []byte   // key of the last lookup
}

// A nodeSet is the set of nodes on the board that are eligible for jobs with one platform and the same wishes.
type nodeSet struct {
	platform string
	asked    *cluster.Spec
	allowed  []bool   // by place on the board
	places   []int    // places of the allowed nodes, in order
	closed   bool     // some of them take no new VMs, and may keep tasks of the job
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

// find returns the set for that platform and these wishes, or nil.
func (p *nodeSets) find(platform string, asked *cluster.Spec) *nodeSet {
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

// encode writes the key, which is unique to the platform and the wishes.
func (p *nodeSets) encode(platform string, asked *cluster.Spec) {
	p.key = appendWord(p.key[:0], platform)
	demands := asked.Demands()
	for _, n := range []uint64{uint64(demands.Network), uint64(demands.Need), uint64(demands.Least)} {
		p.key = binary.AppendUvarint(p.key, n)
	}
	p.key = strconv.AppendBool(p.key, demands.BootsDisk)
	p.key = binary.AppendUvarint(p.key, uint64(len(asked.Placement.Nodes)))
	for _, name := range asked.Placement.Nodes {
		p.key = appendWord(p.key, name)
	}
	for _, label := range asked.Placement.Match {
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

func (p *nodeSet) fits(platform string, asked *cluster.Spec) bool {
	mine, its := &p.asked.Placement, &asked.Placement
	return p.platform == platform && p.asked.Demands() == asked.Demands() && slices.Equal(mine.Nodes, its.Nodes) &&
		slices.Equal(mine.Match, its.Match)
}
