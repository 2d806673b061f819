package document

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode"

	"aliquot/policy/market"
)

// Limits of a file, far above any real one. Sums of products of these are checked.
const (
	mostTasks  = 20_000
	mostEdges  = 200_000
	mostSlots  = 20_000
	mostSites  = 1_000
	mostLeases = 5_000 // of a site, and as many jobs in its queue
	mostProcs  = 10_000_000
	mostTime   = 1 << 40
	mostPrice  = 1 << 20 // of a processor and unit of time
	mostSum    = 1 << 60
)

// Instance is a workflow with either slots or sites.
type Instance struct {
	Advertised *market.Advertised // nil: Queried
	Queried    *market.Queried
}

// file is the outermost object.
type file struct {
	Sites, Slots, Tasks, Edges json.RawMessage

	total  int64 // of all run times and transfers
	number int64 // of tasks
}

// Read parses a file. Its errors begin with the name.
func Read(name string, text []byte) (*Instance, error) {
	in, err := read(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return in, nil
}

func read(text []byte) (*Instance, error) {
	var f file
	if err := json.Unmarshal([]byte(strings.TrimPrefix(string(text), "\ufeff")), &f); err != nil {
		return nil, wrong(text, err)
	}
	w, err := f.workflow()
	if err != nil {
		return nil, err
	}
	switch {
	case len(f.Sites) == 0:
		return nil, errors.New("sites is missing: the number of sites that advertise slots, or a list of sites to query")
	case isList(f.Sites) && len(f.Slots) > 0:
		return nil, errors.New("slots are for a number of sites; sites in a list answer queries")
	case isList(f.Sites):
		return f.queried(w)
	}
	return f.advertised(w)
}

// wrong tells the line of a fault in the syntax.
func wrong(text []byte, err error) error {
	if at := (*json.SyntaxError)(nil); errors.As(err, &at) {
		return fmt.Errorf("line %d: %w", 1+strings.Count(string(text[:min(int(at.Offset), len(text))]), "\n"), err)
	}
	return errors.New("the file must be one object with sites, tasks and edges")
}

// workflow reads the tasks and edges.
func (f *file) workflow() (*market.Workflow, error) {
	tasks, err := f.tasks()
	if err != nil {
		return nil, err
	}
	f.number = int64(len(tasks))
	last := f.number - 1
	var edges []market.Edge
	err = list("edges", f.Edges, mostEdges, []string{"frm", "to", "transfer"}, func(r record) error {
		from, err := r.whole("frm", 0, last)
		if err != nil {
			return err
		}
		to, err := r.whole("to", 0, last)
		if err != nil {
			return err
		}
		if from == to {
			return fmt.Errorf("%s: task %s waits for itself", r.place, tasks[from].Name)
		}
		transfer, err := r.optional("transfer", 0, 0, mostTime)
		f.total += transfer
		edges = append(edges, market.Edge{From: int(from), To: int(to), Transfer: market.Time(transfer)})
		return err
	})
	if err == nil && f.total > 2*mostTime {
		err = fmt.Errorf("the run times and transfers add up to %d, more than %d", f.total, int64(2*mostTime))
	}
	if err != nil {
		return nil, err
	}
	return market.NewWorkflow(tasks, edges)
}

func (f *file) tasks() (tasks []market.Task, err error) {
	sum := int64(0)
	names := map[string]string{}
	err = list("tasks", f.Tasks, mostTasks, []string{"procs", "runtime"}, func(r record) error {
		procs, err := r.whole("procs", 1, mostProcs)
		if err != nil {
			return err
		}
		run, err := r.whole("runtime", 0, mostTime)
		if err != nil {
			return err
		}
		name, err := r.name(fmt.Sprint("t", len(tasks)))
		if err != nil {
			return err
		}
		if strings.ContainsFunc(name, unicode.IsControl) {
			return fmt.Errorf("%s: name has control characters", r.place)
		}
		if names[name] != "" {
			return fmt.Errorf("%s: %s is also called %q", r.place, names[name], name)
		}
		names[name] = r.place
		f.total += run
		tasks = append(tasks, market.Task{Name: name, Procs: int(procs), Run: market.Time(run)})
		return add(r, &sum, procs, run, mostPrice)
	})
	if err == nil && len(tasks) == 0 {
		return nil, errors.New("tasks is missing or empty")
	}
	return tasks, err
}

// add sums up procs × time × factor, and refuses a sum that does not fit.
func add(r record, sum *int64, procs, time, factor int64) error {
	if product := procs * factor; time > 0 && product > (mostSum-*sum)/time {
		return fmt.Errorf("%s: processors × time × price add up to more than %d", r.place, int64(mostSum))
	}
	*sum += procs * time * factor
	return nil
}

// advertised reads the slots.
func (f *file) advertised(w *market.Workflow) (*Instance, error) {
	whole := record{"the file", map[string]json.RawMessage{"sites": f.Sites}}
	sites, err := whole.whole("sites", 1, mostSites)
	if err != nil {
		return nil, err
	}
	a := &market.Advertised{Workflow: w, Sites: int(sites)}
	sum := int64(0)
	err = list("slots", f.Slots, mostSlots, []string{"site", "start", "end", "procs"}, func(r record) error {
		s, err := slot(r, sites)
		if err != nil {
			return err
		}
		a.Slots = append(a.Slots, s)
		held := int64(s.End - s.Start)
		if s.Extensible {
			held = 3*mostTime + f.total
		}
		if s.Divisible {
			return nil // not more than the tasks use
		}
		return add(r, &sum, int64(s.Procs), held, max(1, int64(s.Charge)))
	})
	return &Instance{Advertised: a}, err
}

// slot reads a slot. By default one with an end is bought whole, and one without is divisible and extensible.
func slot(r record, sites int64) (market.Slot, error) {
	site, err := r.whole("site", 0, sites-1)
	if err != nil {
		return market.Slot{}, err
	}
	start, err := r.whole("start", 0, mostTime)
	if err != nil {
		return market.Slot{}, err
	}
	end := int64(market.Ever)
	if text, there := r.fields["end"]; !there || strings.TrimSpace(string(text)) != "null" {
		if end, err = r.whole("end", start+1, 2*mostTime); err != nil {
			return market.Slot{}, err
		}
	}
	procs, err := r.whole("procs", 1, mostProcs)
	if err != nil {
		return market.Slot{}, err
	}
	s := market.NewSlot(int(site), market.Time(start), market.Time(end), int(procs))
	return s, terms(r, &s)
}

// terms reads the rules and prices of a slot, if it has its own.
func terms(r record, s *market.Slot) error {
	var err error
	if s.Divisible, err = r.flag("divisible", s.Divisible); err != nil {
		return err
	}
	if s.Extensible, err = r.flag("extensible", s.Extensible); err != nil {
		return err
	}
	if s.End == market.Ever && !(s.Divisible && s.Extensible) {
		return fmt.Errorf("%s: a slot without an end must be divisible and extensible", r.place)
	}
	charge, err := r.optional("charge", 1, 0, mostPrice)
	if err != nil {
		return err
	}
	fixed, err := r.optional("fixed", 0, 0, mostTime)
	s.Charge, s.Fixed = market.Price(charge), market.Price(fixed)
	return err
}
