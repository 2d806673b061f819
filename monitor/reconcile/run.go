package reconcile

import "aliquot/cluster"

// present handles an ordered run whose VM is here.
func (s *step) present(o cluster.Order, d Domain) {
	switch o.Want {
	case cluster.Stay, cluster.Begin:
		s.settle(o, d)
	case cluster.Restore:
		s.restored(o, d)
	case cluster.Save:
		s.save(o, d)
	case cluster.Leave:
		s.leave(o, d)
	case cluster.Arrive:
		s.arrive(o, d)
	case cluster.Vanish:
		s.act(Destroy, o)
	}
}

// absent handles an ordered run that has no VM here.
func (s *step) absent(o cluster.Order) {
	f, failed := s.failure(o)
	image := s.Images[o.Run]
	switch o.Want {
	case cluster.Begin:
		switch {
		case failed:
			s.fail(o, f)
		case s.Guests[o.Run].Begun:
			s.ended(o)
		default:
			s.act(Start, o)
		}
	case cluster.Restore:
		s.unrestored(o, image, f, failed)
	case cluster.Save:
		switch {
		case image.Size > 0:
			s.observe(cluster.Observation{Run: o.Run, Move: o.Move, Seen: cluster.SeenSaved, Image: image.Size})
		case image.Partial:
			s.act(Finish, o)
		default:
			s.ended(o)
		}
	case cluster.Leave:
		s.left(o)
	case cluster.Vanish:
		s.observe(cluster.Observation{Run: o.Run, Move: o.Move, Seen: cluster.SeenAbsent})
		s.discard(o)
	case cluster.Stay:
		s.ended(o)
	case cluster.Arrive: // the source reports a failed migration
		if s.Unready[o.Run] {
			s.act(Expect, o)
		}
	}
}

// settle makes a VM that belongs here run with its cap, and reports it.
func (s *step) settle(o cluster.Order, d Domain) {
	cap := max(o.CPU, s.boost[o.Run])
	f, failed := s.failure(o)
	resize := o.Want == cluster.Stay && o.Move != 0
	switch {
	case failed && resize && (d.uncapped(o) || d.State == Running && !d.has(cap, o)):
		s.fail(o, f)
		return
	case d.State != Running:
		s.frozen(o)
		if !d.Moving {
			s.release(o, d)
		}
		return
	}
	if !d.has(cap, o) {
		a := o
		a.CPU = cap
		s.act(share(a, d), a)
	} else if s.Images[o.Run] != (Image{}) {
		s.act(Discard, o)
	}
	s.running(o, d)
}

// release lets a VM that stands still run, once a cap is in force.
func (s *step) release(o cluster.Order, d Domain) {
	if d.uncapped(o) {
		s.act(share(o, d), o)
		return
	}
	s.act(Thaw, o)
}

// uncapped reports whether the VM stands still and gets its cap before it runs.
func (d *Domain) uncapped(o cluster.Order) bool { return d.Uncapped && d.State != Running && o.CPU > 0 }

// has reports whether the VM has the cap, and the tier and the processor of the order.
func (d *Domain) has(cap cluster.CPU, o cluster.Order) bool {
	return d.Cap == cap && d.Tier == o.Tier && d.Core == o.Core
}

// share returns the verb that changes the cap in force to the ordered one.
func share(o cluster.Order, d Domain) Verb {
	if o.CPU > d.Cap {
		return Raise
	}
	return Lower
}

func (s *step) running(o cluster.Order, d Domain) {
	switch {
	case !s.Guests[o.Run].Started:
		d.Cap = min(d.Cap, o.CPU)
		s.inForce(o, d, cluster.SeenBooting)
	case !s.boosted(o, d):
		s.inForce(o, d, cluster.SeenRunning)
	}
}

// inForce reports a running VM with its cap and tier in force.
func (s *step) inForce(o cluster.Order, d Domain, seen cluster.Sight) {
	s.observe(cluster.Observation{
		Run: o.Run, Move: o.Move, Seen: seen, Cap: d.Cap, Platform: d.Platform, Tier: d.Tier, Tiered: true, Work: d.Work,
	})
}

func (s *step) frozen(o cluster.Order) {
	s.observe(cluster.Observation{Run: o.Run, Seen: cluster.SeenFrozen})
}

// restored finishes a Restore. The VM stays paused until its image can no longer be used again. It is whole, even if
// the call that made it was given up: it took long to read the image.
func (s *step) restored(o cluster.Order, d Domain) {
	switch {
	case d.State == Running || s.Images[o.Run].Size == 0:
		s.settle(o, d)
	case d.Moving:
		// The image is being read.
	case d.uncapped(o):
		s.act(share(o, d), o)
	default:
		s.act(Restore, o)
	}
}

