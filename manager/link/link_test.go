package link

import (
	"context"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rs/zerolog"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"aliquot/cluster"
	"aliquot/wire"
	"aliquot/wire/join"
)

func TestTheLengthOfANodesLinkIsKnownAndForHowLongItHasHadNone(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		h, _ := w.manager("m1")
		is := func(when string, linked, linkless time.Duration) {
			t.Helper()
			synctest.Wait()
			if with, without := h.Link(1, time.Now()); with != linked || without != linkless {
				t.Errorf("%s: linked for %v and without for %v, want %v and %v", when, with, without, linked, linkless)
			}
		}
		is("while this replica does not lead", 0, 0)
		h.Claimed(time.Now())
		is("as soon as this replica leads", 0, 0)
		time.Sleep(arrival)
		is("when the time to arrive is over", 0, arrival)
		s := w.connect(w.client(w.enroll("n1"), "m1"))
		time.Sleep(2 * time.Second)
		is("with a link", 2*time.Second, 0)
		s.Close()
		is("at the end of the link", 0, 1)
		time.Sleep(3 * time.Second)
		is("three seconds later", 0, 3*time.Second)
		w.connect(w.client(w.enroll("n1"), "m1"))
		time.Sleep(time.Second)
		is("with the next link", time.Second, 0)
		h.Claimed(time.Now())
		is("in the next term", 0, 0)
	})
}

func TestANodeThatJoinsGetsItsOrdersAndALease(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		h, l := w.manager("m1")
		h.Claimed(time.Now())
		s := w.connect(w.client(w.enroll("n1"), "m1"))
		if s.Node() != 1 || s.Cluster() != clusterID {
			t.Errorf("node %d of %x", s.Node(), s.Cluster())
		}
		if o := <-s.Orders(); o.Node != 1 || o.Cluster != clusterID {
			t.Errorf("orders %+v", o)
		}
		if until := <-s.Leases(); until != lease {
			t.Errorf("a lease until %v, counted from the start", until)
		}
		if until := h.Leases()[1]; !until.Equal(time.Now().Add(lease)) {
			t.Errorf("the leader counts until %v", until)
		}
		if err := s.Report(t.Context(), seen(7)); err != nil {
			t.Errorf("report: %v", err)
		}
		want := seen(7)
		want.Node = 1
		if diff := cmp.Diff([]cluster.Report{want}, l.reports()); diff != "" {
			t.Errorf("reports: %s", diff)
		}
		s.SendUsage([]wire.Usage{{Run: cluster.RunID{Job: 7, Number: 1}, CPU: 300}}, wire.Host{Memory: 7})
		synctest.Wait()
		if u := l.samples[1]; len(u) != 1 || u[0].CPU != 300 || l.host.Memory != 7 {
			t.Errorf("usage %+v", l.samples)
		}
		s.Close()
		if _, open := <-s.Orders(); open {
			t.Error("orders of a session that was closed")
		}
	})
}

func TestANodeSpeaksForItselfAlone(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		h, l := w.manager("m1")
		h.Claimed(time.Now())
		b := w.connect(w.client(w.enroll("b"), "m1"))
		a := w.client(w.enroll("a"), "m1")
		_, err := a.Connect(t.Context(), func() cluster.Join { return cluster.Join{Name: "b"} })
		if status.Code(err) != codes.Unauthenticated || !strings.Contains(err.Error(), `"a"`) {
			t.Errorf("a connects as b: %v", err)
		}
		forged := seen(1)
		forged.Node = b.Node()
		s := w.connect(a)
		if err := s.Report(t.Context(), forged); err != nil {
			t.Fatal(err)
		}
		if r := l.reports(); len(r) != 1 || r[0].Node != s.Node() || s.Node() == b.Node() {
			t.Errorf("a's report counts as of node %d; a is %d", r[0].Node, s.Node())
		}
	})
}

