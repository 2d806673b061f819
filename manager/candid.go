package manager

import (
	"github.com/rs/zerolog"

	"aliquot/cluster"
	"aliquot/policy"
)

// candid is a policy of which it is logged when it decides by a plainer rule than its own.
type candid struct {
	policy.Policy
	log zerolog.Logger
}

func (c candid) Decide(v *cluster.View) policy.Decision {
	d := c.Policy.Decide(v)
	if d.Fallback != nil {
		c.log.Warn().Err(d.Fallback).Msg("the policy fell back on a plainer rule; its decision is adopted")
	}
	return d
}
