package manager

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rs/zerolog"
	"go.uber.org/goleak"

	"aliquot/cluster"
	"aliquot/guest/folder"
	"aliquot/guest/protocol"
	"aliquot/internal/freeport"
	"aliquot/manager/events"
	"aliquot/manager/images"
	"aliquot/manager/link"
	"aliquot/manager/store"
	"aliquot/migrate"
	"aliquot/scheduler"
	"aliquot/web"
	"aliquot/wire"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var admin = cluster.Actor{Name: "root", Owner: "root", Project: "default", Role: cluster.Admin}

// world is one manager with a store on disk, and nodes that report what they are ordered.
type world struct {
	*testing.T
	*Manager
	image  cluster.Image
	ahead  atomic.Int64 // of the clock, in nanoseconds
	folder string
}

func newWorld(t *testing.T) *world {
	t.Helper()
	return newWorldWith(t, "GreedyPM */per/opt=min/minvt=600")
}

// newWorldWith returns a world whose state has that policy, whether the policy exists or not.
func newWorldWith(t *testing.T, policy string) *world {
	t.Helper()
	return newWorldLogging(t, policy, zerolog.Nop())
}

func newWorldLogging(t *testing.T, policy string, to zerolog.Logger) *world {
	t.Helper()
	return newWorldAfter(t, policy, to, func(*Manager) {})
}

// newWorldAfter returns a world whose manager is prepared before it runs.
func newWorldAfter(t *testing.T, policy string, to zerolog.Logger, prepare func(*Manager)) *world {
	t.Helper()
	w := &world{T: t, folder: t.TempDir()}
	log, err := events.Open(filepath.Join(w.folder, "events"), events.Kept, zerolog.Nop())
	w.ok(err)
	kept, err := images.Open(filepath.Join(w.folder, "images"), images.Limit)
	w.ok(err)
	s, err := store.Open(store.Config{
		Dir: filepath.Join(w.folder, "raft"), Replica: 1,
		Members: map[uint64]store.Member{1: {Name: "m1", Address: freeport.Take()}},
		Cluster: [16]byte{1}, Events: log, Log: zerolog.Nop(), RTT: 5 * time.Millisecond,
		Initial: func() *cluster.State {
			return cluster.New([16]byte{1}, cluster.PolicyChoice{Name: policy, Period: 600 * cluster.Second})
		},
	})
	w.ok(err)
	clock := func() time.Time { return time.Now().Add(time.Duration(w.ahead.Load())) }
	elapsed := func() time.Duration { return wire.Boottime() + time.Duration(w.ahead.Load()) }
	w.Manager = New(Config{Replica: 1, StorePath: filepath.Join(w.folder, "store"),
		Restored: filepath.Join(w.folder, "restored"), FenceMargin: 5 * time.Second, Log: to, Clock: clock, Elapsed: elapsed},
		s, log, kept)
	prepare(w.Manager)
	w.Serve(link.NewHub(link.Options{Leader: w.ForNodes(), Lease: 10 * time.Second, Log: zerolog.Nop()}))
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { defer close(ended); w.Manager.Run(ctx) }()
	t.Cleanup(func() { cancel(); <-ended; s.Close(); w.ok(log.Close()) })
	w.until("it leads", func() bool { return w.epoch.Load() != 0 })
	w.image, err = w.PutImage(t.Context(), admin, "busybox", files("kernel", "k", "initrd", "i", "cmdline", "quiet"))
	w.ok(err)
	return w
}

func files(pairs ...string) iter.Seq2[web.ImageFile, error] {
	return func(yield func(web.ImageFile, error) bool) {
		for i := 0; i < len(pairs); i += 2 {
			if !yield(web.ImageFile{Name: pairs[i], Size: int64(len(pairs[i+1])), Content: strings.NewReader(pairs[i+1])}, nil) {
				return
			}
		}
	}
}

func (w *world) ok(err error) {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
}

