package manager

import (
	"github.com/rs/zerolog"

	"aliquot/cluster"
	"aliquot/policy"
)

// fallbackLogger wraps a policy and logs its decisions that were made by a simpler fallback rule.
type fallbackLogger struct {
	policy.Policy
	log zerolog.Logger
}

func (c fallbackLogger) Decide(v *cluster.View) policy.Decision {
	d := c.Policy.Decide(v)
	if d.Fallback != nil {
		c.log.Warn().Err(d.Fallback).
			Msg("the policy used a simpler fallback rule; the decision is valid but may be worse")
	}
	return d
}
