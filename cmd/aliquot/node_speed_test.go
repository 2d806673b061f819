package main

import (
	"testing"

	"aliquot/web/api"
)

func TestANodesSpeedIsToldWithItsSource(t *testing.T) {
	for _, c := range []struct {
		node api.Node
		want string
	}{
		{api.Node{Speed: 1, SpeedSource: "declared"}, "that of the reference, declared"},
		{api.Node{Speed: 1}, "that of the reference, assumed"},
		{api.Node{Speed: 1, SpeedSource: "assumed", MeasuredSpeed: 1.35},
			"that of the reference, assumed, as its monitor's settings declare none; 1.35 was measured"},
		{api.Node{Speed: 0.85, SpeedSource: "measured", MeasuredSpeed: 0.85}, "0.85 of the reference, measured; " +
			"a vCPU does 850m here at most, as all CPU is counted in millicores of the reference"},
	} {
		if got := speed(&c.node); got != c.want {
			t.Errorf("it says %s, want %s", got, c.want)
		}
	}
}