func (w *world) until(what string, done func() bool) {
	w.Helper()
	for deadline := time.Now().Add(20 * time.Second); !done(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			w.Fatalf("not within 20 s: %s", what)
		}
	}
}

// node adds a node and lets it do as ordered once.
func (w *world) node(name string) cluster.NodeID {
	w.Helper()
	r, err := w.ForNodes().Propose(w.Context(),
		cluster.Join{Name: name, Boot: "b", Description: cluster.Description{CPU: 1000, Memory: 1 << 30,
			Platforms: []string{"p"}}})
	w.ok(err)
	w.obey(r.Node)
	return r.Node
}

func (w *world) obey(node cluster.NodeID) {
	w.Helper()
	report := cluster.Report{Node: node, FenceAlive: true, StoreProven: true, StoreFree: 1 << 40}
	for _, o := range w.store.Latest().Orders(node).Runs {
		seen := map[cluster.Want]cluster.Sight{cluster.Stay: cluster.SeenRunning, cluster.Begin: cluster.SeenRunning,
			cluster.Arrive: cluster.SeenArrived, cluster.Vanish: cluster.SeenAbsent}[o.Want]
		if seen != 0 {
			report.Observations = append(report.Observations, cluster.Observation{Run: o.Run, Move: o.Move, Seen: seen,
				Cap: o.CPU, Platform: "p"})
		}
	}
	_, err := w.ForNodes().Propose(w.Context(), report)
	w.ok(err)
}

func (w *world) spec() *cluster.Spec {
	return &cluster.Spec{Owner: "root", Project: "default", Tasks: 1, Need: 500,
		Requirement: cluster.Requirement{Memory: 96 * cluster.MiB}, Image: w.image.Reference()}
}

// run submits a job and waits until it runs.
func (w *world) run(spec *cluster.Spec, nodes ...cluster.NodeID) cluster.JobID {
	w.Helper()
	r, err := w.Do(w.Context(), admin, "", cluster.Submit{Spec: spec})
	w.ok(err)
	w.until("the job runs", func() bool {
		for _, n := range nodes {
			w.obey(n)
		}
		j := w.Latest().Job(r.Job)
		return j != nil && j.Tasks[0].Phase == cluster.Running
	})
	return r.Job
}

func TestADrainDoesExactlyWhatThePlanAnnounced(t *testing.T) {
	w := newWorld(t)
	n1 := w.node("n1")
	job := w.run(w.spec(), n1)
	n2 := w.node("n2")
	w.until("all is quiet", func() bool { return w.Latest().View().Pending().Empty() })

	h := scheduler.Hypothesis{Drain: n1}
	plan, err := w.Plan(t.Context(), h)
	w.ok(err)
	if len(plan.Plan.Steps) != 1 || plan.Plan.Steps[0].Move.Kind != cluster.Migrate ||
		plan.Plan.Steps[0].Move.From != n1 || plan.Plan.Steps[0].Move.To != n2 {
		t.Fatalf("announced %+v", plan.Plan.Steps)
	}
	if _, err := w.ApplyPlan(t.Context(), admin, "", h, plan.Basis-1); !stale(err) {
		t.Fatalf("a basis that was never announced: %v", err)
	}
	_, err = w.ApplyPlan(t.Context(), admin, "", h, plan.Basis)
	w.ok(err)
	if _, err := w.ApplyPlan(t.Context(), admin, "", h, plan.Basis); !stale(err) {
		t.Fatalf("the same plan twice: %v", err)
	}
	w.until("the VM is on n2", func() bool { w.obey(n1); w.obey(n2); return w.Latest().Job(job).Tasks[0].Node == n2 })
}

