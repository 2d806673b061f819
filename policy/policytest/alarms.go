package policytest

import (
	"slices"

	"pgregory.net/rapid"

	"aliquot/cluster"
	"aliquot/policy"
)

// checkForeignAlarms checks the law that an alarm of another family changes nothing, neither alone nor beside another
// event.
func checkForeignAlarms(t *rapid.T, p policy.Policy) {
	kind := rapid.SampledFrom([]cluster.AlarmKind{cluster.AlarmPromise, cluster.AlarmOffer, cluster.AlarmSlot}).Draw(t,
		"kind")
	plain, alarmed := NewWorld(t, p), NewWorld(t, p)
	alarmed.foreign = kind
	for _, s := range drawScript(t) {
		from := alarmed.Clock
		s.play(plain, func() { plain.Decide() })
		s.play(alarmed, func() { alarmed.Decide() })
		alarmed.wakeBetween(from, alarmed.Clock)
		if a, b := describe(plain.TargetAll()), describe(alarmed.TargetAll()); a != b {
			t.Fatalf("targets differ:\n%s\nand with alarms of the kind %v\n%s", a, kind, b)
		}
		if a, b := plain.Agenda.Next(cluster.AlarmTick), alarmed.Agenda.Next(cluster.AlarmTick); a != b {
			t.Fatalf("the next tick is at %d, and with alarms of the kind %v at %d", a, kind, b)
		}
	}
}

// withForeign returns the alarms with some of another family added.
func (w *World) withForeign(now cluster.Time, own []cluster.Alarm) []cluster.Alarm {
	list := slices.Clone(own)
	for _, after := range []cluster.Time{7 * cluster.Second, 29 * cluster.Second} {
		list = append(list, cluster.Alarm{At: now + after + 1, Kind: w.foreign, Job: 1})
	}
	return list
}

// wakeBetween lets the policy decide at each alarm of the other family between the times at which nothing else is
// pending.
func (w *World) wakeBetween(from, until cluster.Time) {
	for w.Clock = from; ; {
		next := w.Look().WakeAt()
		if next == 0 || next > until {
			break
		}
		w.Clock = next
		if o := w.Look().Pending(); o.Rings(w.foreign) && o.For(cluster.AlarmTick, cluster.AlarmRetry).Empty() {
			w.Decide()
		}
	}
	w.Clock = until
}
