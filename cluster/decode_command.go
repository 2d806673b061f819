package cluster

import pb "aliquot/cluster/clusterpb"

func (d *decoder) action(m *pb.Command) Action {
	switch a := m.Action.(type) {
	case *pb.Command_Submit:
		return Submit{d.requiredSpec(a.Submit.Spec)}
	case *pb.Command_Cancel:
		return Cancel{JobID(a.Cancel.Job), a.Cancel.Cause}
	case *pb.Command_Hold:
		return Hold{JobID(a.Hold.Job)}
	case *pb.Command_Release:
		return Release{JobID(a.Release.Job)}
	case *pb.Command_SetNode:
		return SetNode{NodeID(a.SetNode.Node), enum(d, a.SetNode.Want, ConfirmDown)}
	case *pb.Command_SettleStray:
		return SettleStray{NodeID(a.SettleStray.Node), d.runID(a.SettleStray.Run), a.SettleStray.Destroy}
	case *pb.Command_SetPolicy:
		return SetPolicy(decodePolicy(a.SetPolicy))
	case *pb.Command_PutImage:
		return PutImage{*decodeImage(a.PutImage)}
	case *pb.Command_RemoveImage:
		return RemoveImage{a.RemoveImage.Digest}
	case *pb.Command_PutToken:
		return PutToken{*d.token(a.PutToken)}
	case *pb.Command_SetTime:
		return SetTime{Time(a.SetTime.To)}
	}
	return d.leaderAction(m)
}

func (d *decoder) leaderAction(m *pb.Command) Action {
	switch a := m.Action.(type) {
	case *pb.Command_Claim:
		return Claim{a.Claim.Replica, a.Claim.Term}
	case *pb.Command_Adopt:
		return d.adopt(a.Adopt)
	case *pb.Command_StartMoves:
		return StartMoves{each(a.StartMoves.Moves, d.moveValue)}
	case *pb.Command_AbortMove:
		return AbortMove{d.taskID(a.AbortMove.Task), MoveID(a.AbortMove.Move), a.AbortMove.Cause}
	case *pb.Command_Report:
		return d.report(a.Report)
	case *pb.Command_Join:
		return Join{a.Join.Name, a.Join.Boot, decodeDescription(a.Join.Description)}
	case *pb.Command_SetHealth:
		return SetHealth{NodeID(a.SetHealth.Node), enum(d, a.SetHealth.Health, Down)}
	case *pb.Command_Checkpoint:
		c := Checkpoint{Revision: a.Checkpoint.Revision}
		d.digest(c.Hash[:], a.Checkpoint.Hash)
		return c
	case *pb.Command_Enact:
		return d.enact(a.Enact)
	case *pb.Command_Import:
		return Import{a.Import.Generation}
	case *pb.Command_Raise:
		return d.raise(a.Raise)
	}
	d.fail("format %d has no action that this program knows, which knows formats up to %d", m.Format, LatestFormat)
	return nil
}

func (d *decoder) adopt(m *pb.Adopt) Adopt {
	return Adopt{
		Basis: m.GetBasis(), Seen: d.occasion(m.GetSeen()), Tick: Time(m.GetSeen().GetNext()), Set: each(m.GetSet(), d.holding),
		Drop: numbers[JobID](m.GetDrop()), Refuse: each(m.GetRefuse(), decodeRefusal), Alarms: d.alarms(m.GetWake(), m.GetAlarms()),
		Why: each(m.GetWhy(), decodeReason), By: m.GetBy(),
	}
}

func (d *decoder) enact(m *pb.Enact) Enact {
	a := Enact{Basis: m.Basis, Decision: d.adopt(m.Decision)}
	switch m.Wish.GetAction().(type) {
	case nil:
	case *pb.Command_Enact:
		d.fail("a plan within a plan")
	default:
		a.Wish = d.action(m.Wish)
	}
	return a
}

func decodeRefusal(m *pb.Refusal) Refusal { return Refusal{JobID(m.Job), decodeReason(m.Reason)} }

func (d *decoder) report(m *pb.Report) Report {
	return Report{
		Node: NodeID(m.Node), Foreign: decodeForeign(m.Foreign), FenceAlive: m.FenceAlive,
		StoreProven: m.StoreProven, StoreFree: Bytes(m.StoreFree), Observations: each(m.Observations, d.observation),
	}
}

func (d *decoder) observation(m *pb.Observation) Observation {
	return Observation{
		Run: d.runID(m.Run), Move: MoveID(m.Move), Seen: enum(d, m.Seen, SeenStray), Cap: CPU(m.Cap),
		Image: Bytes(m.Image), Platform: m.Platform, Exit: decodeExit(m.Exit), Cause: m.Cause,
		Tier: enum(d, m.Tier, Background), Tiered: m.Tiered, Work: decodeWork(m.Work),
	}
}

func (d *decoder) actor(m *pb.Actor) Actor {
	return Actor{m.GetName(), m.GetOwner(), m.GetProject(), enum(d, m.GetRole(), System)}
}

func (d *decoder) raise(m *pb.Raise) Raise {
	if m.Format > LatestFormat {
		d.fail("format %d is to be in force, known up to %d: %w", m.Format, LatestFormat, ErrNewer)
	}
	return Raise{m.Format}
}

func (d *decoder) moveValue(m *pb.Move) Move { return *d.move(m) }