// A plan and its application read the reservation from requests of their own.
func TestAStandingReservationIsMadeAsItsPlanAnnounced(t *testing.T) {
	w := newWorld(t)
	w.node("n1")
	w.until("all is quiet", func() bool { return w.Latest().View().Pending().Empty() })
	until := w.Latest().At + 365*24*cluster.Hour
	weekly := func() scheduler.Hypothesis {
		week := cluster.Week{Days: 1, Start: 9 * cluster.Hour, Zone: "UTC", Offsets: []cluster.Offset{{}}, Until: until}
		return scheduler.Hypothesis{Stand: &cluster.Stand{Spec: w.spec(), Week: week, Lasts: cluster.Hour}}
	}
	plan, err := w.Plan(t.Context(), weekly())
	w.ok(err)
	_, err = w.ApplyPlan(t.Context(), admin, "", weekly(), plan.Basis)
	w.ok(err)
	made := slices.Collect(w.Latest().Standings())
	if len(made) != 1 || len(slices.Collect(w.Latest().Occurrences(made[0].ID))) != 2 {
		t.Errorf("made: %+v", made)
	}
}

func TestAPlanSaysWhatStandsInTheWayOfATask(t *testing.T) {
	w := newWorld(t)
	n1 := w.node("n1")
	job := w.run(w.spec(), n1)
	_, err := w.ForNodes().Propose(t.Context(), cluster.Report{Node: n1, FenceAlive: true, StoreFree: -1})
	w.ok(err)
	_, err = w.Do(t.Context(), admin, "", cluster.Hold{Job: job})
	w.ok(err)
	plan, err := w.Plan(t.Context(), scheduler.Hypothesis{})
	w.ok(err)
	want := []migrate.Blocked{{Task: cluster.TaskID{Job: job}, Why: migrate.NoStoreRoom}}
	if len(plan.Plan.Steps) != 0 || !slices.Equal(plan.Plan.Blocked, want) {
		t.Errorf("moves %+v, blocked %+v", plan.Plan.Steps, plan.Plan.Blocked)
	}
}

func stale(err error) bool {
	var r *cluster.Rejection
	return errors.As(err, &r) && r.Code == cluster.CodeStaleBasis
}

func TestANodeWhoseLeaseRanOutIsSilentThenDownAndItsTasksStartElsewhere(t *testing.T) {
	w := newWorld(t)
	n1 := w.node("n1")
	w.obey(n1)
	job := w.run(w.spec(), n1)
	w.ahead.Store(int64(12 * time.Second)) // beyond the lease, not beyond the margin
	w.until("n1 is silent", func() bool { return w.Latest().Node(n1).Health == cluster.Silent })
	if j := w.Latest().Job(job); j.Tasks[0].Losses != 0 || j.Clock.Share != 0 {
		t.Fatalf("%+v", j)
	}
	w.ahead.Store(int64(20 * time.Second))
	w.until("n1 is down", func() bool { return w.Latest().Node(n1).Health == cluster.Down })
	w.until("the run is lost", func() bool { return w.Latest().Job(job).Tasks[0].Losses == 1 })
}

func TestANodeThatJoinsAgainIsNotGivenUpForItsOldLease(t *testing.T) {
	w := newWorld(t)
	n1 := w.node("n1")
	w.obey(n1)
	w.ahead.Store(int64(20 * time.Second))
	w.until("n1 is down", func() bool { return w.Latest().Node(n1).Health == cluster.Down })
	w.node("n1")
	v := w.Latest()
	m := &Manager{cfg: w.cfg, clock: w.clock, elapsed: w.elapsed, link: w.link, watch: newWatch()}
	if a := m.superviseNode(v.Node(n1)); v.Node(n1).Health != cluster.Ready || a != nil {
		t.Fatalf("just joined, it is %v and shall get %+v", v.Node(n1).Health, a)
	}
	w.ahead.Store(int64(31 * time.Second))
	w.until("n1, which sends no heartbeat, is down again", func() bool {
		return w.Latest().Node(n1).Health == cluster.Down
	})
}

