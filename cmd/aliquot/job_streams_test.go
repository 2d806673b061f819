package main

import (
	"bufio"
	"context"
	"io"
	"net"
	"strings"
	"sync"
	"testing"

	"aliquot/cluster"
)

// alone is a desk with a job j1 of one task, which runs.
func alone(t *testing.T) *desk {
	d := newDesk(t)
	n1 := d.Join(t, "n1", 2000, 512*cluster.MiB)
	d.ok("job submit --cpu 1 --memory 64Mi -- true")
	d.Run(t, 1, 500, n1)
	return d
}

// cutter is an input that cuts the connection to the manager when it is read.
type cutter struct{ cut func() }

func (c cutter) Read([]byte) (int, error) {
	c.cut()
	return 0, io.EOF
}

// relay forwards connections to the address, until they are cut.
func relay(t *testing.T, to string) (address string, cut func()) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	var lock sync.Mutex
	var open []net.Conn
	cut = func() {
		lock.Lock()
		defer lock.Unlock()
		for _, c := range open {
			c.Close()
		}
	}
	go func() {
		for {
			near, err := listener.Accept()
			if err != nil {
				return
			}
			far, err := net.Dial("tcp", to)
			if err != nil {
				near.Close()
				continue
			}
			lock.Lock()
			open = append(open, near, far)
			lock.Unlock()
			go func() { _, _ = io.Copy(far, near) }()
			go func() { _, _ = io.Copy(near, far) }()
		}
	}()
	return listener.Addr().String(), cut
}

func TestACommandWhoseManagerEndsIsToldToBeKilled(t *testing.T) {
	d := alone(t)
	address, cut := relay(t, strings.TrimPrefix(d.env["ALIQUOT_MANAGERS"], "http://"))
	server, over := d.Serve(t), make(chan struct{})
	for manager, end := range map[string]func(){
		"http://" + address: cut,
		server.URL: func() {
			_ = server.Config.Shutdown(context.Background())
			<-over // the input does not end before
		},
	} {
		d.env["ALIQUOT_MANAGERS"] = manager
		o := d.do(&app{in: cutter{end}}, []string{"job", "exec", "j1", "--", "cat"})
		if o.code != exitFailed ||
			!strings.HasSuffix(o.err, "aliquot: the connection to the manager ended, and the command is killed with it\n") {
			t.Errorf("%+v", o)
		}
	}
	close(over)
}

func TestACommandBesideATaskHasItsInputOutputAndExitCode(t *testing.T) {
	d := alone(t)
	o := d.typeWith("input", "job", "exec", "j1", "--", "false", "--flag")
	if o.code != 1 || o.out != "input" || o.err != "false --flag" {
		t.Errorf("%+v", o)
	}
	if o := d.typeWith("", "job", "exec", "j1/0", "--", "true"); o.code != exitDone {
		t.Errorf("%+v", o)
	}
	for line, code := range map[string]int{"job exec j1": exitUsage, "job exec j1/x -- true": exitUsage,
		"job exec j1/1 -- true": exitFailed,
		"job exec -t j1 -- sh":  exitUsage, "job exec j9 -- true": exitFailed, "job forward j1 0": exitUsage,
		"job forward j1 80:x": exitUsage} {
		if o := d.run(line); o.code != code {
			t.Errorf("%s: %+v", line, o)
		}
	}
	if o := d.run("job exec j1 --"); o.code != exitUsage || !strings.Contains(o.err, "COMMAND is missing") {
		t.Errorf("without a command: %+v", o)
	}
	d.Exit(t, cluster.RunID{Job: 1, Number: 1}, 0)
	for _, line := range []string{"job exec j1 -- true", "job forward j1 0:80"} {
		if o := d.run(line); o.code != exitFailed || !strings.Contains(o.err, "task 0 of j1 has ended") {
			t.Errorf("%s: %+v", line, o)
		}
	}
	d.ok("job submit --tasks 2 --cpu 1 --memory 64Mi -- true")
	if o := d.run("job exec j2 -- true"); o.code != exitUsage || !strings.Contains(o.err, "like j2/0") {
		t.Errorf("without the task: %+v", o)
	}
}

func TestAPortThatIsNoneIsRefusedWithThoseThereAre(t *testing.T) {
	d := newDesk(t)
	for _, port := range []string{"99999", "0", "80:0", "70000:80", "99999999999999999999"} {
		if o := d.run("job forward j1 " + port); o.code != exitUsage ||
			!strings.Contains(o.err, "ports are from 1 to 65535") {
			t.Errorf("%s: %+v", port, o)
		}
	}
}

func TestALocalPortLeadsToTheTask(t *testing.T) {
	d := alone(t)
	for port, want := range map[string]string{"80": "hello", "1": ""} {
		ctx, interrupt := context.WithCancel(t.Context())
		out, to := io.Pipe()
		ended := make(chan outcome, 1)
		go func() { ended <- d.doUntil(ctx, &app{out: to}, "job", "forward", "j1", "0:"+port) }()
		line, err := bufio.NewReader(out).ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		address, rest, _ := strings.Cut(line, " leads to port ")
		if rest != port+" of task 0 of j1\n" {
			t.Errorf("%q", line)
		}
		conn, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := conn.Write([]byte("hello")); err != nil {
			t.Fatal(err)
		}
		_ = conn.(*net.TCPConn).CloseWrite()
		got, _ := io.ReadAll(conn) // a refused connection may be reset
		conn.Close()
		if string(got) != want {
			t.Errorf("port %s answered %q", port, got)
		}
		interrupt()
		o := <-ended
		if o.code != exitDone || strings.Contains(o.err, "nothing listens at port 1") != (want == "") {
			t.Errorf("port %s: %+v", port, o)
		}
	}
}
