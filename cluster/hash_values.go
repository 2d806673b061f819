package cluster

func (s *State) hashHead(w *walker) {
	w.num(int64(s.Format))
	w.text(string(s.Cluster[:]))
	w.num(int64(s.Generation), int64(s.Epoch), int64(s.Leader), int64(s.Term), int64(s.Now), int64(s.Revision))
	w.text(s.Policy.Name)
	w.num(int64(s.Policy.Period))
	hashList(w, s.Occasion.Submitted, hashID)
	w.flag(s.Occasion.Ended, s.Occasion.NodesChanged)
	if w.format < keepsAlarms {
		w.flag(len(s.Occasion.Due) > 0)
		w.num(int64(s.Agenda.Next(AlarmTick)))
	} else {
		hashList(w, s.Occasion.Due, hashAlarm)
		hashList(w, s.Agenda, hashAlarm)
	}
	w.num(int64(s.StoreFree), int64(s.NextJob), int64(s.NextNode), int64(s.NextMove))
	hashList(w, s.Unheard, func(w *walker, g Gap) { w.num(int64(g.From), int64(g.To)) })
	w.num(int64(s.reserved), int64(s.overhead), int64(s.ended), int64(s.changed))
	if w.format >= setsTime {
		w.num(int64(s.TimeSet))
	}
}

func hashAlarm(w *walker, a Alarm) { w.num(int64(a.At), int64(a.Kind), int64(a.Job)) }

func hashSpec(w *walker, s Spec) {
	w.text(s.Name, s.Owner, s.Project, s.Image)
	w.num(int64(s.Tasks), int64(s.Need), int64(s.Requirement.Memory), int64(s.Restarts))
	hashList(w, s.Command, hashText)
	hashList(w, s.Args, hashText)
	hashList(w, s.Env, hashPair)
	w.num(int64(s.Limits.Runtime), int64(s.Limits.LogBytes), int64(s.Estimate))
	hashList(w, s.Labels, hashPair)
	hashList(w, s.Placement.Nodes, hashText)
	hashList(w, s.Placement.Match, hashPair)
	w.flag(s.Placement.Spread)
}

func hashPair(w *walker, p Pair) { w.text(p.Key, p.Value) }

func hashJob(w *walker, j *Job) {
	w.num(int64(j.ID), int64(j.Submitted), int64(j.Ended), int64(j.Started))
	w.flag(j.Held)
	hashOptional(w, j.Spec, hashSpec)
	hashOptional(w, j.Ending, hashEnding)
	hashList(w, j.Tasks, hashTask)
	w.num(int64(j.Why.Job))
	w.text(string(j.Why.Code))
	hashList(w, j.Why.Values, hashID)
	c := &j.Clock
	w.num(int64(c.Virtual), c.Remainder, int64(c.Running), int64(c.At), int64(c.Share))
	if w.format >= countsMoves {
		w.num(int64(j.Moves), int64(j.Moved))
	}
	if w.format >= observes {
		w.num(int64(c.Steal))
	}
}

func hashEnding(w *walker, e Ending) {
	w.num(int64(e.Outcome))
	w.text(e.Cause)
}

func hashTask(w *walker, t Task) {
	w.num(int64(t.Phase), int64(t.Run), int64(t.Node), int64(t.Cap), int64(t.Observed), int64(t.Tier), int64(t.Image))
	w.flag(t.Frozen)
	w.text(t.Platform)
	hashOptional(w, t.Exit, hashExit)
	w.num(int64(t.Failures), int64(t.Losses), int64(t.Attempts), int64(t.RetryAt), int64(t.Avoid))
	if w.format >= observes {
		p := &t.Progress
		w.num(int64(t.InTier), int64(p.Work.Ran), int64(p.Work.Waited), int64(p.Tier), int64(p.At), int64(p.Steal))
		w.flag(p.Observed)
	}
	if w.format >= forgives {
		w.num(int64(t.LossesSince))
	}
}

func hashExit(w *walker, e Exit) {
	w.num(int64(e.Code))
	w.text(e.Signal, e.Cause)
}

func hashNode(w *walker, n *Node) {
	w.num(int64(n.ID), int64(n.Health), int64(n.Since), int64(n.Foreign.CPU), int64(n.Foreign.Memory), int64(n.Occupied))
	w.text(n.Name, n.Boot)
	w.flag(n.Cordoned, n.Draining, n.FenceAlive, n.StoreProven)
	hashList(w, n.Strays, hashRunID)
	hashList(w, n.Condemned, hashRunID)
	w.num(int64(n.Load.Need), int64(n.Load.Share), int64(n.Load.Memory), int64(n.Load.Tasks))
	d := &n.Description
	w.num(int64(d.CPU), int64(d.Memory), int64(d.Overhead))
	hashList(w, d.Platforms, hashText)
	w.text(d.Hypervisor, d.MigrateURI)
	hashList(w, d.Labels, hashPair)
}

func hashRunID(w *walker, r RunID) { w.num(int64(r.Job), int64(r.Index), int64(r.Number)) }

func hashHolding(w *walker, id JobID, p *Placement) {
	w.num(int64(id), int64(p.CPU), int64(p.Tier))
	hashList(w, p.Nodes, hashID)
}

func hashMove(w *walker, m *Move) {
	w.num(int64(m.ID), int64(m.Kind), int64(m.Task.Job), int64(m.Task.Index), int64(m.Run), int64(m.From), int64(m.To))
	w.num(int64(m.CPU), int64(m.Tier), int64(m.Image), int64(m.Started))
	w.flag(m.Aborted)
}

func hashImage(w *walker, i *Image) {
	w.text(i.Name, i.Digest, i.Kind, i.Cmdline)
	w.num(int64(i.Size), int64(i.Added))
	w.flag(i.Builtin)
}

func hashToken(w *walker, t *Token) {
	w.text(t.ID, t.Name, t.Actor.Name, t.Actor.Owner, t.Actor.Project, string(t.Hash[:]))
	w.num(int64(t.Actor.Role), int64(t.Created), int64(t.Expires))
	w.flag(t.Revoked)
}

func hashRequest(w *walker, r request) {
	w.text(r.name)
	w.num(int64(r.revision), int64(r.job))
}
