package cluster

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// exact is the price as it is written down in policy/deadline.
func exact(work, used float64) float64 { return work * (math.Pow(steep, used) - 1) / (steep - 1) }

func TestAPriceIsThatOfTheFormula(t *testing.T) {
	for used := uint64(0); used <= full; used += 7 {
		work := product(int64(16*Core), int64(1000*Hour)) // 16,000 core-hours
		have, want := cost(work, used).CoreHours(), exact(16_000, float64(used)/full)
		if math.Abs(have-want) > 1e-6 {
			t.Fatalf("at a use of %d of %d: %v core-hours, not %v", used, full, have, want)
		}
	}
	for used, want := range map[uint64]Price{0: 0, full: CoreHour} {
		if have := cost(product(int64(Core), int64(Hour)), used); have != want {
			t.Errorf("a core-hour at a use of %d of %d costs %v, not %v", used, full, have, want)
		}
	}
}

func TestAPriceRisesWithTheUse(t *testing.T) {
	before := power(0)
	for used := uint64(1); used <= full; used++ {
		if now := power(used); now <= before {
			t.Fatalf("at %d of %d it is %d, and %d before", used, full, now, before)
		} else {
			before = now
		}
	}
}

func TestAPriceIsNeverAboveTheWork(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cpu := rapid.Int64Range(1, MaxTasks*int64(maxNeed)).Draw(t, "cpu")
		lasts := rapid.Int64Range(1, int64(maxReserved)).Draw(t, "lasts")
		used := rapid.Uint64Range(0, full).Draw(t, "used")
		work := product(cpu, lasts)
		most, rest := work.over(1000 * 1000)
		if rest > 0 {
			most++
		}
		less := cost(work, used)
		if more := cost(work.plus(product(1, lasts)), used); less < 0 || uint64(less) > most || more < less {
			t.Errorf("%d of work cost %d, and more of it %d", most, less, more)
		}
	})
}

func TestTheUseOfAWindowIsExact(t *testing.T) {
	for _, c := range []struct {
		cpu  CPU
		time Time
		all  CPU
		of   Time
		want uint64
	}{
		{0, Hour, 1000, Hour, 0}, {1000, Hour, 1000, Hour, full}, {500, Hour, 1000, Hour, full / 2},
		{1000, Hour, 4000, 2 * Hour, full / 8}, {4000, Hour, 1000, Hour, full}, {1, Second, 0, Second, full},
		{1, 1, maxNeed * MaxTasks, maxReserved, 0}, {maxNeed * MaxTasks, maxReserved, maxNeed * MaxTasks, maxReserved, full},
		{1000, 1, 1000, 1, full}, {500, 1, 1000, 1, full / 2},
	} {
		if have := utilization(product(int64(c.cpu), int64(c.time)), c.all, c.of); have != c.want {
			t.Errorf("%+v: %d", c, have)
		}
	}
}

// Of two nodes with a core each.
func priced(t *testing.T) *promised {
	w := newPromised(t)
	w.node("a", 1000)
	w.node("b", 1000)
	return w
}

// costs returns the price of the promise to a new job, in core-hours.
func (w *promised) costs(spec *Spec) float64 {
	w.Helper()
	r := w.s.Apply(w.s.Revision+1, Command{At: w.s.Now, Actor: root, Action: Submit{Spec: spec}})
	if r.Rejection != nil {
		w.Fatal(r.Rejection)
	}
	return w.s.PromiseTo(r.Job).Price.CoreHours()
}

func TestAPromiseCostsMoreTheMoreOfItsWindowIsPromised(t *testing.T) {
	w := priced(t)
	near := func(have, want float64) {
		t.Helper()
		if math.Abs(have-want) > 2e-6 {
			t.Errorf("it costs %v core-hours, not %v", have, want)
		}
	}
	ask := func(need CPU, start Time) *Spec {
		spec := w.spec(1, need, &Reservation{start, Hour})
		spec.Owner = []string{"ann", "bob", "cid"}[w.s.NextJob%3]
		return spec
	}
	near(w.costs(ask(500, Hour)), exact(.5, .25))
	near(w.costs(ask(500, Hour)), exact(.5, .5))
	near(w.costs(ask(500, 3*Hour)), exact(.5, .25))
	spec := w.spec(1, 500, nil)
	spec.Deadline = &Deadline{Ready: Hour, By: 5 * Hour, Lasts: Hour}
	spec.Owner = "dan"
	lead := w.s.lead(spec).Seconds() / 3600 // is promised, too
	near(w.costs(spec), exact(.5, (4*.5+.5*lead)/8))
}

func TestAPriceIsFixedWhenItIsAgreed(t *testing.T) {
	w := priced(t)
	first := w.spec(1, 500, &Reservation{Hour, Hour})
	before := w.costs(first)
	second := w.spec(1, 500, &Reservation{Hour, Hour})
	second.Owner = "bob"
	w.costs(second)
	if now := w.s.PromiseTo(w.s.NextJob - 2).Price.CoreHours(); now != before {
		t.Errorf("it was %v, and is %v", before, now)
	}
}

func TestAnOfferHasThePriceOfItsPromise(t *testing.T) {
	w := inNeed(t)
	r := w.ask("ann", "p", 450)
	if r.Offered == nil {
		t.Fatal(r.Rejection)
	}
	for _, a := range r.Offered.Alternatives {
		if a.Offer == 0 || a.Price <= 0 || a.Price != w.s.offers.get(a.Offer).Promise.Price {
			t.Errorf("%+v", a)
		}
	}
	id := r.Offered.Alternatives[0].Offer
	want := w.s.offers.get(id).Promise.Price
	if job := w.do(AcceptOffer{id}).Job; w.s.PromiseTo(job).Price != want {
		t.Errorf("accepted for %v, it costs %v", want, w.s.PromiseTo(job).Price)
	}
}

func TestBelowItsFormatAPromiseHasNoPrice(t *testing.T) {
	w := priced(t)
	w.s.Format = prices - 1
	if p := w.costs(w.spec(1, 500, &Reservation{Hour, Hour})); p != 0 {
		t.Errorf("it costs %v", p)
	}
}

func TestPricesAreToldWithThreeDigitsAndWithMoreWhereTheyWouldBeAlike(t *testing.T) {
	for price, want := range map[Price]string{
		0: "0 core-hours", 1: "0.000000278 core-hours", 349: "0.0000969 core-hours", 5400: "0.0015 core-hours",
		5362: "0.00149 core-hours", 3600: "0.001 core-hours", CoreHour: "1 core-hour", CoreHour * 13 / 6: "2.17 core-hours",
		CoreHour*1234 + 1_800_000: "1234 core-hours", CoreHour * 200: "200 core-hours",
	} {
		if have := price.String(); have != want {
			t.Errorf("%d is told as %s, not %s", price, have, want)
		}
	}
	for _, c := range []struct {
		price, limit Price
		words        [2]string
	}{
		{5760, 5400, [2]string{"0.0016 core-hours", "0.0015 core-hours"}},
		{5401, 5400, [2]string{"0.0015003 core-hours", "0.0015 core-hours"}},
		{5400, 5400, [2]string{"0.0015 core-hours", "0.0015 core-hours"}},
	} {
		if a, b := c.price.apart(c.limit); a != c.words[0] || b != c.words[1] {
			t.Errorf("%d and %d are told as %s and %s", c.price, c.limit, a, b)
		}
	}
}
