package cluster

import (
	"errors"

	"aliquot/internal/schema"

	pb "aliquot/cluster/clusterpb"
)

func decodeAdopt(r *schema.Reader, m *pb.Adopt) Adopt {
	return Adopt{
		Basis: m.GetBasis(), Seen: decodeOccasion(r, m.GetSeen()), Tick: Time(m.GetSeen().GetNext()),
		Set: schema.ReadList(r, m.GetSet(), decodeHolding), Drop: schema.Numbers[JobID](m.GetDrop()),
		Refuse: schema.ReadList(r, m.GetRefuse(), decodeRefusal), Alarms: decodeAlarms(r, m.GetWake(), m.GetAlarms()),
		Why: schema.ReadList(r, m.GetWhy(), decodeReason), By: m.GetBy(), Kill: schema.Numbers[JobID](m.GetKill()),
	}
}

func decodeEnact(r *schema.Reader, m *pb.Enact) Enact {
	a := Enact{Basis: m.GetBasis(), Decision: decodeAdopt(r, m.GetDecision())}
	switch m.GetWish().GetAction().(type) {
	case nil:
	case *pb.Command_Enact:
		r.Check(errors.New("a plan within a plan"))
	default:
		a.Wish = decodeAction(r, m.GetWish())
	}
	return a
}

func decodeOccasion(r *schema.Reader, m *pb.Occasion) Occasion {
	o := Occasion{
		Submitted: schema.Numbers[JobID](m.GetSubmitted()), Ended: m.GetEnded(), NodesChanged: m.GetNodesChanged(),
		Due: schema.ReadList(r, m.GetAlarms(), decodeAlarm), EndedForeground: m.GetEndedForeground(),
	}
	if m.GetDue() {
		o.Due = ticksAt(Time(m.GetNext()))
	}
	return o
}

// decodeAlarms decodes the output of encodeAlarms.
func decodeAlarms(r *schema.Reader, tick int64, all []*pb.Alarm) []Alarm {
	if tick != 0 {
		return ticksAt(Time(tick))
	}
	return schema.ReadList(r, all, decodeAlarm)
}

func decodePlacement(r *schema.Reader, m *pb.Placement) Placement {
	grant := schema.Enum(r, m.GetTier(), Background).Grant(CPU(m.GetCap()))
	if m != nil && m.Guaranteed != nil {
		grant.Guaranteed = CPU(*m.Guaranteed)
	}
	return Placement{grant, schema.Numbers[NodeID](m.GetNodes()), schema.Numbers[CoreID](m.GetCores())}
}
