package world

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"time"

	"aliquot/cluster"
)

// liar is a node whose certificate somebody else uses. It runs nothing, takes no jobs, and reports whatever may harm
// the jobs of other nodes. A node is believed about runs that it was given, so it is given none.
type liar struct {
	*node
	told int // number of reports
}

// liarName is the name of the node that lies.
const liarName = "n5"

// calmly is the time between two lies in calm, and hastily before.
const (
	hastily = 700 * time.Millisecond
	calmly  = 20 * time.Second
)

// lie lets a node lie until ctx ends.
func (w *world) lie(ctx context.Context) {
	l := &liar{node: &node{world: w, name: liarName, booted: time.Now()}}
	w.must(os.MkdirAll(filepath.Join(l.folder(), "images"), 0o755))
	if !w.upgrades {
		w.admit(l.node)
	}
	client, err := l.client()
	w.must(err)
	for ctx.Err() == nil {
		call, cancel := context.WithTimeout(ctx, 30*time.Second)
		session, err := client.Connect(call, l.describe)
		cancel()
		if err == nil {
			l.talk(ctx, session)
			session.Close()
		}
		rest(ctx, w.chance.between("liar's pause", 0, 2*time.Second))
	}
}

// describe offers less than any job needs. Every second time it claims more than any node has.
func (l *liar) describe() cluster.Join {
	d := cluster.Description{CPU: 1, Memory: 1, Platforms: []string{"model/1"}, Hypervisor: "none"}
	if l.told++; l.told%2 == 0 {
		d.Memory, d.Overhead = 64<<30, 48<<30
	}
	return cluster.Join{Name: l.name, Boot: "liar", Description: d}
}

// speaker is the session of a node that lies.
type speaker interface {
	Alive()
	Report(context.Context, cluster.Report) error
}

// talk reports lies until the session ends.
func (l *liar) talk(ctx context.Context, s speaker) {
	for pause := hastily; rest(ctx, pause); {
		if l.world.calm.Load() {
			pause = calmly
		}
		s.Alive()
		call, cancel := context.WithTimeout(ctx, 5*time.Second)
		err := s.Report(call, l.lies(l.world.raft.state()))
		cancel()
		if err != nil {
			return
		}
	}
}

// lies returns a report of runs that the node was never given, with numbers that are too large.
func (l *liar) lies(state *cluster.State) cluster.Report {
	l.told++
	r := cluster.Report{FenceAlive: true, StoreProven: false, StoreFree: -1, Astray: math.MaxInt64,
		Foreign: cluster.Foreign{CPU: math.MaxInt64, Memory: math.MaxInt64}}
	for j := range state.Jobs() {
		for i := range j.Tasks {
			if c := l.world.chance; c.percent(fmt.Sprint("lie of ", j.ID, i, l.told), 40) {
				r.Observations = append(r.Observations, l.lie(state, j, i))
			}
		}
	}
	return r
}

// lie returns a false report of a task.
func (l *liar) lie(state *cluster.State, j *cluster.Job, index int) cluster.Observation {
	c, name := l.world.chance, fmt.Sprint("lie ", j.ID, index, l.told)
	o := cluster.Observation{Run: cluster.RunID{Job: j.ID, Index: index, Number: max(1, j.Tasks[index].Run)},
		Seen: pick(c, name, cluster.SeenExited, cluster.SeenExited, cluster.SeenRunning, cluster.SeenStray,
			cluster.SeenLost, cluster.SeenSaved, cluster.SeenAbsent, cluster.SeenArrived, cluster.SeenFailed,
			cluster.SeenFrozen),
		Cap: math.MaxInt64, Image: math.MaxInt64}
	if c.percent("later "+name, 30) {
		o.Run.Number++
	}
	if m := state.Move(cluster.TaskID{Job: j.ID, Index: index}); m != nil {
		o.Move = m.ID
	}
	if o.Seen == cluster.SeenExited {
		o.Exit = &cluster.Exit{}
	}
	return o
}
