package workload

import (
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"aliquot/cluster"
)

// Event is something that happens to a node or to a job of a stream while the stream is simulated.
type Event struct {
	At    cluster.Time // since the start of the stream, in microseconds
	Kind  EventKind
	Node  string        // name of the node; empty if the event is about a job
	Job   int64         // as named by the stream; 0 if the event is about a node
	Speed cluster.Parts // of NodeSpeeds: from 1 to cluster.Whole; else 0
	Line  int           // of the file, for messages; 0: it was not read from one
}

// EventKind is what happens. Its text is the word in the file.
type EventKind string

// The kinds of events.
const (
	NodeDrains  EventKind = "drain"   // the node's jobs have to leave, and it takes no others
	NodeFails   EventKind = "fail"    // the jobs on the node lose their work
	NodeReturns EventKind = "return"  // the node takes jobs again after a drain or a failure
	NodeSpeeds  EventKind = "speed"   // jobs there progress at that part of their rate from now on
	JobHeld     EventKind = "hold"    // the job gives up what it holds, keeps its work, and waits for its release
	JobReleased EventKind = "release" // the job may be placed again
	JobCancels  EventKind = "cancel"  // the job ends at once
)

var (
	nodeEvents = []EventKind{NodeDrains, NodeFails, NodeReturns, NodeSpeeds}
	jobEvents  = []EventKind{JobHeld, JobReleased, JobCancels}
)

// AboutNode reports whether events of the kind happen to nodes, not to jobs.
func (k EventKind) AboutNode() bool { return slices.Contains(nodeEvents, k) }

// String names the event and its line, as messages do.
func (e Event) String() string {
	target := e.Node
	if !e.Kind.AboutNode() {
		target = fmt.Sprint("job ", e.Job)
	}
	return fmt.Sprintf("line %d: %s %s", e.Line, e.Kind, target)
}

// eventColumns are the columns of a file of events; all but the last have to be there.
var eventColumns = []string{"time", "event", "target", "value"}

// ReadEvents reads a file of events, plain or gzip, and orders them by time; events of one time stay in the order of
// their lines. Errors name the line.
func ReadEvents(r io.Reader) ([]Event, error) {
	plain, err := Gunzip(r)
	if err != nil {
		return nil, err
	}
	reader := csv.NewReader(plain)
	header, err := reader.Read()
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("read the events: %w", err)
	}
	places, err := placesOf(header)
	if err != nil {
		return nil, err
	}
	var events []Event
	for {
		fields, err := reader.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("read the events: %w", err)
		}
		line, _ := reader.FieldPos(0)
		e := Event{Line: line}
		if err := e.read(fields, places); err != nil {
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
		events = append(events, e)
	}
	slices.SortStableFunc(events, func(a, b Event) int { return cmp.Compare(a.At, b.At) })
	return events, nil
}

// placesOf returns where in a line the columns stand, by their order in eventColumns; -1: the column is not there.
func placesOf(header []string) (places [4]int, err error) {
	wanted := strings.Join(eventColumns, ",")
	for i, name := range header {
		header[i] = strings.TrimPrefix(name, "\ufeff") // some spreadsheets write a byte order mark
		if !slices.Contains(eventColumns, header[i]) {
			return places, fmt.Errorf("line 1: a file of events has no column %q: its header is %s", header[i], wanted)
		}
		if slices.Contains(header[:i], header[i]) {
			return places, fmt.Errorf("line 1: column %s is there twice", header[i])
		}
	}
	for i, name := range eventColumns {
		if places[i] = slices.Index(header, name); places[i] < 0 && name != "value" {
			return places, fmt.Errorf("line 1: the header must be %s; %s is missing", wanted, name)
		}
	}
	return places, nil
}

// read fills the event in from the fields of a line.
func (e *Event) read(fields []string, places [4]int) error {
	at, ok := fixed(fields[places[0]], 6)
	if !ok || at > maxSeconds*1e6 {
		return fmt.Errorf("time: %q is not a number of seconds from 0 to %d", fields[places[0]], int64(maxSeconds))
	}
	e.At, e.Kind = cluster.Time(at), EventKind(fields[places[1]])
	if kinds := slices.Concat(nodeEvents, jobEvents); !slices.Contains(kinds, e.Kind) {
		return fmt.Errorf("event: %q is none of %v", fields[places[1]], kinds)
	}
	if err := e.aim(fields[places[2]]); err != nil {
		return err
	}
	value := ""
	if places[3] >= 0 {
		value = fields[places[3]]
	}
	return e.value(value)
}

// aim reads the node or job that the event is about.
func (e *Event) aim(target string) error {
	if e.Kind.AboutNode() {
		if e.Node = target; target == "" {
			return fmt.Errorf("target: %s needs the name of a node, like n1", e.Kind)
		}
		return nil
	}
	id, err := strconv.ParseInt(target, 10, 64)
	if e.Job = id; err != nil || id < 0 || id > maxID {
		return fmt.Errorf("target: %s needs the id of a job of the stream, not %q", e.Kind, target)
	}
	return nil
}

// value reads the speed, which is all that an event can have beside its target.
func (e *Event) value(text string) error {
	if e.Kind != NodeSpeeds {
		if text != "" {
			return fmt.Errorf("value: %s takes none, but %q is there: leave it empty", e.Kind, text)
		}
		return nil
	}
	speed, ok := fixed(text, 6)
	if e.Speed = cluster.Parts(speed); !ok || e.Speed < 1 || e.Speed > cluster.Whole {
		return fmt.Errorf("value: %q is not a speed from 0.000001 to 1, where 1 is the node's full speed", text)
	}
	return nil
}
