package wording

import (
	"testing"

	"aliquot/cluster"
)

func TestReasonsCountInWords(t *testing.T) {
	for _, c := range []struct {
		code   cluster.ReasonCode
		values []int64
		want   string
	}{
		{cluster.WhyNoNode, []int64{1, 0, 0, 0, 0, 0}, "waits for a node: none has joined yet"},
		{cluster.WhyPausedFor, []int64{7},
			"paused to free memory for j7, which has a higher priority"},
		{cluster.WhyPausedFor, []int64{7, 1},
			"paused to free CPU for j7, which has a higher priority"},
		{cluster.WhyPausedShare, []int64{7},
			"paused to free memory for j7: its owner's share is used, that of the other's owner is not"},
		{cluster.WhyPausedShare, []int64{7, 1},
			"paused to free CPU for j7: its owner's share is used, that of the other's owner is not"},
		{cluster.WhyNoNode, []int64{1, 1, 1, 0, 0, 0},
			"waits for a node that may take its task: of 1 node, 1 is cordoned"},
		{cluster.WhyNoNode, []int64{3, 9, 1, 2, 2, 4},
			"waits for a node that may take its 3 tasks: of 9 nodes, 1 is cordoned, 2 draining, 2 silent or down, 4 excluded by its placement or platform"},
		{cluster.WhyNoNode, []int64{1, 2, 0, 0, 0, 1, 1},
			"waits for a node that may take its task: of 2 nodes, 1 is excluded by its placement or platform, 1 without the store"},
		{cluster.WhyNoNode, []int64{1, 9, 1, 0, 7, 1, 0, 2, 1, 1, 1, 2},
			"waits for a node that may take its task: of 9 nodes, 1 is cordoned, 2 unreachable, 1 with a hypervisor that does not answer, " +
				"1 silent, 1 down, 2 returning, 1 excluded by its placement or platform"},
		{cluster.WhyNoNode, []int64{1, 3, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 2, 3_600_000_000},
			"waits for a node that may take its task: of 3 nodes, 1 is draining, 2 in maintenance, the first until " +
				"1970-01-01 01:00:00 UTC"},
		{cluster.WhyNoNode, []int64{1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 3_600_000_000},
			"waits for a node that may take its task: of 1 node, 1 is in maintenance until 1970-01-01 01:00:00 UTC"},
		{cluster.WhyNoNode, []int64{1, 3, 0, 0, 2, 1, 0, 2, 0, 0, 0, 0},
			"waits for a node that may take its task: of 3 nodes, 2 are unreachable, 1 excluded by its placement or platform"},
		{cluster.WhyNoNode, []int64{1, 2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1},
			"waits for a node that may take its task: of 2 nodes, 1 is excluded by its placement or platform, " +
				"1 unable to limit network cards"},
		{cluster.WhyNoNode, []int64{1, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 1, 19, 3_600_000_000},
			"waits for a node that may take its task: of 3 nodes, 2 are too small for a task, " +
				"1 too full beside what is promised to j19 until 1970-01-01 01:00:00 UTC"},
		{cluster.WhyNoNode, []int64{1, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 19, 3_600_000_000},
			"waits for a node that may take its task: of 3 nodes, 3 are too full beside promises, " +
				"the first until 1970-01-01 01:00:00 UTC to j19"},
		{cluster.WhyNoNode, []int64{1, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1},
			"waits for a node that may take its task: of 2 nodes, 1 is cordoned, 1 unable to boot disk images"},
		{cluster.WhyNoMemory, []int64{64 << 20, 0, 1}, "waits for memory: no node that may take its task has 64 MiB left for its VM"},
		{cluster.WhyNoMemory, []int64{64 << 20, 0, 1, 1},
			"waits for memory: no node that may take its task has 64 MiB left for its VM; 1 node that is large enough is cordoned, draining, down or not reachable"},
		{cluster.WhyNoMemory, []int64{64 << 20, 1, 2, 3},
			"waits for memory: 1 of 2 VMs of 64 MiB each would fit; 3 nodes that are large enough are cordoned, draining, down or not reachable"},
		{cluster.WhyNoMemory, []int64{64 << 20, 1, 2}, "waits for memory: 1 of 2 VMs of 64 MiB each would fit"},
		{cluster.WhyNoMemory, []int64{23_874 << 20, 0, 1}, "waits for memory: no node that may take its task has 23.3 GiB left for its VM"},
		{cluster.WhyNoMemory, []int64{64 << 20, 1, 2, 1, 1}, "waits for nodes with room: 1 of 2 VMs of 64 MiB each would fit, no two on one node; " +
			"1 node that is large enough is cordoned, draining, down or not reachable"},
		{cluster.WhyShareUsed, []int64{64 << 20, 1, 2, 254, 2, 1},
			"waits for nodes with room: 1 of 2 VMs of 64 MiB each would fit, no two on one node; its owner's share (25 % of the cluster) is used; " +
				"2 nodes that are large enough are cordoned, draining, down or not reachable"},
		{cluster.WhyNoCPU, []int64{10, 1, 2, 0, 1, 1}, "waits for CPU: 1 of 2 tasks would get their least share of 10m, no two on one node; " +
			"1 node that is large enough is cordoned, draining, down or not reachable"},
		{cluster.WhyShareUsed, []int64{64 << 20, 0, 1, 254},
			"waits for memory: no node that may take its task has 64 MiB left for its VM; its owner's share (25 % of the cluster) is used"},
		{cluster.WhyNoStore, []int64{1 << 30, 72 << 20},
			"keeps its place: pausing it takes 1 GiB of the store, which has 72 MiB left"},
		{cluster.WhyNoCPU, []int64{10, 0, 1}, "waits for CPU: no node that may take its task has 10m left, its least share"},
		{cluster.WhyNoCPU, []int64{600, 0, 1, 254},
			"waits for CPU: no node that may take its task has 600m left, its least share; its owner's share (25 % of the cluster) is used"},
		{cluster.WhyNoCPU, []int64{600, 1, 4, 500}, "waits for CPU: 1 of 4 tasks would get their least share of 600m; " +
			"its owner's share (50 % of the cluster) is used"},
		{cluster.WhyMadeWay, nil, "paused: standard jobs need its memory"},
		{cluster.WhyMadeWay, []int64{7}, "paused to free memory for j7, which runs in the foreground"},
		{cluster.WhyMovedFor, []int64{7}, "moved to free memory for j7"},
		{cluster.WhyMovedFor, []int64{7, 1}, "moved to free CPU for j7"},
		{cluster.WhyNoCPU, []int64{10, 1, 4}, "waits for CPU: 1 of 4 tasks would get their least share of 10m"},
		{cluster.WhyNoFreeNode, []int64{0, 1}, "waits for a free node: none could take its task now"},
		{cluster.WhyNoFreeNode, []int64{1, 2}, "waits for free nodes: its 2 tasks need one each, 1 could take one now"},
		{cluster.WhyTooFewNodes, []int64{0, 1}, "its task needs a node, but none of the cluster could take it"},
		{cluster.WhyTooFewNodes, []int64{1, 2},
			"its 2 tasks need a node each, but only 1 node of the cluster could take one"},
		{cluster.WhyTooDear, []int64{4, 3600, 1250, 2300},
			"was not promised 4 nodes for 1 h: with it, 125 % of its window would be planned, which makes it cost 2.3 times the most that is accepted"},
		{cluster.WhyNoFreeCores, []int64{0, 1}, "waits for cores and memory: there is no room for its task now"},
		{cluster.WhyNoFreeCores, []int64{3, 8}, "waits for cores and memory: there is room for 3 of its 8 tasks now"},
		{cluster.WhyTooFewCores, []int64{3, 8},
			"there is room for 3 of its 8 tasks in the whole cluster, in cores and memory"},
		{cluster.WhyTooFewCores, []int64{0, 1}, "there is no room for its task in the whole cluster, in cores and memory"},
		{cluster.WhyWiderThanCore, []int64{2500},
			"waits: its tasks need 2500m each, and under this policy none gets more than a core of a node"},
		{cluster.WhyOverdueCores, []int64{3, 8, 39, 0},
			"waits for cores and memory: there is room for 3 of its 8 tasks now; it starts as soon as j39 ends, which is past its estimate or has none"},
		{cluster.WhyOverdue, []int64{0, 1, 39, 1},
			"waits for a free node; it starts as soon as enough of j39 and 1 other job end, which are past their estimates or have none"},
		{cluster.WhyOverdue, []int64{0, 1, 0, 0},
			"waits for a free node; by the estimates it would run by now, but others run for longer"},
		{cluster.WhyPromisedCores, []int64{3, 8, 60},
			"waits for cores and memory: there is room for 3 of its 8 tasks now; by the estimates it starts at the latest 1 min after its submission"},
		{cluster.WhyPromisedCores, []int64{8, 8, 60},
			"waits for its turn; by the estimates it starts at the latest 1 min after its submission"},
		{cluster.WhyAfter, []int64{3, 0}, "waits for the end of j3"},
		{cluster.WhyAfter, []int64{3, 2}, "waits for the end of j3 and of 2 other jobs"},
		{cluster.WhyBroken, nil, "lost its promise, with many others: the nodes have too little left"},
		{cluster.WhyDeadline, []int64{7_200_000_000, 3_600_000_000, 0},
			"is promised to end by 1970-01-01 02:00:00 UTC: it has all of its CPU from 1970-01-01 01:00:00 UTC on at the latest"},
		{cluster.WhyDeadline, []int64{7_200_000_000, 3_600_000_000, 60_000_000},
			"is promised to end by 1970-01-01 02:00:00 UTC: it has all of its CPU from 1970-01-01 01:00:00 UTC on at the latest; it may run from 1970-01-01 00:01:00 UTC on"},
		{cluster.WhyDeadline, []int64{7_200_000_000, 3_600_000_000, 0, 3},
			"is promised to end by 1970-01-01 02:00:00 UTC, in 3 parts: it has all of its CPU from 1970-01-01 01:00:00 UTC on at the latest"},
		{cluster.WhyDeadline, []int64{7_200_000_000, 3_600_000_000, 0, 1, 720_000_000},
			"is promised to end by 1970-01-01 02:00:00 UTC: it has all of its CPU from 1970-01-01 01:00:00 UTC on at the latest; that is 12 min too little, which it has to make up for before"},
		{cluster.WhyLate, nil, "lost its promise, with many others: it cannot be sure to end by its deadline"},
		{cluster.WhyLate, []int64{0}, "lost its promise: it cannot be sure to end by its deadline, nor by a later one"},
		{cluster.WhyLate, []int64{60_000_000},
			"lost its promise: it cannot be sure to end by its deadline; it could be promised to end by 1970-01-01 00:01:00 UTC"},
		{cluster.WhyBroken, []int64{0},
			"lost its promise: the nodes have too little left, and there is no later time for it, either"},
		{cluster.WhyPromised, []int64{0, 1, 60},
			"waits for a free node; by the estimates it starts at the latest 1 min after its submission"},
		{cluster.WhyPromised, []int64{1, 2, 60},
			"waits for free nodes: its 2 tasks need one each, 1 could take one now; by the estimates it starts at the latest 1 min after its submission"},
		{cluster.WhyPromised, []int64{2, 1, 60},
			"waits for its turn; by the estimates it starts at the latest 1 min after its submission"},
		{cluster.WhyDropped, []int64{2, 1}, "waits: there is room only for the 1 job of higher priority; it is number 2"},
		{cluster.WhyRetry, []int64{1, 5}, "1 attempt failed; tries again in 5 s"},
	} {
		if got := Reason(cluster.Reason{Code: c.code, Values: c.values}, Names{}); got != c.want {
			t.Errorf("%s %v\n got %s\nwant %s", c.code, c.values, got, c.want)
		}
	}
}
