package simulations

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"aliquot/cluster"
	"aliquot/web"
	"aliquot/web/api"
)

func open(t *testing.T, dir string, limits Limits, command ...string) *Runner {
	t.Helper()
	r, err := Open(Config{
		Dir: dir, Command: command, Check: func(web.SimulationOrder) *cluster.Rejection {
			return nil
		}, Limits: limits, Clock: time.Now, Log: zerolog.Nop(),
	})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func start(t *testing.T, r *Runner) string {
	t.Helper()
	s, err := r.Start(web.SimulationOrder{})
	if err != nil {
		t.Fatal(err)
	}
	return s.ID
}

// folders counts the folders on disk.
func folders(t *testing.T, dir string) int {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	return len(entries)
}

// Nothing but its state has changed yet: there is no child.
func TestOneThatHasJustBegunCanBeCancelled(t *testing.T) {
	r := open(t, t.TempDir(), Usual, "sh", "-c", "exec sleep 60")
	id := start(t, r)
	s, limited := r.next(t.Context())
	if s == nil || s.ID != id || s.State != "running" {
		t.Fatalf("%+v is next, want %s", s, id)
	}
	if err := r.Cancel(id); err != nil {
		t.Fatal(err)
	}
	r.simulate(t.Context(), limited, s)
	if list := r.List(); list[0].State != "cancelled" || list[0].Ended == nil {
		t.Errorf("%+v", list)
	}
}

func TestThoseThatAreCancelledBeforeTheirTurnAreKeptWithinTheBound(t *testing.T) {
	dir, limits := t.TempDir(), Usual
	limits.Stored = 5
	r := open(t, dir, limits)
	for range 20 {
		if err := r.Cancel(start(t, r)); err != nil {
			t.Fatal(err)
		}
	}
	if len(r.List()) != 5 || folders(t, dir) != 5 {
		t.Errorf("%d are listed and %d kept on disk, 5 may be", len(r.List()), folders(t, dir))
	}
	limits.Stored = 3
	if r = open(t, dir, limits); len(r.List()) != 3 || folders(t, dir) != 3 {
		t.Errorf("opened with a lower bound, %d are listed and %d kept on disk", len(r.List()), folders(t, dir))
	}
}

func TestFoldersThatHoldNoSimulationAreRemoved(t *testing.T) {
	dir := t.TempDir()
	r := open(t, dir, Usual)
	waits := start(t, r)
	for name, status := range map[string]string{"sempty": "", "sbroken": `{"id": "sbro`, "sother": `{"id": "sanother"}`} {
		folder := filepath.Join(dir, name)
		if err := os.Mkdir(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, "trace"), []byte("id"), 0o600); err != nil {
			t.Fatal(err)
		}
		if status == "" {
			continue
		}
		if err := os.WriteFile(filepath.Join(folder, "status.json"), []byte(status), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	r = open(t, dir, Usual)
	list := r.List()
	if len(list) != 1 || list[0].ID != waits || list[0].State != "failed" || folders(t, dir) != 1 {
		t.Errorf("%+v, %d folders", list, folders(t, dir))
	}
}

// A status that cannot be written, as on a full disk, leaves the one before.
func TestAStatusIsReplacedInWholeOrNotAtAll(t *testing.T) {
	dir := t.TempDir()
	r := open(t, dir, Usual)
	id := start(t, r)
	if err := os.Mkdir(filepath.Join(dir, id, "status.json.partial"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := r.Cancel(id); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, id, "status.json"))
	var s api.Simulation
	if err != nil || json.Unmarshal(text, &s) != nil || fmt.Sprint(s.ID, s.State) != id+"waiting" {
		t.Errorf("%s, %v", text, err)
	}
}

func TestAnOrderGivenTwiceUnderOneNameIsOneSimulation(t *testing.T) {
	limits := Usual
	limits.Own = 4
	r := open(t, t.TempDir(), limits)
	var ids []string
	for _, request := range []string{"a", "a", "b", "", ""} {
		s, err := r.Start(web.SimulationOrder{Request: request})
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, s.ID)
	}
	if ids[0] != ids[1] || len(r.List()) != 4 {
		t.Errorf("%v, %d are kept", ids, len(r.List()))
	}
	if err := errors.Join(r.Cancel(ids[0]), r.Remove(ids[0])); err != nil {
		t.Fatal(err)
	}
	if s, err := r.Start(web.SimulationOrder{Request: "a"}); err != nil || s.ID == ids[0] {
		t.Errorf("%s, which was removed, is there again: %v", s.ID, err)
	}
}

func TestOneOwnersSimulationsLeaveRoomForOthers(t *testing.T) {
	r := open(t, t.TempDir(), Usual)
	order := func(owner string) error { _, err := r.Start(web.SimulationOrder{Owner: owner}); return err }
	for range Usual.Own {
		if err := order("alice"); err != nil {
			t.Fatal(err)
		}
	}
	err := order("alice")
	if want := "limit_reached: 3 simulations of alice wait or run, and the most of one owner are 3"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	if err := order("bob"); err != nil {
		t.Errorf("another owner: %v", err)
	}
	for _, s := range r.List() {
		if err := r.Cancel(s.ID); err != nil {
			t.Fatal(err)
		}
	}
	if err := order("alice"); err != nil {
		t.Errorf("after her others have ended: %v", err)
	}
}
