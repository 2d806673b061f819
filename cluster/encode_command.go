package cluster

import (
	"fmt"

	pb "aliquot/cluster/clusterpb"
)

func encodeAction(m *pb.Command, action Action) {
	switch a := action.(type) {
	case Submit:
		m.Action = &pb.Command_Submit{Submit: &pb.Submit{Spec: encodeSpec(a.Spec)}}
	case Cancel:
		m.Action = &pb.Command_Cancel{Cancel: &pb.Cancel{Job: uint64(a.Job), Cause: a.Cause}}
	case Hold:
		m.Action = &pb.Command_Hold{Hold: &pb.Hold{Job: uint64(a.Job)}}
	case Release:
		m.Action = &pb.Command_Release{Release: &pb.Release{Job: uint64(a.Job)}}
	case SetNode:
		m.Action = &pb.Command_SetNode{SetNode: &pb.SetNode{Node: uint32(a.Node), Want: uint32(a.Want)}}
	case SettleStray:
		m.Action = &pb.Command_SettleStray{SettleStray: &pb.SettleStray{
			Node: uint32(a.Node), Run: encodeRunID(a.Run), Destroy: a.Destroy,
		}}
	case SetPolicy:
		m.Action = &pb.Command_SetPolicy{SetPolicy: encodePolicy(PolicyChoice(a))}
	case PutImage:
		m.Action = &pb.Command_PutImage{PutImage: encodeImage(&a.Image)}
	case RemoveImage:
		m.Action = &pb.Command_RemoveImage{RemoveImage: &pb.RemoveImage{Digest: a.Digest}}
	case PutToken:
		m.Action = &pb.Command_PutToken{PutToken: encodeToken(&a.Token)}
	case SetTime:
		m.Action = &pb.Command_SetTime{SetTime: &pb.SetTime{To: int64(a.To)}}
	default:
		encodeLeaderAction(m, action)
	}
}

func encodeLeaderAction(m *pb.Command, action Action) {
	switch a := action.(type) {
	case Claim:
		m.Action = &pb.Command_Claim{Claim: &pb.Claim{Replica: a.Replica, Term: a.Term}}
	case Adopt:
		m.Action = &pb.Command_Adopt{Adopt: encodeAdopt(a)}
	case StartMoves:
		m.Action = &pb.Command_StartMoves{StartMoves: &pb.StartMoves{Moves: each(a.Moves, encodeMoveValue)}}
	case AbortMove:
		m.Action = &pb.Command_AbortMove{AbortMove: &pb.AbortMove{
			Task: encodeTaskID(a.Task), Move: uint64(a.Move), Cause: a.Cause,
		}}
	case Report:
		m.Action = &pb.Command_Report{Report: encodeReport(a)}
	case Join:
		m.Action = &pb.Command_Join{Join: &pb.Join{
			Name: a.Name, Boot: a.Boot, Description: encodeDescription(a.Description),
		}}
	case SetHealth:
		m.Action = &pb.Command_SetHealth{SetHealth: &pb.SetHealth{Node: uint32(a.Node), Health: uint32(a.Health)}}
	case Checkpoint:
		m.Action = &pb.Command_Checkpoint{Checkpoint: &pb.Checkpoint{Revision: a.Revision, Hash: a.Hash[:]}}
	case Enact:
		m.Action = &pb.Command_Enact{Enact: encodeEnact(a)}
	case Import:
		m.Action = &pb.Command_Import{Import: &pb.Import{Generation: a.Generation}}
	case Raise:
		m.Action = &pb.Command_Raise{Raise: &pb.Raise{Format: a.Format}}
	default:
		panic(fmt.Sprintf("cluster: no encoding for action %T", action))
	}
}

func encodeAdopt(a Adopt) *pb.Adopt {
	tick, alarms := encodeAlarms(a.Alarms)
	return &pb.Adopt{
		Basis: a.Basis, Seen: encodeOccasion(a.Seen, a.Tick), Set: each(a.Set, encodeHolding), Drop: numbers[uint64](a.Drop),
		Refuse: each(a.Refuse, encodeRefusal), Wake: tick, Alarms: alarms, Why: each(a.Why, encodeReason), By: a.By,
	}
}

func encodeEnact(a Enact) *pb.Enact {
	m := &pb.Enact{Basis: a.Basis, Decision: encodeAdopt(a.Decision)}
	if a.Wish != nil {
		m.Wish = new(pb.Command)
		encodeAction(m.Wish, a.Wish)
	}
	return m
}

func encodeRefusal(r Refusal) *pb.Refusal {
	return &pb.Refusal{Job: uint64(r.Job), Reason: encodeReason(r.Reason)}
}

func encodeReport(r Report) *pb.Report {
	return &pb.Report{
		Node: uint32(r.Node), Foreign: encodeForeign(r.Foreign), FenceAlive: r.FenceAlive,
		StoreProven: r.StoreProven, StoreFree: int64(r.StoreFree),
		Observations: each(r.Observations, encodeObservation),
	}
}

func encodeObservation(o Observation) *pb.Observation {
	return &pb.Observation{
		Run: encodeRunID(o.Run), Move: uint64(o.Move), Seen: uint32(o.Seen), Cap: int64(o.Cap),
		Image: int64(o.Image), Platform: o.Platform, Exit: encodeExit(o.Exit), Cause: o.Cause,
		Tier: uint32(o.Tier), Tiered: o.Tiered, Work: encodeWork(o.Work),
	}
}

func encodeActor(a Actor) *pb.Actor {
	return &pb.Actor{Name: a.Name, Owner: a.Owner, Project: a.Project, Role: uint32(a.Role)}
}

func encodeMoveValue(m Move) *pb.Move { return encodeMove(&m) }
