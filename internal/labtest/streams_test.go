package labtest

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"aliquot/web/api"
)

// beside runs a command beside task 0 of the job and returns its output.
func (s *scene) beside(id, input string, command ...string) (out string, code int) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.ctx, ended)
	defer cancel()
	stream, err := s.api.Exec(ctx, id, 0, command, nil)
	s.ok(err)
	defer stream.Close()
	var b bytes.Buffer
	code, err = stream.Carry(ctx, strings.NewReader(input), &b, &b)
	s.ok(err)
	return b.String(), code
}

// asked sends a line to port 80 of task 0 of the job and returns the answer.
func (s *scene) asked(id, line string) string {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.ctx, ended)
	defer cancel()
	stream, err := s.api.Forward(ctx, id, 0, 80)
	s.ok(err)
	defer stream.Close()
	var b bytes.Buffer
	_, err = stream.Carry(ctx, strings.NewReader(line+"\n"), &b, &b)
	s.ok(err)
	return strings.TrimSpace(b.String())
}

// A stream ends when the VM is paused, and new ones find it again, on another node too.
func TestPortsAndCommandsFollowTheirTask(t *testing.T) {
	s := begin(t)
	s.calm()
	s.need(s.api.SetNode(s.ctx, "n3", "cordon"))
	id := s.submitOne(api.JobSpec{CPU: "300m", Memory: "96Mi", Placement: &api.Placement{Nodes: []string{"n1", "n2"}},
		Command: []string{"sh", "-c", "while :; do nc -l -p 80 -e sh -c 'read line; echo got $line'; done"}})
	s.await(id, "running", 2*ended)
	s.eventually("the task listens", ended, func() error {
		if out, _ := s.beside(id, "", "netstat", "-ltn"); !strings.Contains(out, ":80 ") {
			return fmt.Errorf("it does not: %s", out)
		}
		return nil
	})
	if got := s.asked(id, "a line"); got != "got a line" {
		t.Errorf("its port answered %q", got)
	}
	out, code := s.beside(id, "some input", "sh", "-c", "cat; echo $ALIQUOT_JOB; exit 3")
	if out != "some input"+id+"\n" || code != 3 {
		t.Errorf("a command printed %q and ended with %d", out, code)
	}

	// One that is open when the VM is paused is told why it ends.
	stream, err := s.api.Exec(s.ctx, id, 0, []string{"sleep", "1000"}, nil)
	s.ok(err)
	defer stream.Close()
	r, w := io.Pipe()
	defer w.Close()
	over := make(chan error, 1)
	go func() {
		_, err := stream.Carry(s.ctx, r, io.Discard, io.Discard)
		over <- err
	}()
	s.eventually("the command runs", ended, func() error {
		if out, _ := s.beside(id, "", "ps", "-o", "args"); !strings.Contains(out, "sleep 1000") {
			return fmt.Errorf("it does not: %s", out)
		}
		return nil
	})
	before := s.job(id).Tasks[0].Node
	s.need(s.api.Hold(s.ctx, id))
	select {
	case err := <-over:
		if err == nil || !strings.Contains(err.Error(), "it was paused, moved or ended") {
			t.Errorf("a stream into a paused VM: %v", err)
		}
	case <-time.After(ended):
		t.Error("a stream outlives its VM")
	}
	s.await(id, "held", ended)
	if _, err := s.api.Forward(s.ctx, id, 0, 80); err == nil || !strings.Contains(err.Error(), "is paused") {
		t.Errorf("a paused VM: %v", err)
	}
	s.need(s.api.SetNode(s.ctx, before, "cordon"))
	s.need(s.api.Release(s.ctx, id))
	s.await(id, "running", 2*ended)
	if got := s.asked(id, "again"); got != "got again" {
		t.Errorf("its port answered %q after the move", got)
	}
	if out, _ := s.beside(id, "", "ps", "-o", "args"); strings.Contains(out, "sleep 1000") {
		t.Errorf("the command outlives its stream:\n%s", out)
	}
	if after := s.job(id).Tasks[0].Node; after == before {
		t.Errorf("it is on %s still", after)
	}
}

func TestACommandRunsBesideATaskInADiskImage(t *testing.T) {
	s := begin(t)
	s.calm()
	s.pushDisk("tiny")
	id := s.submitOne(api.JobSpec{Image: "tiny", CPU: "600m", Memory: "192Mi", Command: []string{"sleep", "1000"}})
	s.await(id, "running", 2*ended)
	if out, code := s.beside(id, "print(6 * 7)", "python3", "-"); out != "42\n" || code != 0 {
		t.Errorf("%q, %d", out, code)
	}
	s.need(s.api.Cancel(s.ctx, id, ""))
}
