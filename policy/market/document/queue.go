package document

import (
	"errors"
	"fmt"

	"aliquot/policy/market"
)

// queried reads the sites that answer queries.
func (f *file) queried(w *market.Workflow) (*Instance, error) {
	q := &market.Queried{Workflow: w}
	sum := int64(0)
	err := list("sites", f.Sites, mostSites, nil, func(r record) error {
		procs, err := r.whole("P", 1, mostProcs)
		if err != nil {
			return err
		}
		site := market.Site{Procs: int(procs)}
		if site.Running, err = leases(r, "running", procs, "procs", "end"); err != nil {
			return err
		}
		if site.Reservations, err = leases(r, "reservations", procs, "procs", "start", "end"); err != nil {
			return err
		}
		if site.Queue, err = jobs(r, procs, &sum); err != nil {
			return err
		}
		if site.Overdrawn() {
			return fmt.Errorf("%s: running tasks and reservations take more than its %d processors at once", r.place, procs)
		}
		q.Sites = append(q.Sites, site)
		return f.countable(r, &site)
	})
	if err == nil && len(q.Sites) == 0 {
		err = errors.New("sites is empty")
	}
	return &Instance{Queried: q}, err
}

// countable refuses a site at which the delays of the queue by all tasks might not fit 64 bits.
func (f *file) countable(r record, s *market.Site) error {
	last, procs, sum := f.total, int64(0), int64(0)
	for _, leases := range [][]market.Lease{s.Running, s.Reservations} {
		for _, l := range leases {
			last = max(last, f.total+int64(l.End))
		}
	}
	for _, j := range s.Queue {
		last, procs = last+int64(j.Run), procs+int64(j.Procs)
	}
	return add(r, &sum, procs, last, f.number)
}

// leases reads running tasks, which have begun, or reservations.
func leases(site record, name string, most int64, required ...string) (all []market.Lease, err error) {
	err = list(site.place+"."+name, site.fields[name], mostLeases, required, func(r record) error {
		procs, err := r.whole("procs", 1, most)
		if err != nil {
			return err
		}
		start := int64(0)
		if len(required) == 3 {
			if start, err = r.whole("start", 0, mostTime); err != nil {
				return err
			}
		}
		end, err := r.whole("end", start, 2*mostTime)
		all = append(all, market.Lease{Procs: int(procs), Start: market.Time(start), End: market.Time(end)})
		return err
	})
	return all, err
}

// jobs reads the queue of a site.
func jobs(site record, most int64, sum *int64) (all []market.Job, err error) {
	err = list(site.place+".queue", site.fields["queue"], mostLeases, []string{"procs", "runtime"}, func(r record) error {
		procs, err := r.whole("procs", 1, most)
		if err != nil {
			return err
		}
		run, err := r.whole("runtime", 0, mostTime)
		if err != nil {
			return err
		}
		all = append(all, market.Job{Procs: int(procs), Run: market.Time(run)})
		return add(r, sum, procs, run, mostPrice)
	})
	return all, err
}
