package main

import (
	"strings"
	"testing"
)

func TestTheShellCompletesValues(t *testing.T) {
	d := busy(t)
	for line, want := range map[string]string{
		"job list --state wai":              "waiting\n",
		"job cancel --state he":             "held\n",
		"job list --node n":                 "n1\tready\n",
		"job submit --image bu":             "busybox\n",
		"plan submit --node n":              "n2\tready\n",
		"events --job j":                    "j1\trender\n",
		"events --node n":                   "n1\tready\n",
		"policy set FC":                     "FCFS\t",
		"job copy j1 --image ":              "busybox\n",
		"job release --owner alice --node ": "n1\tready\n",
	} {
		o := d.typeWith("", append([]string{"__complete"}, strings.Split(line, " ")...)...)
		if !strings.Contains(o.out, want) {
			t.Errorf("%s: %q, without %q", line, o.out, want)
		}
	}
}