func TestAJobBeyondItsRuntimeLimitFails(t *testing.T) {
	w := newWorld(t)
	n1 := w.node("n1")
	spec := w.spec()
	spec.Limits.Runtime = cluster.Second
	job := w.run(spec, n1)
	w.until("the job has failed", func() bool {
		w.obey(n1)
		past := w.Latest().Ended(job)
		return past != nil && past.Ending.Outcome == cluster.Failed && past.Ending.Why[0].Code == cluster.WhyOverran
	})
}

func TestLogsAreServedAndFollowedToTheEndOfTheRun(t *testing.T) {
	w := newWorld(t)
	n1 := w.node("n1")
	job := w.run(w.spec(), n1)
	run := cluster.RunID{Job: job, Number: 1}
	if _, err := w.Logs(t.Context(), web.LogQuery{Run: run}); !errors.Is(err, web.ErrNoLogs) {
		t.Fatalf("got %v", err)
	}
	f := folder.Of(w.cfg.StorePath, run)
	w.ok(os.MkdirAll(string(f), 0o755))
	file, err := os.Create(f.Output())
	w.ok(err)
	defer file.Close()
	write := func(s protocol.Stream, text string) {
		w.ok(protocol.WriteOutput(file, protocol.Chunk{Stream: s, Data: []byte(text)}))
	}
	write(protocol.Stdout, "one\n")
	write(protocol.Stderr, "oops\n")
	all, err := w.Logs(t.Context(), web.LogQuery{Run: run, Offset: 2})
	w.ok(err)
	defer all.Close()
	if text, err := io.ReadAll(all); err != nil || string(text) != "e\noops\n" {
		t.Fatalf("%q %v", text, err)
	}
	followed, err := w.Logs(t.Context(), web.LogQuery{Run: run, Stream: "stdout", Follow: true})
	w.ok(err)
	defer followed.Close()
	read := make(chan string)
	go func() { text, _ := io.ReadAll(followed); read <- string(text) }()
	write(protocol.Stdout, "two\n")
	_, err = w.ForNodes().Propose(t.Context(),
		cluster.Report{Node: n1, Observations: []cluster.Observation{{Run: run, Seen: cluster.SeenExited,
			Exit: &cluster.Exit{}}}})
	w.ok(err)
	if text := <-read; text != "one\ntwo\n" {
		t.Fatalf("followed %q", text)
	}
}

func TestTheConsoleIsServedAsTheKernelWroteIt(t *testing.T) {
	w := newWorld(t)
	run := cluster.RunID{Job: w.run(w.spec(), w.node("n1")), Number: 1}
	q := web.LogQuery{Run: run, Stream: web.Console}
	if _, err := w.Logs(t.Context(), q); !errors.Is(err, web.ErrNoLogs) {
		t.Fatalf("got %v", err)
	}
	f, panicked := folder.Of(w.cfg.StorePath, run), strings.Repeat("x", 40<<10)+"Kernel panic\r\n"
	w.ok(os.MkdirAll(string(f), 0o755))
	w.ok(os.WriteFile(f.Console(), []byte(panicked), 0o600))
	q.Offset = 40 << 10
	console, err := w.Logs(t.Context(), q)
	w.ok(err)
	defer console.Close()
	if text, err := io.ReadAll(console); err != nil || string(text) != "Kernel panic\r\n" {
		t.Fatalf("%q %v", text, err)
	}
}

