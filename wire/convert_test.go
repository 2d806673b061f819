package wire

import (
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/proto"

	"aliquot/cluster"
	"aliquot/wire/wirepb"
)

// filler gives every field of a value a distinct value that is not zero.
type filler struct{ n int64 }

func (f *filler) fill(v reflect.Value) {
	f.n++
	switch v.Interface().(type) {
	case time.Time:
		v.Set(reflect.ValueOf(time.UnixMicro(1_700_000_000_000_000 + f.n)))
		return
	case time.Duration:
		v.SetInt(f.n * int64(time.Microsecond))
		return
	case cluster.Want:
		v.SetUint(uint64(cluster.Leave))
		return
	case cluster.Tier:
		v.SetUint(uint64(cluster.Background))
		return
	case cluster.Sight:
		v.SetUint(uint64(cluster.SeenExited))
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(true)
	case reflect.String:
		v.SetString(fmt.Sprintf("text %d ü", f.n))
	case reflect.Uint8:
		v.SetUint(uint64(1 + f.n%250))
	case reflect.Uint32, reflect.Uint64:
		v.SetUint(uint64(f.n))
	case reflect.Int, reflect.Int64:
		v.SetInt(f.n)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		f.fill(v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		fallthrough
	case reflect.Array:
		for i := range v.Len() {
			f.fill(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).Tag.Get("wire") != "-" { // such a field is not sent
				f.fill(v.Field(i))
			}
		}
	default:
		panic(fmt.Sprintf("a field of type %v: teach the filler and the translation", v.Type()))
	}
}

func filled[T any]() (v T) {
	(&filler{}).fill(reflect.ValueOf(&v).Elem())
	return v
}

// travel encodes a message and decodes it again.
func travel[M proto.Message](t *testing.T, m, into M) M {
	t.Helper()
	bytes, err := proto.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	if err := proto.Unmarshal(bytes, into); err != nil {
		t.Fatal(err)
	}
	return into
}

func TestEveryFieldSurvivesTheJourney(t *testing.T) {
	compare := func(name string, want, got any, err error) {
		t.Helper()
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("%s: error %v, (-sent +received):\n%s", name, err, diff)
		}
	}
	orders := filled[cluster.Orders]()
	gotOrders, err := UnpackOrders(travel(t, packOrders(&orders), &wirepb.Orders{}))
	compare("orders", orders, gotOrders, err)

	report := filled[cluster.Report]()
	gotReport, err := UnpackReport(report.Node, travel(t, PackReport(report), &wirepb.Report{}))
	compare("report", report, gotReport, err)

	description := filled[cluster.Description]()
	description.MigrateURI = "qemu+tls://n1/system"
	description.Overhead, description.Speed, description.Measured = description.Memory, cluster.MaxSpeed, cluster.MaxSpeed
	gotDescription, err := UnpackDescription(travel(t, PackDescription(description), &wirepb.Description{}))
	compare("description", description, gotDescription, err)

	usage := filled[[]Usage]()
	host := filled[Host]()
	gotUsage, gotHost, err := UnpackUsage(travel(t, PackUsage(usage, host), &wirepb.Usage{}))
	compare("usage", usage, gotUsage, err)
	compare("host", host, gotHost, err)
}

func TestEveryFieldOfAMessageIsUsed(t *testing.T) {
	used := map[string]bool{}
	var walk func(m proto.Message)
	walk = func(m proto.Message) {
		r := m.ProtoReflect()
		fields := r.Descriptor().Fields()
		for i := range fields.Len() {
			field := fields.Get(i)
			used[string(field.FullName())] = used[string(field.FullName())] || r.Has(field)
			if field.Message() == nil || !r.Has(field) {
				continue
			}
			if field.IsList() {
				walk(r.Get(field).List().Get(0).Message().Interface())
			} else {
				walk(r.Get(field).Message().Interface())
			}
		}
	}
	walk(packOrders(new(filled[cluster.Orders]())))
	walk(PackReport(filled[cluster.Report]()))
	walk(PackDescription(filled[cluster.Description]()))
	walk(PackUsage(filled[[]Usage](), filled[Host]()))
	delete(used, "aliquot.wire.v1.Report.sequence") // the session's, not the report's
	for field, ok := range used {
		if !ok {
			t.Errorf("%s is never set", field)
		}
	}
}

func TestNothingIsSomethingToo(t *testing.T) {
	orders := cluster.Orders{Node: 1}
	got, err := UnpackOrders(travel(t, packOrders(&orders), &wirepb.Orders{}))
	if diff := cmp.Diff(orders, got); diff != "" || err != nil {
		t.Errorf("empty orders: error %v, %s", err, diff)
	}
	report, err := UnpackReport(0, travel(t, PackReport(cluster.Report{StoreFree: -1}), &wirepb.Report{}))
	if diff := cmp.Diff(cluster.Report{StoreFree: -1}, report); diff != "" || err != nil {
		t.Errorf("empty report: error %v, %s", err, diff)
	}
}

