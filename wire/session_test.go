package wire

import (
	"testing"

	"aliquot/cluster"
)

func TestANodeTakesOnlyItsOwnOrdersOfItsOwnCluster(t *testing.T) {
	for name, c := range map[string]struct {
		orders cluster.Orders
		taken  bool
	}{
		"its own":            {cluster.Orders{Cluster: [16]byte{1}, Node: 4}, true},
		"another node's":     {cluster.Orders{Cluster: [16]byte{1}, Node: 5}, false},
		"of another cluster": {cluster.Orders{Cluster: [16]byte{2}, Node: 4}, false},
	} {
		s := &Session{node: 4, cluster: [16]byte{1}, orders: make(chan cluster.Orders, 1)}
		if err := s.take(PackOrders(c.orders)); (err == nil) != c.taken || (len(s.orders) == 1) != c.taken {
			t.Errorf("%s: %v, and %d orders are taken", name, err, len(s.orders))
		}
	}
}