func TestTheSweepRemovesOnlyWhatIsOver(t *testing.T) {
	w := newWorld(t)
	n1 := w.node("n1")
	running, ended := w.run(w.spec(), n1), w.run(w.spec(), n1)
	_, err := w.ForNodes().Propose(t.Context(),
		cluster.Report{Node: n1, Observations: []cluster.Observation{{Run: cluster.RunID{Job: ended, Number: 1},
			Seen: cluster.SeenExited, Exit: &cluster.Exit{}}}})
	w.ok(err)
	want := map[cluster.JobID]bool{running: true, ended: false, 77: true} // 77 is younger than the state
	for id := range want {
		f := folder.Of(w.cfg.StorePath, cluster.RunID{Job: id, Number: 1})
		w.ok(os.MkdirAll(string(f), 0o755))
		for _, path := range []string{f.Saved(), f.Disk(), f.Seed(), f.ResultDisk(), f.Output()} {
			w.ok(os.WriteFile(path, []byte("x"), 0o600))
		}
	}
	s := sweeper{store: w.cfg.StorePath, limits: ResultLimits{Age: time.Hour, Bytes: cluster.MiB}}
	w.ok(s.sweep(w.store.Latest(), time.Now()))
	for id, kept := range want {
		f := folder.Of(w.cfg.StorePath, cluster.RunID{Job: id, Number: 1})
		for _, path := range []string{f.Saved(), f.Disk(), f.Seed(), f.ResultDisk()} {
			if _, err := os.Stat(path); (err == nil) != kept {
				t.Errorf("%s: %v, kept should be %v", path, err, kept)
			}
		}
		if _, err := os.Stat(f.Output()); err != nil {
			t.Errorf("output of %v: %v", id, err)
		}
	}
}

func TestTheFirstStepsAreDoneOnce(t *testing.T) {
	w := newWorld(t)
	w.until("the format is raised", func() bool { return w.Latest().Format == cluster.LatestFormat })
	builtin := w.image
	builtin.Builtin = true
	founding := Founding{
		Policy:  cluster.PolicyChoice{Name: "EASY", Period: cluster.Minute},
		Builtin: &builtin, Admin: cluster.Token{ID: "admin", Name: "admin", Actor: admin, Hash: [32]byte{1}},
	}
	for _, policy := range []string{"EASY", "FCFS"} { // values configured later are not used
		founding.Policy.Name = policy
		w.ok(w.Bootstrap(t.Context(), founding))
	}
	founding.Admin.ID, founding.Admin.Hash = "another", [32]byte{2} // the secrets were made anew
	w.ok(w.Bootstrap(t.Context(), founding))
	v := w.Latest()
	if i := v.Image(w.image.Digest); !i.Builtin {
		t.Error("the image that was pushed before is not the built-in one")
	}
	if count := len(slices.Collect(v.Tokens())); count != 2 {
		t.Errorf("%d tokens", count)
	}
	if want := (cluster.PolicyChoice{Name: "EASY", Period: cluster.Minute}); v.Policy != want {
		t.Errorf("the policy is %v, not %v", v.Policy, want)
	}
}

func TestAGenerationIsDatedByTheClustersTime(t *testing.T) {
	w := newWorld(t)
	w.until("the time can be set", func() bool { return w.Latest().SetsTime() })
	_, err := w.Do(t.Context(), admin, "", cluster.SetTime{To: w.now() + 2*cluster.Hour})
	w.ok(err)
	before := w.Latest()
	w.ok(os.WriteFile(w.cfg.Restored, strconv.AppendUint(nil, before.Generation, 10), 0o600))
	w.ok(w.openGeneration(t.Context(), before.Generation))
	after := w.Latest()
	if opened := cluster.Time(after.Generation); opened < before.Now || opened > after.At {
		t.Errorf("the generation is dated %v s after the cluster's time", (opened - after.At).Seconds())
	}
}

func TestTheMarkOfARestoreGetsTheBackupsGenerationOnce(t *testing.T) {
	w := newWorld(t)
	for _, before := range []string{"", "7"} {
		w.ok(os.WriteFile(w.cfg.Restored, []byte(before), 0o600))
		w.ok(w.noteRestored())
		now, err := os.ReadFile(w.cfg.Restored)
		w.ok(err)
		if want := cmp.Or(before, fmt.Sprint(w.store.Began())); string(now) != want {
			t.Errorf("the mark with %q has %q, want %q", before, now, want)
		}
	}
}

