package cluster

import (
	"slices"

	"google.golang.org/protobuf/proto"

	"aliquot/internal/schema"

	pb "aliquot/cluster/clusterpb"
)

// The encodings of this file are written by hand: programs that knew no alarm but the tick wrote it in another place,
// and they must be able to read ours while they are in use.

func encodeAdopt(a *Adopt) *pb.Adopt {
	tick, alarms := encodeAlarms(a.Alarms)
	return &pb.Adopt{
		Basis: a.Basis, Seen: encodeOccasion(a.Seen, a.Tick), Set: schema.List(a.Set, encodeHolding),
		Drop: schema.Numbers[uint64](a.Drop), Refuse: schema.List(a.Refuse, encodeRefusal),
		Wake: tick, Alarms: alarms, Why: schema.List(a.Why, encodeReason), By: a.By,
		Kill: schema.Numbers[uint64](a.Kill),
	}
}

func encodeEnact(a *Enact) *pb.Enact {
	m := &pb.Enact{Basis: a.Basis, Decision: encodeAdopt(&a.Decision)}
	if a.Wish != nil {
		m.Wish = new(pb.Command)
		encodeAction(m.Wish, a.Wish)
	}
	return m
}

// encodeOccasion writes the occasion as programs wrote it that knew the tick only, where the tick alone is due.
func encodeOccasion(o Occasion, tick Time) *pb.Occasion {
	m := &pb.Occasion{
		Submitted: schema.Numbers[uint64](o.Submitted), Ended: o.Ended, NodesChanged: o.NodesChanged, Next: int64(tick),
		EndedForeground: o.EndedForeground,
	}
	if m.Due = slices.Equal(o.Due, ticksAt(tick)) && tick != 0; !m.Due {
		m.Alarms = schema.List(o.Due, encodeAlarm)
	}
	return m
}

// encodeAlarms returns the time of the tick if it is the only alarm, else all.
func encodeAlarms(alarms []Alarm) (tick int64, all []*pb.Alarm) {
	if len(alarms) == 1 && alarms[0].At != 0 && alarms[0] == (Alarm{At: alarms[0].At, Kind: AlarmTick}) {
		return int64(alarms[0].At), nil
	}
	return 0, schema.List(alarms, encodeAlarm)
}

// encodePlacement omits the guaranteed part if the grant is its tier's usual one, as below the Format grants.
func encodePlacement(p *Placement) *pb.Placement {
	m := &pb.Placement{Cap: int64(p.Cap), Tier: uint32(p.Tier), Nodes: schema.Numbers[uint32](p.Nodes),
		Cores: schema.Numbers[uint32](p.Cores)}
	if p.Grant != p.Tier.Grant(p.Cap) {
		m.Guaranteed = proto.Int64(int64(p.Guaranteed))
	}
	return m
}

func hashPlacement(w *walker, p *Placement) {
	w.num(1, int64(p.Cap))
	w.num(2, int64(p.Tier))
	hashNumbers(w, 3, p.Nodes)
	w.num(4, int64(p.Guaranteed))
	hashNumbers(w, 5, p.Cores)
}
