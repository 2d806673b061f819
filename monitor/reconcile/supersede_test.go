package reconcile_test

import (
	"testing"

	"aliquot/cluster"
	"aliquot/monitor/reconcile"
)

func TestOrdersOfAFormerLeaderOrAnEarlierRestoreAreRefused(t *testing.T) {
	last := cluster.Orders{Generation: 2, Epoch: 20, Revision: 200}
	for name, c := range map[string]struct {
		orders cluster.Orders
		follow bool
	}{
		"the same again":                           {last, true},
		"a later revision":                         {cluster.Orders{Generation: 2, Epoch: 20, Revision: 201}, true},
		"an earlier revision":                      {cluster.Orders{Generation: 2, Epoch: 20, Revision: 199}, false},
		"a later leader at an earlier revision":    {cluster.Orders{Generation: 2, Epoch: 21, Revision: 1}, true},
		"a former leader at a later revision":      {cluster.Orders{Generation: 2, Epoch: 19, Revision: 999}, false},
		"a later restore of an early state":        {cluster.Orders{Generation: 3, Epoch: 1, Revision: 1}, true},
		"the state from before, however far it is": {cluster.Orders{Generation: 1, Epoch: 99, Revision: 999}, false},
	} {
		if got := reconcile.Supersedes(c.orders, last); got != c.follow {
			t.Errorf("%s: %v", name, got)
		}
	}
}