func TestOrdersAreSentWhenTheyChange(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		h, l := w.manager("m1")
		h.Claimed(time.Now())
		s := w.connect(w.client(w.enroll("n1"), "m1"))
		<-s.Orders()
		l.set(func(l *leader) { o := l.orders[1]; o.Revision = 9; l.orders[1] = o })
		h.Push(s.Node())
		synctest.Wait()
		select {
		case o := <-s.Orders():
			t.Errorf("nothing has changed but the revision, and yet: %+v", o)
		default:
		}
		for cpu := range cluster.CPU(5) {
			l.set(func(l *leader) {
				o := l.orders[1]
				o.Runs = []cluster.Order{{Run: cluster.RunID{Job: 1, Number: 1}, Want: cluster.Stay, CPU: cpu,
					Spec: &cluster.Spec{}}}
				l.orders[1] = o
			})
			h.Push(s.Node())
			synctest.Wait()
		}
		if o := <-s.Orders(); len(o.Runs) != 1 || o.Runs[0].CPU != 4 {
			t.Errorf("not the newest: %+v", o)
		}
	})
}

func TestOnlyTheNodesThatAreNamedAreLookedAt(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		h, l := w.manager("m1")
		h.Claimed(time.Now())
		var nodes []cluster.NodeID
		for _, name := range []string{"n1", "n2", "n3"} {
			nodes = append(nodes, w.connect(w.client(w.enroll(name), "m1")).Node())
		}
		synctest.Wait()
		l.set(func(l *leader) { l.asked = map[cluster.NodeID]int{} })
		h.Push(nodes[1])
		synctest.Wait()
		l.set(func(l *leader) {
			if len(l.asked) != 1 || l.asked[nodes[1]] != 1 {
				t.Errorf("orders were computed %v times for the nodes", l.asked)
			}
		})
	})
}

func TestALeaderWithoutAMajorityRenewsNoLease(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		h, l := w.manager("m1")
		h.Claimed(time.Now())
		s := w.connect(w.client(w.enroll("n1"), "m1"))
		until := <-s.Leases()
		l.set(func(l *leader) { l.lost = true })
		ended := time.Now()
		for range s.Orders() { // until the node gives up on this leader
		}
		if waited := time.Since(ended); waited < 30*time.Second || waited > 60*time.Second {
			t.Errorf("the node looked elsewhere after %v", waited)
		}
		if later, renewed := <-s.Leases(); renewed {
			t.Errorf("renewed until %v, from %v", later, until)
		}
		time.Sleep(lease)
		if over := h.Expired(1, time.Now()); over <= 0 || over > lease {
			t.Errorf("the leader counts it as over for %v", over)
		}
	})
}

func TestANodeWhoseLoopStandsStillLosesItsLease(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		h, _ := w.manager("m1")
		h.Claimed(time.Now())
		c := w.client(w.enroll("n1"), "m1")
		s, err := c.Connect(t.Context(), func() cluster.Join { return cluster.Join{Name: "n1", Boot: "boot"} })
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		ctx, hang := context.WithCancel(t.Context())
		go live(ctx, s)
		time.Sleep(3 * lease)
		if over := h.Expired(1, time.Now()); over != 0 {
			t.Errorf("while it works its lease is over for %v", over)
		}
		hang()
		time.Sleep(2 * lease)
		if h.Expired(1, time.Now()) == 0 {
			t.Error("a connection alone keeps the lease of a node that does nothing")
		}
	})
}

func TestTheLeaseEndsOnTheNodeFirst(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		h, l := w.manager("m1")
		l.slow = 2 * time.Second
		h.Claimed(time.Now())
		born := time.Now()
		c := w.client(w.enroll("n1"), "m1") // its clock starts now, as born does
		time.Sleep(3 * time.Second)
		s := w.connect(c)
		for range 20 {
			until := born.Add(<-s.Leases())
			if sent := time.Now().Add(-l.slow); !until.Equal(sent.Add(lease)) {
				t.Errorf("a heartbeat that was sent %v ago gives a lease of %v from now", l.slow, time.Until(until))
			}
			if there := h.Leases()[1]; until.After(there) {
				t.Errorf("on the node until %v, for the leader until %v", until, there)
			}
		}
		if over := h.Expired(1, time.Now()); over != 0 {
			t.Errorf("over for %v", over)
		}
	})
}

