package main

import (
	"context"
	"strings"
	"testing"
)

func TestAFollowedLogOfAJobThatWaitsSaysWhy(t *testing.T) {
	for state, line := range map[string]string{"waiting": "job logs -f j5", "held": "job logs -f j4/0"} {
		d := busy(t)
		ctx, interrupt := context.WithCancel(t.Context())
		told := newLines()
		ended := make(chan int)
		go func() { ended <- d.doUntil(ctx, &app{err: told}, strings.Fields(line)...).code }()
		told.await(t, strings.Fields(line)[3][:2]+" is "+state+": ")
		interrupt()
		<-ended
		if o := d.run(strings.Replace(line, "-f ", "", 1)); strings.Contains(o.err, " is "+state) {
			t.Errorf("not followed, it is told: %+v", o)
		}
	}
}
