package store

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"aliquot/internal/freeport"
)

// memberVariable makes the test program one member: its value is the JSON of a memberConfig.
const memberVariable = "STORE_TEST_MEMBER"

type memberConfig struct {
	Dir     string
	Replica uint64
	Members map[uint64]Member
}

// beMember answers lines on standard input: "put ID" with "done ID" or "failed ID …", "has" with all ids, "leader" with
// the leader's id.
func beMember() {
	var mine memberConfig
	if err := json.Unmarshal([]byte(os.Getenv(memberVariable)), &mine); err != nil {
		panic(err)
	}
	cfg := aloneIn(mine.Dir)
	cfg.Replica, cfg.Members, cfg.RTT = mine.Replica, mine.Members, 10*time.Millisecond
	s, err := Open(cfg)
	if err != nil {
		panic(err)
	}
	fmt.Println("open")
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		verb, id, _ := strings.Cut(lines.Text(), " ")
		fmt.Println(s.answer(verb, id))
	}
	s.Close()
}

func (s *Store) answer(verb, id string) string {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	switch verb {
	case "put":
		if r, err := s.Propose(ctx, putToken(id)); err != nil || r.Rejection != nil {
			return fmt.Sprintf("failed %s %v %v", id, err, r.Rejection)
		}
		return "done " + id
	case "has":
		state, err := s.Read(ctx)
		if err != nil {
			return "failed " + err.Error()
		}
		return fmt.Sprintf("%x", state.Hash()) + " " + strings.Join(sortedTokens(state), " ")
	}
	replica, _ := s.Leader()
	return fmt.Sprint(replica)
}

// process is a member that can be killed.
type process struct {
	mu      sync.Mutex
	command *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
}

func (p *process) start(t *testing.T, cfg memberConfig) {
	t.Helper()
	encoded, err := json.Marshal(cfg)
	if err != nil {
		t.Fatal(err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.command = exec.Command(os.Args[0])
	p.command.Env = append(os.Environ(), memberVariable+"="+string(encoded))
	p.command.Stderr = os.Stderr
	p.command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	in, inErr := p.command.StdinPipe()
	out, outErr := p.command.StdoutPipe()
	if inErr != nil || outErr != nil {
		t.Fatal(inErr, outErr)
	}
	p.in, p.out = in, bufio.NewReader(out)
	if err := p.command.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := p.out.ReadString('\n'); line != "open\n" {
		t.Fatalf("a member did not open: %q, %v", line, err)
	}
}

func (p *process) kill() {
	_ = p.command.Process.Kill() // it may have gone already
	p.mu.Lock()
	defer p.mu.Unlock()
	_ = p.command.Wait() // "signal: killed", as intended
}

// ask returns the answer, or "" if the member was killed.
func (p *process) ask(question string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, err := fmt.Fprintln(p.in, question); err != nil {
		return ""
	}
	answer, err := p.out.ReadString('\n')
	if err != nil {
		return ""
	}
	return strings.TrimSpace(answer)
}

func TestNoAcknowledgedWriteIsLostWhenLeadersAreKilled(t *testing.T) {
	runtime.LockOSThread() // members die with the thread that started them
	defer runtime.UnlockOSThread()
	members := map[uint64]Member{1: {"m1", freeport.Take()}, 2: {"m2", freeport.Take()}, 3: {"m3", freeport.Take()}}
	configs, processes := map[uint64]memberConfig{}, map[uint64]*process{}
	for id := range members {
		configs[id], processes[id] = memberConfig{t.TempDir(), id, members}, new(process)
		processes[id].start(t, configs[id])
		t.Cleanup(processes[id].kill)
	}
	var acknowledged []string
	for round := range 4 {
		leader := leaderOf(t, processes)
		acknowledged = append(acknowledged, putWhileKilling(t, round, processes, leader)...)
		processes[leader].start(t, configs[leader])
	}
	if len(acknowledged) < 100 {
		t.Fatalf("%d acknowledged writes say little", len(acknowledged))
	}
	hash := ""
	for id, p := range processes {
		got := strings.Fields(p.ask("has"))
		for _, token := range acknowledged {
			if !slices.Contains(got, token) {
				t.Errorf("%s was acknowledged and is lost on replica %d", token, id)
			}
		}
		if hash == "" {
			hash = got[0]
		} else if got[0] != hash {
			t.Errorf("replica %d has another state", id)
		}
	}
}

func leaderOf(t *testing.T, processes map[uint64]*process) (leader uint64) {
	t.Helper()
	eventually(t, "a leader", func() bool {
		if _, err := fmt.Sscan(processes[1].ask("leader"), &leader); err != nil {
			return false
		}
		return leader != 0
	})
	return leader
}

// putWhileKilling writes through every member while the leader is killed, and returns the acknowledged writes.
func putWhileKilling(t *testing.T, round int, processes map[uint64]*process, leader uint64) (acknowledged []string) {
	var mu sync.Mutex
	var writing sync.WaitGroup
	halfway := make(chan struct{})
	var once sync.Once
	for id, p := range processes {
		writing.Go(func() {
			for i := range 30 {
				token := fmt.Sprintf("r%d-%d-%d", round, id, i)
				switch answer := p.ask("put " + token); {
				case answer == "done "+token:
					mu.Lock()
					acknowledged = append(acknowledged, token)
					mu.Unlock()
				case id == leader:
					return
				default:
					t.Errorf("replica %d, which lives, answers %q", id, answer)
				}
				if i == 10 {
					once.Do(func() { close(halfway) })
				}
			}
		})
	}
	<-halfway
	processes[leader].kill()
	writing.Wait()
	return acknowledged
}
