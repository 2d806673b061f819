package tiered

import (
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"aliquot/cluster"
	"aliquot/policy"
)

// Attained keeps those jobs in the foreground that have attained the least service for their time in the system. The
// others sink to the background. It needs no estimates.
type Attained struct {
	period cluster.Time
	pay    cluster.Parts // part of its work that a job may stand still for being taken from the foreground
}

const (
	attained   = "attained"
	usualPay   = cluster.Whole / 10
	hysteresis = 4 // factor by which another job's worth must exceed that of one in the foreground
)

// NewAttained returns the policy. It accepts the parameter pay=PART.
func NewAttained(_ string, parameters []string, period cluster.Time) (Attained, error) {
	p := Attained{period, 0}
	if period <= 0 {
		return p, fmt.Errorf("its period must be above zero, is %v", period)
	}
	for _, text := range parameters {
		value, known := strings.CutPrefix(text, "pay=")
		switch {
		case !known:
			return p, fmt.Errorf("there is no parameter %q; there is pay=PART", text)
		case p.pay != 0:
			return p, fmt.Errorf("pay is given twice")
		}
		if p.pay = digits(value); p.pay < cluster.Whole/1000 || p.pay > cluster.Whole*1000 {
			return p, fmt.Errorf("pay is %q, must be a number from 0.001 to 1000", value)
		}
	}
	if p.pay == 0 {
		p.pay = usualPay
	}
	return p, nil
}

// String returns the canonical name.
func (p Attained) String() string {
	if p.pay == usualPay {
		return attained
	}
	return attained + "/pay=" + strconv.FormatFloat(float64(p.pay)/float64(cluster.Whole), 'f', -1, 64)
}

// Ticks reports that the policy ranks the jobs anew in every period.
func (p Attained) Ticks() bool { return true }

// Refusals returns the refusals of jobs that are too wide: see policy.Refusals.
func (p Attained) Refusals(v *cluster.View, jobs []*cluster.Job) []cluster.Refusal {
	return refusals(v, jobs, (*decision).refuseWide)
}

// Decide starts jobs, takes them to the foreground, sinks others, and fills the background.
func (p Attained) Decide(v *cluster.View) policy.Decision {
	alarms := []cluster.Alarm{{At: (v.At/p.period + 1) * p.period, Kind: cluster.AlarmTick}}
	o := v.Pending().For(cluster.AlarmTick, cluster.AlarmRetry)
	if o.Empty() {
		return policy.Decision{Target: v.TargetAll(), Alarms: alarms}
	}
	d := begin(v, rule{way: migrate}, o)
	defer d.end()
	p.contest(d)
	return policy.Decision{Target: d.Target, Refuse: d.Refusals, Alarms: alarms, Why: policy.News(v, p.explained(v, o))}
}

// contest decides which jobs have places.
func (p Attained) contest(d *decision) {
	c := contest{decision: d, pay: p.pay}
	c.decide()
}

// explained repeats the decision and returns all reasons.
func (p Attained) explained(v *cluster.View, o cluster.Occasion) iter.Seq[cluster.Reason] {
	return func(tell func(cluster.Reason) bool) {
		d := begin(v, rule{way: migrate}, o)
		defer d.end()
		d.Explains = true
		p.contest(d)
		slices.Values(d.Reasons)(tell)
	}
}
