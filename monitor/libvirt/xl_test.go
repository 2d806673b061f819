package libvirt

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

const listed = `Name                                        ID   Mem VCPUs	State	Time(s) UUID                            Reason-Code	Security Label
Domain-0                                     0   320     1     r-----      65.1 00000000-0000-0000-0000-000000000000        -                -
aliquot-78656e00-j1-0-1                     12    94     1     --p---      15.9 2261410a-caf4-534d-aaec-6546e548dfc4        -                -
`

func TestXenSaysWhichDomainsItHasPaused(t *testing.T) {
	got, err := parseXL([]byte(listed))
	want := []xlDomain{
		{0, "Domain-0", "00000000-0000-0000-0000-000000000000", false},
		{12, "aliquot-78656e00-j1-0-1", "2261410a-caf4-534d-aaec-6546e548dfc4", true},
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(xlDomain{})); diff != "" || err != nil {
		t.Errorf("%v\n%s", err, diff)
	}
	for _, torn := range []string{"Name ID\nDomain-0 0 320", "Name ID\na x 1 1 r- 1.0 u - -"} {
		if _, err := parseXL([]byte(torn)); err == nil {
			t.Errorf("%q was accepted", torn)
		}
	}
}
