package backfill_test

import (
	"testing"

	"aliquot/policy/backfill"
	"aliquot/policy/policytest"
)

func TestFCFSKeepsTheLaws(t *testing.T) {
	policytest.Check(t, backfill.FCFS{})
}