func TestTextThatIsNotUnicodeIsMadeSo(t *testing.T) {
	report := cluster.Report{Observations: []cluster.Observation{{Run: cluster.RunID{Job: 1, Number: 1},
		Seen: cluster.SeenLost, Cause: "qemu: \xff\xfe"}}}
	got, err := UnpackReport(0, travel(t, PackReport(report), &wirepb.Report{}))
	if err != nil || got.Observations[0].Cause != "qemu: \uFFFD" {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestMessagesThatNobodyWouldSendAreRefused(t *testing.T) {
	run := &wirepb.Run{Job: 1, Number: 1}
	order := func(change func(*wirepb.Order)) *wirepb.Orders {
		o := &wirepb.Order{Run: &wirepb.Run{Job: 1, Number: 1}, Want: uint32(cluster.Stay), Spec: &wirepb.Spec{}}
		change(o)
		return &wirepb.Orders{Cluster: make([]byte, 16), Runs: []*wirepb.Order{o}}
	}
	for name, m := range map[string]*wirepb.Orders{
		"no cluster":       {},
		"a short cluster":  {Cluster: make([]byte, 15)},
		"unknown want":     order(func(o *wirepb.Order) { o.Want = 8 }),
		"no want":          order(func(o *wirepb.Order) { o.Want = 0 }),
		"unknown tier":     order(func(o *wirepb.Order) { o.Tier = 2 }),
		"no specification": order(func(o *wirepb.Order) { o.Spec = nil }),
		"a negative cap":   order(func(o *wirepb.Order) { o.Cpu = -1 }),
		"no run":           order(func(o *wirepb.Order) { o.Run = nil }),
		"job 0":            order(func(o *wirepb.Order) { o.Run.Job = 0 }),
		"task -1":          order(func(o *wirepb.Order) { o.Run.Index = -1 }),
		"run 0":            order(func(o *wirepb.Order) { o.Run.Number = 0 }),
		"run too far":      order(func(o *wirepb.Order) { o.Run.Number = 1 << 40 }),
		"a bad stray":      {Cluster: make([]byte, 16), Destroy: []*wirepb.Run{{}}},
	} {
		if _, err := UnpackOrders(m); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	for name, m := range map[string]*wirepb.Report{
		"unknown sight":      {Observations: []*wirepb.Observation{{Run: run, Seen: 11}}},
		"no sight":           {Observations: []*wirepb.Observation{{Run: run}}},
		"a negative cap":     {Observations: []*wirepb.Observation{{Run: run, Seen: 1, Cap: -1}}},
		"a negative image":   {Observations: []*wirepb.Observation{{Run: run, Seen: 4, Image: -1}}},
		"an exit of nothing": {Observations: []*wirepb.Observation{{Run: run, Seen: uint32(cluster.SeenExited)}}},
		"no run":             {Observations: []*wirepb.Observation{{Seen: 1}}},
		"foreign CPU":        {Foreign: &wirepb.Foreign{Cpu: -1}},
		"foreign memory":     {Foreign: &wirepb.Foreign{Memory: -1}},
	} {
		if _, err := UnpackReport(1, m); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	if _, err := UnpackDescription(&wirepb.Description{Memory: -1}); err == nil {
		t.Error("negative memory: accepted")
	}
	if _, _, err := UnpackUsage(&wirepb.Usage{Samples: []*wirepb.Sample{{Run: run, Cpu: -1}}}); err == nil {
		t.Error("negative usage: accepted")
	}
}

func FuzzDecoders(f *testing.F) {
	for _, m := range []proto.Message{packOrders(new(filled[cluster.Orders]())), PackReport(filled[cluster.Report]()),
		PackUsage(filled[[]Usage](), filled[Host]())} {
		bytes, err := proto.Marshal(m)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(bytes)
	}
	f.Fuzz(func(t *testing.T, bytes []byte) {
		if m := new(wirepb.Orders); proto.Unmarshal(bytes, m) == nil {
			if o, err := UnpackOrders(m); err == nil {
				again, err := UnpackOrders(packOrders(&o))
				if diff := cmp.Diff(o, again); diff != "" || err != nil {
					t.Errorf("orders do not survive: %v\n%s", err, diff)
				}
			}
		}
		if m := new(wirepb.Report); proto.Unmarshal(bytes, m) == nil {
			if r, err := UnpackReport(1, m); err == nil {
				again, err := UnpackReport(1, PackReport(r))
				if diff := cmp.Diff(r, again); diff != "" || err != nil {
					t.Errorf("a report does not survive: %v\n%s", err, diff)
				}
			}
		}
		if m := new(wirepb.Usage); proto.Unmarshal(bytes, m) == nil {
			_, _, _ = UnpackUsage(m)
		}
	})
}
