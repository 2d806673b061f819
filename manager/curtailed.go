package manager

import (
	"sync"

	"aliquot/cluster"
)

// curtailed are the nodes whose last Join was proposed without what the format of then does not know.
type curtailed struct {
	mu sync.Mutex
	at map[cluster.NodeID]uint32 // that format
}

// note records how a node's last Join was proposed.
func (c *curtailed) note(node cluster.NodeID, format uint32, cut bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if delete(c.at, node); !cut {
		return
	}
	if c.at == nil {
		c.at = map[cluster.NodeID]uint32{}
	}
	c.at[node] = format
}

// outgrown forgets and returns the nodes of which a higher format may know more.
func (c *curtailed) outgrown(format uint32) (nodes []cluster.NodeID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for node, at := range c.at {
		if at < format {
			nodes = append(nodes, node)
			delete(c.at, node)
		}
	}
	return nodes
}
