package labtest

import (
	"archive/tar"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aliquot/client"
	"aliquot/web/api"
)

// pushDisk pushes the small disk image with Python, and makes it first if necessary.
func (s *scene) pushDisk(name string) {
	s.t.Helper()
	_, err := s.do(s.script("disk-image"), "tiny")
	s.ok(err)
	_, err = s.api.PushImage(s.ctx, name, client.ImageSource{QCOW2: filepath.Join(s.root, "build/disk/tiny/disk.qcow2")})
	s.ok(err)
}

// writing is a program that counts as counting does, on its output and on its disk, and compares both in the end. It
// ends early unless a shortage of memory would kill it, and not the agent.
const writing = `import os, time
ranks = [open(f"/proc/{pid}/oom_score_adj").read().strip() for pid in (os.getpid(), os.getppid())]
if ranks != ["0", "-1000"]:
    raise SystemExit(f"the ranks of the task and the agent are {ranks}")
want = [str(%[2]d * (i + 1)) for i in range(%[1]d)]
with open("/root/count", "w") as disk:
    for n in want:
        print(n, flush=True)
        print(n, file=disk, flush=True)
        os.fsync(disk.fileno())
        time.sleep(0.4)
if open("/root/count").read().split() != want:
    raise SystemExit("the disk holds something else")
raise SystemExit(7)
`

func TestADiskGoesWithItsVM(t *testing.T) {
	s := begin(t)
	s.calm()
	s.pushDisk("tiny")
	s.only("n1")
	id := s.submitOne(api.JobSpec{Image: "tiny", CPU: "300m", Memory: "192Mi", Disk: "1Gi",
		Files: map[string]string{"count.py": fmt.Sprintf(writing, 60, stride)}, Command: []string{"python3", "count.py"},
		Outputs: []string{"/root/count"}})
	s.awaitCount(id, 0, 3, 2*ended)

	s.need(s.api.SetNode(s.ctx, "n2", "uncordon"))
	s.need(s.api.SetNode(s.ctx, "n1", "drain"))
	s.awaitThat(id, "migrated to n2", ended, func(j api.Job) bool {
		return j.Tasks[0].Node == "n2" && j.Tasks[0].State == "running"
	})
	s.awaitCount(id, 0, s.counted(id, 0)+2, ended)

	s.need(s.api.Hold(s.ctx, id))
	s.await(id, "held", ended)
	s.need(s.api.SetNode(s.ctx, "n1", "uncordon"))
	s.need(s.api.SetNode(s.ctx, "n2", "cordon"))
	s.need(s.api.Release(s.ctx, id))
	j := s.await(id, "failed", 2*ended)
	exit := j.Tasks[0].Exit
	if exit == nil || exit.Code == nil || *exit.Code != 7 || j.Tasks[0].Run != 1 || s.counted(id, 0) != 60 {
		t.Errorf("it should end with code 7 after 60 lines in its first run: %s", show(j))
	}
	if got := migrations(s.events(id)); len(got) != 1 {
		t.Errorf("migrations %q", got)
	}
	if got := strings.Count(s.result(id, "root/count"), "\n"); got != 60 {
		t.Errorf("the file that it left has %d lines", got)
	}
	run := filepath.Join(s.env["STORE"], "runs", id, "0/1")
	s.eventually("its disk is removed", 2*ended, func() error {
		for _, file := range []string{"disk", "seed", "memory"} {
			if _, err := os.Stat(filepath.Join(run, file)); err == nil {
				return fmt.Errorf("%s is there", file)
			}
		}
		return nil
	})
}

// result returns the content of a file that the only task of a job has left.
func (s *scene) result(id, path string) string {
	s.t.Helper()
	archive, err := s.api.ResultArchive(s.ctx, id, client.ResultQuery{Path: path})
	s.ok(err)
	defer archive.Close()
	from := tar.NewReader(archive)
	_, err = from.Next()
	s.ok(err)
	content, err := io.ReadAll(from)
	s.ok(err)
	return string(content)
}

func TestAPauseWhileResultsAreSentLosesNothing(t *testing.T) {
	s := begin(t)
	s.calm()
	s.only("n1")
	id := s.submitOne(api.JobSpec{CPU: "100m", Memory: "192Mi", Outputs: []string{"out/*"},
		Command: []string{"sh", "-c", "mkdir out; yes 0123456789abcde | head -c 16777216 >out/lines; exit 7"}})
	stream := filepath.Join(s.env["STORE"], "runs", id, "0/1/results")
	s.eventually("a part of the results is sent", 2*ended, func() error {
		if info, err := os.Stat(stream); err != nil || info.Size() < 1<<20 {
			return fmt.Errorf("%v, %v", info, err)
		}
		return nil
	})
	s.need(s.api.Hold(s.ctx, id))
	s.await(id, "held", ended)
	if r, err := s.api.Results(s.ctx, id, client.ResultQuery{}); err != nil || r.Complete {
		t.Fatalf("the job was paused too late for this test: %+v, %v", r, err)
	}
	s.need(s.api.SetNode(s.ctx, "n2", "uncordon"))
	s.need(s.api.SetNode(s.ctx, "n1", "cordon"))
	s.need(s.api.Release(s.ctx, id))
	s.await(id, "failed", 2*ended)
	if r, err := s.api.Results(s.ctx, id, client.ResultQuery{}); err != nil || !r.Complete || r.Damaged {
		t.Errorf("%+v, %v", r, err)
	}
	if got := s.result(id, "out/lines"); got != strings.Repeat("0123456789abcde\n", 1<<20) {
		t.Errorf("%d bytes came out, not as they were written", len(got))
	}
}
