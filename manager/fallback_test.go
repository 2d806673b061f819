package manager

import (
	"errors"
	"strings"
	"testing"

	"github.com/rs/zerolog"

	"aliquot/cluster"
	"aliquot/policy"
)

type shaky struct{ fallback error }

func (s shaky) Decide(*cluster.View) policy.Decision {
	return policy.Decision{Alarms: []cluster.Alarm{{At: cluster.Minute, Kind: cluster.AlarmTick}}, Fallback: s.fallback}
}

func TestAFallbackOfThePolicyIsAdoptedAndLogged(t *testing.T) {
	for _, fallback := range []error{nil, errors.New("the solver gave up")} {
		var log strings.Builder
		d := fallbackLogger{shaky{fallback}, zerolog.New(&log)}.Decide(nil)
		if len(d.Alarms) != 1 || strings.Contains(log.String(), "the solver gave up") != (fallback != nil) {
			t.Errorf("%v: %+v, %q", fallback, d, log.String())
		}
	}
}