func TestANewLeaderCountsEveryLeaseAsRenewed(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		h, _ := w.manager("m1")
		if over := h.Expired(5, time.Now().Add(time.Hour)); over != 0 {
			t.Errorf("a replica that does not lead counts %v", over)
		}
		at := time.Now()
		h.Claimed(at)
		for after, want := range map[time.Duration]time.Duration{0: 0, lease: 0, lease + time.Second: time.Second} {
			if over := h.Expired(5, at.Add(after)); over != want {
				t.Errorf("%v after the claim: over for %v, want %v", after, over, want)
			}
		}
		h.Claimed(at.Add(time.Hour))
		if over := h.Expired(5, at.Add(time.Hour+lease)); over != 0 {
			t.Errorf("after a second claim: %v", over)
		}
	})
}

func TestOnlyANodeThatWasHeardHasALeaseRenewed(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		h, _ := w.manager("m1")
		h.Claimed(time.Now())
		if h.Expired(1, time.Now()) != 0 || h.Renewed(1, time.Now()) {
			t.Error("a new leader takes a node that it has not heard of for silent, or for alive")
		}
		<-w.connect(w.client(w.enroll("n1"), "m1")).Leases()
		if now := time.Now(); !h.Renewed(1, now) || h.Renewed(1, now.Add(lease)) {
			t.Error("the lease of a node that was heard is not renewed, or for too long")
		}
	})
}

func TestANodeIsSentToTheLeaderAndMovesWithIt(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		h1, _ := w.manager("m1")
		h2, l2 := w.manager("m2")
		h1.Follow("m2")
		h2.Claimed(time.Now())
		c := w.client(w.enroll("n1"), "m1")
		s := w.connect(c)
		if err := s.Report(t.Context(), seen(1)); err != nil || len(l2.reports()) != 1 {
			t.Errorf("report to the leader: %v", err)
		}
		h2.Follow("m1")
		h1.Claimed(time.Now())
		for range s.Orders() { // ends with the term
		}
		began := time.Now()
		if again := w.connect(c); again.Node() != 1 {
			t.Errorf("node %d", again.Node())
		}
		if waited := time.Since(began); waited > 0 {
			t.Errorf("the move to the new leader took %v", waited)
		}
		if _, known := h1.Leases()[1]; !known {
			synctest.Wait()
			if _, known := h1.Leases()[1]; !known {
				t.Error("the new leader counts no lease")
			}
		}
	})
}

func TestANodeTriesAllManagersWithRestsBetweenRounds(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		h, _ := w.manager("m1")
		credentials := w.enroll("n1")
		w.dials = nil
		go func() {
			time.Sleep(time.Minute)
			h.Claimed(time.Now())
		}()
		w.connect(w.client(credentials, "gone", "m1", "away"))
		tries := strings.Fields(w.tried())
		if strings.Join(tries[:6], " ") != "gone m1 away gone m1 away" {
			t.Errorf("tried %v", tries)
		}
		if len(tries) > 3*24 { // 100 ms doubled to 5 s, half to one and a half of it
			t.Errorf("%d tries in a minute", len(tries))
		}
	})
}

func TestTwoManagersCannotSendANodeInCircles(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		h1, _ := w.manager("m1")
		h2, _ := w.manager("m2")
		h1.Follow("m2")
		h2.Follow("m1")
		c := w.client(w.enroll("n1"), "m1", "m2")
		w.dials = nil
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		if _, err := c.Connect(ctx, func() cluster.Join {
			return cluster.Join{Name: "n1"}
		}); !errors.Is(err, context.DeadlineExceeded) && status.Code(err) != codes.DeadlineExceeded {
			t.Errorf("%v", err)
		}
		if n := len(strings.Fields(w.tried())); n > 100 { // eight in each of at most eleven rounds
			t.Errorf("%d tries in ten seconds", n)
		}
	})
}