func TestTheFirstToLeadAfterARestoreOpensAGenerationBeforeItClaims(t *testing.T) {
	w := newWorld(t)
	before := w.Latest()
	backup := strconv.AppendUint(nil, before.Generation, 10)
	w.ok(os.WriteFile(w.cfg.Restored, backup, 0o600))
	w.epoch.Store(0) // as if it had just been elected
	w.until("it leads again", func() bool { return w.epoch.Load() != 0 })
	v := w.Latest()
	if v.Generation <= before.Generation || v.Epoch <= before.Epoch {
		t.Errorf("generation %d after %d, epoch %d after %d", v.Generation, before.Generation, v.Epoch, before.Epoch)
	}
	if _, err := os.Stat(w.cfg.Restored); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the mark is still there: %v", err)
	}
	// Another manager that was restored with it leads later. Its clock was ahead when its marker was written.
	w.ok(os.WriteFile(w.cfg.Restored, backup, 0o600))
	w.ok(os.Chtimes(w.cfg.Restored, time.Time{}, time.UnixMicro(int64(v.Generation)).Add(time.Hour)))
	w.ok(w.openGeneration(t.Context(), v.Generation))
	if again := w.Latest().Generation; again != v.Generation {
		t.Errorf("generation %d was opened after %d", again, v.Generation)
	}
	if _, err := os.Stat(w.cfg.Restored); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the mark of the other one is still there: %v", err)
	}
}

func TestAnUnknownPolicyIsRefusedWithAdvice(t *testing.T) {
	w := newWorld(t)
	if name, err := w.PolicyName("greedypm*/per"); err != nil || name != "GreedyPM */per/opt=min" {
		t.Errorf("the canonical name is %q, %v", name, err)
	}
	if _, err := w.PolicyName("GredyPM */per"); err == nil || !strings.Contains(err.Error(), "GreedyPM") {
		t.Errorf("got %v", err)
	}
}

func TestAPolicyThatNeedsPromisesIsNeitherOfferedNorSet(t *testing.T) {
	w := newWorld(t)
	if _, err := w.PolicyName("reserve/FF"); err == nil || !strings.Contains(err.Error(), "simulations of streams only") {
		t.Errorf("got %v", err)
	}
	for _, p := range w.Policies() {
		if p.Family == "reserve" {
			t.Errorf("%s is offered", p.Name)
		}
	}
}

func TestANodesSamplesCountOnlyForTheRunsItWasGiven(t *testing.T) {
	w := newWorld(t)
	n1 := w.node("n1")
	job := w.run(w.spec(), n1)
	n2 := w.node("n2")
	run, used := cluster.RunID{Job: job, Number: 1}, func(cpu cluster.CPU, runs ...cluster.RunID) (out []wire.Usage) {
		for _, r := range runs {
			out = append(out, wire.Usage{Run: r, CPU: cpu, At: time.Now()})
		}
		return out
	}
	w.ForNodes().Usage(n1, used(400, run), wire.Host{Memory: 7})
	w.ForNodes().Usage(n2, used(900, run, cluster.RunID{Job: job, Number: 2}, cluster.RunID{Job: 99, Number: 1}),
		wire.Host{})
	w.ForNodes().Usage(n2, nil, wire.Host{})
	if u, ok := w.Usage(run); !ok || u.CPU != 400 {
		t.Errorf("n1 uses 400m, shown are %v, %v", u.CPU, ok)
	}
	if u, ok := w.Usage(cluster.RunID{Job: 99, Number: 1}); ok {
		t.Errorf("a run that there is not uses %v", u.CPU)
	}
	if h, ok := w.Host(n1); !ok || h.Memory != 7 {
		t.Errorf("the machine of n1: %+v, %v", h, ok)
	}
	if h, ok := w.Host(n2); ok {
		t.Errorf("n2 reports no machine, and has %+v", h)
	}
	if sums := w.usage.byNode(w.elapsed()); sums[n1] != 400 || sums[n2] != 0 {
		t.Errorf("by node: %v", sums)
	}
}

