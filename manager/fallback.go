package manager

import (
	"github.com/rs/zerolog"

	"aliquot/cluster"
	"aliquot/policy"
)

// fallbackLogger is a policy whose decisions by a plainer rule than its own are logged.
type fallbackLogger struct {
	policy.Policy
	log zerolog.Logger
}

func (c fallbackLogger) Decide(v *cluster.View) policy.Decision {
	d := c.Policy.Decide(v)
	if d.Fallback != nil {
		c.log.Warn().Err(d.Fallback).Msg("the policy fell back on a plainer rule; its decision is adopted")
	}
	return d
}
