package labtest

import (
	"fmt"
	"testing"

	"aliquot/web/api"
)

// Both count on their output: one what it sends, the other what it gets.
const (
	receiving = "mkfifo /tmp/p; exec nc -l -p 7000 <>/tmp/p" // without input, it would close the connection
	sending   = `mkfifo /tmp/p; nc %s 7000 </tmp/p & exec 3>/tmp/p; i=0; while [ $i -lt 2000 ]; do i=$((i+1))
		echo $((i*%d)); echo $((i*%d)) >&3; sleep 0.4; done`
)

func TestAConnectionSurvivesAMigrationAndAPauseOfOneEnd(t *testing.T) {
	s := begin(t)
	s.calm()
	s.need(s.api.SetNetwork(s.ctx, api.NewNetwork{Subnet: "10.77.0.0/24"}))
	on := func(node, command string) string {
		return s.submitOne(api.JobSpec{CPU: "60m", Memory: "96Mi", Network: "bridge",
			Placement: &api.Placement{Nodes: []string{node, "n3"}}, Command: []string{"sh", "-c", command}})
	}
	s.need(s.api.SetNode(s.ctx, "n3", "cordon"))
	to := on("n2", receiving)
	address := s.await(to, "running", 2*ended).Tasks[0].Address
	from := on("n1", fmt.Sprintf(sending, address, stride, stride))
	s.awaitCount(to, 0, 3, 2*ended)

	s.need(s.api.SetNode(s.ctx, "n3", "uncordon"))
	s.need(s.api.SetNode(s.ctx, "n2", "drain"))
	s.awaitThat(to, "migrated to n3", ended, func(j api.Job) bool {
		return j.Tasks[0].Node == "n3" && j.Tasks[0].State == "running"
	})
	s.awaitCount(to, 0, s.counted(to, 0)+3, ended)

	s.need(s.api.Hold(s.ctx, to))
	s.await(to, "held", ended)
	s.awaitCount(from, 0, s.counted(from, 0)+75, ended) // which takes 30 s
	s.need(s.api.SetNode(s.ctx, "n2", "uncordon"))
	s.need(s.api.SetNode(s.ctx, "n3", "cordon"))
	s.need(s.api.Release(s.ctx, to))
	s.awaitCount(to, 0, s.counted(from, 0), 2*ended)
	if task := s.job(to).Tasks[0]; task.Address != address || task.Node != "n2" || task.Run != 1 {
		t.Errorf("had %s: %+v", address, task)
	}
}

// spoofing is a program that is root of its machine. It prints whether it reaches the server from another address, from
// its own, and with another hardware address.
const spoofing = `import os, socket, subprocess
def reaches(source):
    try:
        socket.create_connection((%q, 7000), 10, (source, 0)).close()
        return True
    except OSError:
        return False
own = os.environ["ALIQUOT_ADDRESS"]
while not reaches(own):
    pass
subprocess.run(["busybox", "ip", "addr", "add", "10.77.0.200/24", "dev", "eth0"], check=True)
print(reaches("10.77.0.200"), reaches(own))
for change in ["down", "address 02:00:00:00:00:99", "up"]:
    subprocess.run(["busybox", "ip", "link", "set", "eth0"] + change.split(), check=True)
print(reaches(own))
`

func TestAGuestThatPretendsToBeAnotherIsNotHeard(t *testing.T) {
	s := begin(t)
	s.calm()
	s.pushDisk("tiny")
	s.need(s.api.SetNetwork(s.ctx, api.NewNetwork{Subnet: "10.77.0.0/24", Open: true}))
	on := func(node string, spec api.JobSpec) string {
		spec.Network, spec.Placement = "bridge", &api.Placement{Nodes: []string{node}}
		return s.submitOne(spec)
	}
	to := on("n2", api.JobSpec{CPU: "60m", Memory: "96Mi",
		Command: []string{"sh", "-c", "while :; do nc -l -p 7000 >/dev/null; done"}})
	address := s.await(to, "running", 2*ended).Tasks[0].Address
	id := on("n1", api.JobSpec{Image: "tiny", CPU: "600m", Memory: "192Mi",
		Files: map[string]string{"spoof.py": fmt.Sprintf(spoofing, address)}, Command: []string{"python3", "spoof.py"}})
	s.await(id, "succeeded", 2*ended)
	if got := s.output(id, 0); got != "False True\nFalse\n" {
		t.Errorf("it was heard from another address, from its own, with another card: %s", got)
	}
}