func TestReportsAreAcknowledgedWhenTheyAreDurable(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		h, l := w.manager("m1")
		h.Claimed(time.Now())
		s := w.connect(w.client(w.enroll("n1"), "m1"))
		hold := make(chan struct{})
		l.set(func(l *leader) { l.hold = hold })
		var mu sync.Mutex
		done := 0
		var all sync.WaitGroup
		for job := range cluster.JobID(10) {
			all.Go(func() {
				if err := s.Report(t.Context(), seen(job+1)); err != nil {
					t.Error(err)
				}
				mu.Lock()
				defer mu.Unlock()
				done++
			})
		}
		synctest.Wait()
		if mu.Lock(); done != 0 {
			t.Errorf("%d were acknowledged before they were proposed", done)
		}
		mu.Unlock()
		close(hold)
		all.Wait()
		reported := map[cluster.JobID]bool{}
		for _, r := range l.reports() {
			for _, o := range r.Observations {
				reported[o.Run.Job] = true
			}
		}
		if n := len(l.reports()); len(reported) != 10 || n > 2 {
			t.Errorf("%d runs in %d proposals; want 10 in at most 2, the first and what came while it was under way",
				len(reported), n)
		}
	})
}

func TestOneRefusedReportTakesNoOtherWithIt(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		h, l := w.manager("m1")
		h.Claimed(time.Now())
		s := w.connect(w.client(w.enroll("n1"), "m1"))
		hold := make(chan struct{})
		l.set(func(l *leader) {
			l.hold = hold
			l.refuse = func(a cluster.Action) (*cluster.Rejection, error) {
				r, _ := a.(cluster.Report)
				for _, o := range r.Observations {
					if o.Run.Job == 3 {
						return &cluster.Rejection{Code: cluster.CodeInvalid, Field: "run", Detail: "no such run"}, nil
					}
				}
				return nil, nil
			}
		})
		outcomes := make([]error, 5)
		var all sync.WaitGroup
		for i := range outcomes {
			all.Go(func() { outcomes[i] = s.Report(t.Context(), seen(cluster.JobID(i+1))) })
		}
		synctest.Wait()
		close(hold)
		all.Wait()
		for i, err := range outcomes {
			refused, ok := errors.AsType[*cluster.Rejection](err)
			if want := i == 2; ok != want || !want && err != nil {
				t.Errorf("job %d: %v", i+1, err)
			}
			if ok && (refused.Code != cluster.CodeInvalid || refused.Field != "run" || refused.Detail != "no such run") {
				t.Errorf("the refusal arrives as %+v", refused)
			}
		}
	})
}

func TestAReportOfUnknownOutcomeIsNotAcknowledged(t *testing.T) {
	for name, refuse := range map[string]func(cluster.Action) (*cluster.Rejection, error){
		"a proposal that timed out": func(a cluster.Action) (*cluster.Rejection, error) { return nil, errors.New("timeout") },
		"a leader that was replaced": func(cluster.Action) (*cluster.Rejection, error) {
			return &cluster.Rejection{Code: cluster.CodeStaleEpoch}, nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				h, l := w.manager("m1")
				h.Claimed(time.Now())
				s := w.connect(w.client(w.enroll("n1"), "m1"))
				l.set(func(l *leader) { l.refuse = refuse })
				err := s.Report(t.Context(), seen(1))
				if _, refused := errors.AsType[*cluster.Rejection](err); err == nil || refused {
					t.Errorf("the report's outcome: %v", err)
				}
				for range s.Orders() { // the link ends, so that the node finds the leader and reports anew
				}
			})
		})
	}
}

func TestANewerLinkOfANodeEndsTheOneBefore(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		h, _ := w.manager("m1")
		h.Claimed(time.Now())
		credentials := w.enroll("n1")
		first := w.connect(w.client(credentials, "m1"))
		second := w.connect(w.client(credentials, "m1"))
		for range first.Orders() {
		}
		if err := second.Report(t.Context(), seen(1)); err != nil {
			t.Errorf("the newer link: %v", err)
		}
	})
}