func (s *step) unrestored(o cluster.Order, image Image, f Failure, failed bool) {
	lost := func(cause string) {
		s.observe(cluster.Observation{Run: o.Run, Move: o.Move, Seen: cluster.SeenLost, Cause: cause})
	}
	switch {
	case failed && f.Lost:
		lost(f.Cause)
	case image.Used && image.Size == 0: // otherwise the used one is left over from an earlier pause
		s.ended(o)
	case failed:
		s.fail(o, f)
	case !s.Store:
		s.fail(o, Failure{Cause: "the store of saved images is not usable on this node"})
	case image.Size == 0 && !s.Guests[o.Run].Begun:
		// Not even its folder exists. A wrong store is more likely than a lost run.
		s.fail(o, Failure{Cause: "this node's store has no files of the run; is it the same store as on other nodes?"})
	case image.Size == 0:
		lost("its memory image is gone from the store")
	default:
		s.act(Restore, o)
	}
}

func (s *step) save(o cluster.Order, d Domain) {
	f, failed := s.failure(o)
	switch {
	case d.Moving:
		s.stop(o)
	case failed && d.State != Running:
		s.frozen(o)
		s.release(o, d)
	case failed:
		s.fail(o, f)
	case !s.Store:
		s.fail(o, Failure{Cause: "the store of saved images is not usable on this node"})
	default:
		s.act(Save, o)
	}
}

// stop aborts a save or migration under way that the leader has given up. This monitor may not have begun it in this
// life.
func (s *step) stop(o cluster.Order) {
	if o.Aborted {
		s.act(Abort, o)
	}
}

// leave sends the VM away. After a failure the VM may exist on both nodes, so both this node and the
// peer are asked before anything is done here.
func (s *step) leave(o cluster.Order, d Domain) {
	f, failed := s.failure(o)
	switch {
	case d.Moving:
		s.stop(o)
	case d.State == Doubtful:
		s.doubt(o, d)
	case failed && d.State == Running:
		s.fail(o, f)
	case d.State == Frozen:
		s.frozen(o)
		s.release(o, d)
	case o.Peer == "":
		s.fail(o, Failure{Cause: "the target node accepts no migrations"})
	case o.CPU < d.Cap:
		s.act(Lower, o)
	default:
		s.act(Migrate, o)
	}
}

// doubt resolves a switch-over whose outcome is unknown here.
func (s *step) doubt(o cluster.Order, d Domain) {
	s.frozen(o)
	switch s.Peers[o.Run] {
	case There, Landed:
		s.act(Destroy, o)
	case Nowhere:
		s.release(o, d)
	default:
		s.act(Ask, o)
	}
}

// left handles a VM that is no longer here. The peer knows whether it arrived.
func (s *step) left(o cluster.Order) {
	switch s.Peers[o.Run] {
	case There, Landed:
		// The peer reports it.
	case Nowhere:
		s.ended(o)
	default:
		s.act(Ask, o)
	}
}

// arrive lets the VM run once the source node has released it. Until then the source may resume it.
func (s *step) arrive(o cluster.Order, d Domain) {
	switch {
	case d.Moving || d.State == Doubtful:
	case d.State == Frozen:
		s.land(o, d)
	case !d.has(o.CPU, o):
		s.act(share(o, d), o)
		fallthrough
	default:
		s.inForce(o, d, cluster.SeenArrived)
	}
}

// land decides about a paused VM on this node. It may be incomplete. As long as the source has the VM,
// the source reports the progress of the move, and the leader decides about this copy.
func (s *step) land(o cluster.Order, d Domain) {
	if d.uncapped(o) || s.Peers[o.Run] == Nowhere {
		s.release(o, d)
		return
	}
	s.act(Ask, o)
}

// ended reports the end of a VM that has not reported its exit.
func (s *step) ended(o cluster.Order) {
	end, known := s.Ended[o.Run]
	if !known || end.ByGuest && !s.Store && !s.Guests[o.Run].Begun {
		return // its files existed when it began, so its last report is on the store that is missing now
	}
	if end.ByGuest {
		s.observe(cluster.Observation{Run: o.Run, Move: o.Move, Seen: cluster.SeenExited,
			Exit: &cluster.Exit{Cause: "the guest stopped without reporting an exit: " + end.Cause}})
	} else {
		s.observe(cluster.Observation{Run: o.Run, Move: o.Move, Seen: cluster.SeenLost, Cause: end.Cause})
	}
	s.discard(o)
}
