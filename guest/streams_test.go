package guest_test

import (
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/yamux"

	"aliquot/guest/protocol"
	"aliquot/guest/stream"
)

// visited boots a guest with a port of streams, whose end at the node is the socket.
func visited(t *testing.T, command ...string) (m machine, socket string) {
	t.Helper()
	task, err := protocol.EncodeTask(protocol.Task{Job: "j17", Count: 1, Run: 1, Command: command,
		Env: map[string]string{"SECRET": "s3"}})
	if err != nil {
		t.Fatal(err)
	}
	socket = filepath.Join(t.TempDir(), "s")
	return boot(t, task, "-chardev", "socket,id=streams,server=on,wait=off,path="+socket, "-device",
		"virtserialport,chardev=streams,name="+stream.Port), socket
}

// greet begins a session with a guest that boots.
func greet(t *testing.T, socket string) *yamux.Session {
	t.Helper()
	var conn net.Conn
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
		var err error
		if conn, err = net.Dial("unix", socket); err == nil {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal(err)
		}
	}
	s, err := stream.Greet(conn, 2*time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// ask sends a request with the input, and returns what comes back by kind.
func ask(t *testing.T, s *yamux.Session, r stream.Request,
	input string) (out map[stream.Kind]string, end stream.Outcome) {
	t.Helper()
	conn, err := s.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(time.Minute))
	for _, frame := range [][]byte{r.Frame(), append([]byte{byte(stream.Data)}, input...), {byte(stream.End)}} {
		if err := stream.WriteFrame(conn, frame); err != nil {
			t.Fatal(err)
		}
	}
	out = map[stream.Kind]string{}
	for {
		frame, err := stream.ReadFrame(conn)
		if err != nil {
			t.Fatalf("%v after %q", err, out)
		}
		if stream.Kind(frame[0]) == stream.Exit {
			if end, err = stream.Decode[stream.Outcome](frame); err != nil {
				t.Fatal(err)
			}
			return out, end
		}
		out[stream.Kind(frame[0])] += string(frame[1:])
	}
}

func TestACommandRunsBesideTheTaskAndConfinedLikeIt(t *testing.T) {
	_, socket := visited(t, "sleep", "100")
	s := greet(t, socket)
	out, end := ask(t, s, stream.Request{Command: []string{"sh", "-c",
		`cat; echo $SECRET $ALIQUOT_JOB; ps -o args; ls /dev/vport* 2>&1 | head -c 9; mount -t proc x /tmp; exit 7`}}, "input\n")
	if end.Code != 7 || end.Error != "" {
		t.Errorf("ended with %+v", end)
	}
	for _, want := range []string{"input\n", "s3 j17\n", "sleep 100"} {
		if !strings.Contains(out[stream.Data], want) {
			t.Errorf("no %q in %q", want, out[stream.Data])
		}
	}
	if !strings.Contains(out[stream.Errors], "permission denied") {
		t.Errorf("it can mount: %q", out[stream.Errors])
	}
	if _, end := ask(t, s, stream.Request{Command: []string{"nothing"}}, ""); end.Code != 127 {
		t.Errorf("an unknown command: %+v", end)
	}
	if _, end := ask(t, s, stream.Request{}, ""); end.Error == "" {
		t.Errorf("an empty request: %+v", end)
	}
	out, end = ask(t, s, stream.Request{Terminal: &stream.Size{Rows: 33, Columns: 77},
		Command: []string{"sh", "-c", "stty size; test -t 0 && echo at a terminal; tty; echo again >/dev/tty; echo $TERM"}}, "")
	if out[stream.Data] != "33 77\r\nat a terminal\r\n/dev/pts/0\r\nagain\r\nxterm\r\n" || end != (stream.Outcome{}) {
		t.Errorf("%q, %+v", out, end)
	}
	// A node that goes away ends what it began. The next one is served, whatever the last one left in the port.
	conn, err := s.Open()
	if err == nil {
		err = stream.WriteFrame(conn, stream.Request{Command: []string{"sleep", "99"}}.Frame())
	}
	if err == nil {
		_, err = stream.ReadFrame(conn)
	}
	if err != nil {
		t.Fatal(err)
	}
	s.Close()
	s = greet(t, socket)
	out, _ = ask(t, s, stream.Request{Command: []string{"sh", "-c",
		"while ps -o args | grep -q 'slee[p] 99'; do sleep 1; done; echo gone"}}, "")
	if out[stream.Data] != "gone\n" {
		t.Errorf("%q", out)
	}
}

func TestAPortOfTheTaskIsReached(t *testing.T) {
	_, socket := visited(t, "sh", "-c", "while true; do nc -l -p 80 -e sh -c 'read line; echo got $line'; done")
	s := greet(t, socket)
	var out map[stream.Kind]string
	for end := (stream.Outcome{Error: "not yet"}); end.Error != ""; {
		out, end = ask(t, s, stream.Request{Port: 80}, "hello\n")
		if end.Error != "" && !strings.Contains(end.Error, "nothing listens at port 80") {
			t.Fatal(end.Error)
		}
	}
	if out[stream.Data] != "got hello\n" {
		t.Errorf("%q", out)
	}
}
