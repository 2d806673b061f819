package main

import (
	"context"
	"fmt"
	"strings"
	"testing"
)

func TestEventsFromARevisionToComeAreAwaitedWithAWord(t *testing.T) {
	d := busy(t)
	ctx, interrupt := context.WithCancel(t.Context())
	told := newLines()
	ended := make(chan int)
	go func() {
		ended <- d.doUntil(ctx, &app{err: told}, strings.Fields("events -f --since 999999999.3")...).code
	}()
	told.await(t, fmt.Sprintf("The cluster is at revision %d: nothing is shown before it is past 999999999",
		d.Latest().Revision))
	interrupt()
	<-ended
}
