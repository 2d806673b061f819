package web

import (
	"strings"
	"testing"

	"aliquot/cluster"
)

func TestAJobThatFindsNoBuiltInImageIsToldHowToGetOne(t *testing.T) {
	empty := cluster.New([16]byte{1}, cluster.PolicyChoice{}).Snapshot(0)
	_, err := imagesOf(empty)("")
	p := problemOf(err)
	if p.Status != 422 || !strings.Contains(p.Detail, "there is no built-in image") ||
		!strings.Contains(p.Help, "start a manager that has the built-in one") {
		t.Errorf("%+v", p.Problem)
	}
}