func TestANodeThatIsRecalledConnectsAgain(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		h, _ := w.manager("m1")
		h.Claimed(time.Now())
		c := w.client(w.enroll("n1"), "m1")
		first := w.connect(c)
		h.Recall(first.Node(), math.MaxUint64)
		for range first.Orders() {
		}
		if again := w.connect(c); again.Node() != first.Node() {
			t.Errorf("node %d came back as %d", first.Node(), again.Node())
		}
		h.Recall(99, math.MaxUint64) // a node without a link
	})
}

func TestARefusedJoinIsTriedAgain(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		h, l := w.manager("m1")
		h.Claimed(time.Now())
		c := w.client(w.enroll("n1"), "m1")
		l.set(func(l *leader) {
			l.refuse = func(cluster.Action) (*cluster.Rejection, error) {
				return &cluster.Rejection{Code: cluster.CodeLimit, Detail: "too many nodes"}, nil
			}
		})
		go func() {
			time.Sleep(20 * time.Second)
			l.set(func(l *leader) { l.refuse = nil })
		}()
		began := time.Now()
		w.connect(c)
		if waited := time.Since(began); waited < 20*time.Second || waited > 30*time.Second {
			t.Errorf("connected after %v", waited)
		}
	})
}

func TestAnImageThatWasTamperedWithIsRefused(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		_, l := w.manager("m1")
		i := pushed(t, l, "own")
		r, err := l.images.File(i.Digest, "initrd")
		if err != nil {
			t.Fatal(err)
		}
		path := r.(*os.File).Name()
		text, _ := io.ReadAll(r)
		r.Close()
		text[len(text)-1] ^= 1
		if err := os.WriteFile(path, text, 0o644); err != nil {
			t.Fatal(err)
		}
		c := w.client(w.enroll("n1"), "m1")
		if err := c.Ensure(t.Context(), i.Digest); err == nil || !strings.Contains(err.Error(), "does not match") {
			t.Errorf("%v", err)
		}
	})
}

func TestOnlyTheBearerOfTheTokenIsEnrolled(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.manager("m1")
		token := w.invite("m1", "n1")
		wrong := join.NewToken(w.ca.Certificate())
		for name, e := range map[string]wire.Enrollment{
			"another secret": {Token: wrong, Node: "n1"},
			"another name":   {Token: token, Node: "n2"},
			"another CA":     {Token: join.Token{Authority: [32]byte{1}, Secret: token.Secret}, Node: "n1"},
			"a bad name":     {Token: token, Node: "N 1"},
			"nobody there":   {Token: token, Node: "n1", Managers: []string{"gone"}},
			"no manager":     {Token: token, Node: "n1", Managers: []string{}},
		} {
			if e.Managers == nil {
				e.Managers = []string{"m1"}
			}
			e.Path, e.Dial = filepath.Join(t.TempDir(), "node.pem"), w.dial
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			err := e.Persist(ctx, zerolog.Nop())
			cancel()
			if err == nil || strings.Contains(err.Error(), token.Secret) || strings.Contains(err.Error(), wrong.Secret) {
				t.Errorf("%s: %v", name, err)
			}
			if _, err := os.Stat(e.Path); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("%s: credentials are written: %v", name, err)
			}
		}
	})
}

func TestANodeRenewsItsCertificateWhileItIsConnected(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		h, _ := w.manager("m1")
		h.Claimed(time.Now())
		path := w.enroll("n1")
		before, err := join.Load(path)
		if err != nil {
			t.Fatal(err)
		}
		c := w.client(path, "m1")
		// The test watches from shortly before the certificate is due until shortly after.
		time.Sleep(time.Until(before.Expires())*2/3 - time.Hour)
		s := w.connect(c)
		time.Sleep(4 * time.Hour)
		after, err := join.Load(path)
		if err != nil || !after.Expires().After(before.Expires()) || after.Due(time.Now()) {
			t.Errorf("valid until %v, then until %v: %v", before.Expires(), after.Expires(), err)
		}
		if err := s.Report(t.Context(), seen(1)); err != nil {
			t.Errorf("the link meanwhile: %v", err)
		}
	})
}
