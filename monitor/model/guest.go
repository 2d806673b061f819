package model

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"aliquot/cluster"
	"aliquot/guest/protocol"
	"aliquot/monitor"
)

// guest is the state of a VM's guest. It is written to the store as the VM's memory.
type guest struct {
	Stage  stage
	Left   time.Duration // rest of the stage: CPU time, or wall time when asleep
	Appeal cluster.CPU   // CPU that it would use without a cap
	Code   int           // of its exit
	Says   string        // text printed at its start
	Age    time.Duration // time that it has run
	Faults []string
}

// stage is a guest's phase.
type stage uint8

const (
	booting stage = iota
	working
	sleeping
	over
)

// forever is longer than anything lasts.
const forever = time.Duration(math.MaxInt64)

// newGuest reads the guest's task, as a real guest does.
func newGuest(m monitor.Machine, boot time.Duration) (guest, error) {
	text, err := os.ReadFile(m.Folder.Task())
	if err != nil {
		return guest{}, fmt.Errorf("give the guest its task: %w", err)
	}
	task, err := protocol.DecodeTask(text)
	if err != nil {
		return guest{}, err
	}
	g := guest{Left: time.Duration((0.5 + variety(m.VM)) * float64(boot)), Appeal: cluster.CPU(m.VCPUs) * cluster.Core}
	if list := task.Env["MODEL_FAULT"]; list != "" {
		g.Faults = strings.Split(list, ",")
	}
	return g, nil
}

// run begins the behaviour that the command names.
func (g *guest) run(argv []string, vcpus int) {
	amount, given := number(argv, 1)
	switch program := filepath.Base(argv[0]); {
	case program == "work" && given:
		code, _ := number(argv, 2)
		g.Stage, g.Left, g.Code = working, seconds(amount), int(min(code, 255))
		g.Says = fmt.Sprintf("a modelled guest uses %v of CPU time", g.Left)
	case program == "serve" && given:
		g.Stage, g.Left = working, forever
		g.Appeal = cluster.CPU(float64(vcpus) * min(amount, 100) * float64(cluster.Core) / 100)
		g.Says = fmt.Sprintf("a modelled guest uses %.0f %% of its vCPUs", min(amount, 100))
	case program == "sleep" && given:
		g.Stage, g.Left = sleeping, seconds(amount)
		g.Says = fmt.Sprintf("a modelled guest sleeps for %v", g.Left)
	default:
		g.Stage, g.Left = working, time.Second
		g.Says = fmt.Sprintf("this guest is modelled: %s was not run", argv[0])
	}
}

// number returns the argument at the given index if it is a non-negative number.
func number(argv []string, at int) (float64, bool) {
	if at >= len(argv) {
		return 0, false
	}
	n, err := strconv.ParseFloat(argv[at], 64)
	return n, err == nil && n >= 0
}

func seconds(n float64) time.Duration {
	if n >= forever.Seconds() {
		return forever
	}
	return time.Duration(n * float64(time.Second))
}

// started reports as a real guest does once it has booted.
func (g *guest) started(folder monitor.Folder) error {
	return errors.Join(say(folder.Control(), protocol.Hello{Version: protocol.Version}, protocol.Started{}),
		g.print(folder, g.Says))
}

// exited reports the guest's exit.
func (g *guest) exited(folder monitor.Folder) error {
	return errors.Join(g.print(folder, "done"), say(folder.Control(), protocol.Exit{Code: g.Code}))
}

func say(path string, messages ...protocol.Message) error {
	var b bytes.Buffer
	for _, m := range messages {
		if err := protocol.WriteControl(&b, m); err != nil {
			return err
		}
	}
	return add(path, b.Bytes())
}

func (g *guest) print(folder monitor.Folder, line string) error {
	var b bytes.Buffer
	if err := protocol.WriteOutput(&b, protocol.Chunk{Stream: protocol.Stdout, Micros: uint64(g.Age.Microseconds()),
		Data: []byte(line + "\n")}); err != nil {
		return err
	}
	return add(folder.Output(), b.Bytes())
}

func add(path string, text []byte) error {
	file, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return fmt.Errorf("write the guest's report: %w", err)
	}
	_, err = file.Write(text)
	return errors.Join(err, file.Close())
}
