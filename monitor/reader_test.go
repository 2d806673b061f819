package monitor

import (
	"errors"
	"os"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"aliquot/cluster"
	"aliquot/monitor/reconcile"
)

func runs(n int) (list []cluster.RunID) {
	for i := range n {
		list = append(list, cluster.RunID{Job: cluster.JobID(i + 1), Number: 1})
	}
	return list
}

func TestAFileThatHangsHidesItsOwnRunOnly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var tries atomic.Int32
		answer := make(chan bool)
		r := newReader(func(run cluster.RunID) files {
			if run.Job == 2 {
				tries.Add(1)
				<-answer
			}
			return files{guest: reconcile.Guest{Begun: true}}
		})
		for range 3 {
			got := r.all(runs(40), readLimit)
			if _, there := got[runs(2)[1]]; there || len(got) != 39 {
				t.Fatalf("%d of 39 others were read", len(got))
			}
		}
		if n := tries.Load(); n != 1 {
			t.Errorf("it was tried %d times before it answered", n)
		}
		close(answer)
		synctest.Wait()
		if got := r.all(runs(40), readLimit); len(got) != 40 || !got[runs(2)[1]].guest.Begun {
			t.Errorf("%d of 40 were read when it had answered", len(got))
		}
	})
}

func TestASlowStoreTellsOfEveryRunInItsTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newReader(func(cluster.RunID) files {
			time.Sleep(readLimit * 2 / 3)
			return files{}
		})
		all, told := runs(4*mostReads), map[cluster.RunID]bool{}
		for range 8 {
			for run := range r.all(all, readLimit) {
				told[run] = true
			}
			time.Sleep(readLimit)
		}
		if len(told) != len(all) {
			t.Errorf("it told of %d of %d runs", len(told), len(all))
		}
	})
}

func TestAStoreThatHangsKeepsAFewGoroutines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var reading atomic.Int32
		answer := make(chan bool)
		r := newReader(func(cluster.RunID) files {
			reading.Add(1)
			<-answer
			return files{}
		})
		began := time.Now()
		for i := range 3 {
			if got := r.all(runs(100), readLimit); len(got) != 0 {
				t.Fatalf("read %d", len(got))
			}
			if took := time.Since(began); took != time.Duration(i+1)*readLimit {
				t.Errorf("waited %v", took)
			}
		}
		if n := reading.Load(); n != mostReads {
			t.Errorf("%d goroutines were left behind, want %d", n, mostReads)
		}
		close(answer)
		synctest.Wait()
	})
}

func TestOnlyWhatIsClearlyNotThereIsGone(t *testing.T) {
	f := RunFolder(t.TempDir(), someRun)
	if i, err := f.image(); err != nil || i != (reconcile.Image{}) {
		t.Errorf("an empty store: %+v, %v", i, err)
	}
	if err := os.MkdirAll(string(f.Folder), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(f.Saved(), []byte("image"), 0o644); err != nil {
		t.Fatal(err)
	}
	if i, err := f.image(); err != nil || i.Size != 5 {
		t.Errorf("%+v, %v", i, err)
	}
	if err := os.Remove(f.Saved()); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("saved-loop", string(f.Folder)+"/saved-loop"); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("saved-loop", f.Saved()); err != nil { // any error but that it does not exist: too many links
		t.Fatal(err)
	}
	if i, err := f.image(); err == nil {
		t.Errorf("a store that fails shows %+v", i)
	}
}

func TestAReportThatTheStoreDoesNotGiveIsNoExit(t *testing.T) {
	f := RunFolder(t.TempDir(), someRun)
	if err := os.MkdirAll(f.Control(), 0o755); err != nil { // a folder can be opened, but not read
		t.Fatal(err)
	}
	if guest, err := f.Read(); err == nil || guest.Exit != nil {
		t.Errorf("%+v, %v", guest, err)
	}
}

func TestAnImageThatTheStoreDoesNotGiveIsNotUnreadable(t *testing.T) {
	dir := t.TempDir()
	path := dir + "/image"
	refused := errors.Join(ErrUnreadable, errors.New("bad header"))
	if err := os.WriteFile(path, []byte("garbage"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := blame(refused, path); !errors.Is(err, ErrUnreadable) {
		t.Errorf("a file that can be read and is no image: %v", err)
	}
	if err := blame(refused, dir); err == nil || errors.Is(err, ErrUnreadable) { // a folder cannot be read
		t.Errorf("a file that cannot be read: %v", err)
	}
	if err := blame(nil, dir); err != nil {
		t.Errorf("a success: %v", err)
	}
}
