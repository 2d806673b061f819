package main

import (
	"strings"
	"testing"
)

func TestAmountsOfMemoryInOtherUnitsAreRefusedWithTheRightForm(t *testing.T) {
	d := busy(t)
	for given, right := range map[string]string{"96": "96Mi", "96M": "96Mi", "4GB": "4Gi", "lots": "96Mi"} {
		for _, line := range []string{
			"job submit --cpu 1 --memory " + given + " -- true", "quota set --owner x --memory " + given,
		} {
			if o := d.run(line); o.code != exitFailed || !strings.Contains(o.err, right) {
				t.Errorf("%s: %+v", line, o)
			}
		}
	}
}