func TestAMoveIsGivenUpOnlyWhenItMakesNoProgress(t *testing.T) {
	w := newWorld(t)
	n1 := w.node("n1")
	job := w.run(w.spec(), n1)
	n2 := w.node("n2")
	_, err := w.Do(t.Context(), admin, "", cluster.SetNode{Node: n1, Want: cluster.Drain})
	w.ok(err)
	task, run := cluster.TaskID{Job: job}, cluster.RunID{Job: job, Number: 1}
	w.until("the VM is on its way to n2", func() bool { m := w.Latest().Move(task); return m != nil && m.To == n2 })

	v, since := w.Latest(), time.Hour
	m := &Manager{elapsed: func() time.Duration { return since }, watch: newWatch()}
	look := func(after time.Duration) cluster.Action {
		since += after
		return m.superviseMoves(v)
	}
	if a := look(0); a != nil {
		t.Errorf("a new leader gives up at once what began before it: %+v", a)
	}
	v.At += 24 * cluster.Hour                           // the cluster's clock may be set
	askew := time.UnixMicro(int64(v.At + cluster.Hour)) // the node's clock does not matter
	m.usage.put(n1, []wire.Usage{{Run: run, At: askew, Progress: wire.Progress{Done: 1, Total: 2}}},
		since+patience[cluster.Migrate])
	if a := look(patience[cluster.Migrate] + time.Second); a != nil {
		t.Errorf("given up while it made progress: %+v", a)
	}
	m.usage.put(n1, []wire.Usage{{Run: run, At: askew, Progress: wire.Progress{Done: 1, Total: 2}}}, since)
	if a, ok := look(patience[cluster.Migrate]).(cluster.AbortMove); !ok || a.Task != task {
		t.Errorf("not given up without progress: %+v", a)
	}
}

func TestALiveMigrationThatMakesProgressForEverIsGivenUp(t *testing.T) {
	w := newWorld(t)
	n1 := w.node("n1")
	job := w.run(w.spec(), n1)
	w.node("n2")
	_, err := w.Do(t.Context(), admin, "", cluster.SetNode{Node: n1, Want: cluster.Drain})
	w.ok(err)
	task, run := cluster.TaskID{Job: job}, cluster.RunID{Job: job, Number: 1}
	w.until("the VM is on its way", func() bool { return w.Latest().Move(task) != nil })
	now := time.Hour
	m := &Manager{elapsed: func() time.Duration { return now }, watch: newWatch()}
	v := w.Latest()
	for minute := range 24 * 60 {
		m.usage.put(n1, []wire.Usage{{Run: run, Progress: wire.Progress{Done: cluster.Bytes(minute + 1)}}}, now)
		if a, ok := m.superviseMoves(v).(cluster.AbortMove); ok {
			if a.Why[0].Code != cluster.WhyTooSlow || minute < 10 {
				t.Errorf("given up after %d minutes: %v", minute, a.Why)
			}
			return
		}
		now += time.Minute
	}
	t.Error("not given up within a day")
}

func TestOnlyLessThanEverRemainedIsProgress(t *testing.T) {
	var u usage
	run := cluster.RunID{Job: 1, Number: 1}
	put := func(done cluster.Bytes, at time.Duration) time.Duration {
		u.put(1, []wire.Usage{{Run: run, Progress: wire.Progress{Done: done, Total: 100}}}, at)
		return u.advanced(run)
	}
	for _, c := range []struct {
		done         cluster.Bytes
		at, advanced time.Duration
	}{{90, 1, 1}, {40, 2, 1}, {90, 3, 1}, {91, 4, 4}} { // pages are made dirty as fast as they are sent
		if got := put(c.done, c.at); got != c.advanced {
			t.Errorf("at %d, %d done: progress was last made at %d, want %d", c.at, c.done, got, c.advanced)
		}
	}
	u.put(1, []wire.Usage{{Run: run}}, 5) // that move has ended
	if got := put(1, 6); got != 6 {
		t.Errorf("the next move's progress counts from %d, want 6", got)
	}
}
