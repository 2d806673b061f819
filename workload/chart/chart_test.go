package chart

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image/png"
	"io"
	"strings"
	"testing"

	"aliquot/cluster"
	"aliquot/workload"
	"aliquot/workload/gen"
)

func picture(t *testing.T, c Chart, format string) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := c.Write(&b, format); err != nil {
		t.Fatalf("%s: %v", c.Name, err)
	}
	return b.Bytes()
}

func texts(t *testing.T, svg []byte) string {
	t.Helper()
	var out strings.Builder
	d := xml.NewDecoder(bytes.NewReader(svg))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return out.String()
		}
		if err != nil {
			t.Fatal(err)
		}
		if data, ok := token.(xml.CharData); ok {
			out.WriteString(strings.TrimSpace(string(data)) + "|")
		}
	}
}

func TestPicturesHaveTitles(t *testing.T) {
	dice := gen.NewDice(1, 0)
	charts, err := All("a stream", gen.Augment(dice, gen.Lublin(dice, 128, 1000)))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"arrivals": "|days since the begin of the stream|",
		"hours":    "|23|",
		"sizes":    "|65–128|",
		"runtimes": "|10 min|",
		"memory":   "|≤100%|",
	}
	for _, c := range charts {
		svg := picture(t, c, "svg")
		got := texts(t, svg)
		if want[c.Name] == "" || !strings.Contains(got, want[c.Name]) || !strings.Contains(got, "|a stream|") {
			t.Errorf("%s: no %q in %s", c.Name, want[c.Name], got)
		}
		if !bytes.Equal(svg, picture(t, c, "svg")) {
			t.Errorf("%s differs when it is drawn again", c.Name)
		}
		if _, err := png.Decode(bytes.NewReader(picture(t, c, "png"))); err != nil {
			t.Errorf("%s: %v", c.Name, err)
		}
		delete(want, c.Name)
	}
	if len(want) > 0 {
		t.Errorf("not drawn: %v", want)
	}
	if err := charts[0].Write(io.Discard, "bmp"); err == nil {
		t.Error("an unknown format is drawn")
	}
}

func TestAnyStreamCanBeDrawn(t *testing.T) {
	const longest = 10_000_000_000 * cluster.Second
	least := workload.Job{Tasks: 1, Memory: workload.UnitMemory / 100_000, Runtime: 1}
	most := workload.Job{Submit: longest, Tasks: 10_000, Memory: workload.UnitMemory, Runtime: longest}
	for name, jobs := range map[string][]workload.Job{
		"the least": {least}, "the most": {most}, "both": {least, most}, "many at once": {least, least, least},
	} {
		charts, err := All(name, jobs)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range charts {
			if svg := string(picture(t, c, "svg")); strings.Contains(svg, "NaN") || strings.Contains(svg, "Inf") {
				t.Errorf("%s: %s: %s", name, c.Name, svg)
			}
		}
	}
}

func TestMarksAreRoundAndFew(t *testing.T) {
	for _, high := range []float64{0.3, 1, 2.6, 9, 87, 120, 4505, 107_000} {
		ticks := rounds(0, high)
		if len(ticks) < 2 || len(ticks) > 8 || ticks[0].Label != "0" {
			t.Errorf("up to %v: %v", high, ticks)
		}
	}
	if ticks := rounds(5, 5); ticks != nil {
		t.Errorf("of nothing: %v", ticks)
	}
}

func TestTasksLargerThanANodeHaveABarOfTheirOwn(t *testing.T) {
	jobs := []workload.Job{{ID: 1, Tasks: 1, Need: workload.UnitCPU, Memory: workload.UnitMemory, Runtime: cluster.Minute}}
	drawn := func() string {
		charts, err := All("a stream", jobs)
		if err != nil {
			t.Fatal(err)
		}
		return texts(t, picture(t, charts[len(charts)-1], "svg"))
	}
	if strings.Contains(drawn(), ">100%") {
		t.Error("there is a bar for what is not there")
	}
	jobs = append(jobs, workload.Job{ID: 2, Tasks: 1, Need: workload.UnitCPU,
		Memory: workload.MostNodes * workload.UnitMemory, Runtime: cluster.Minute})
	if !strings.Contains(drawn(), ">100%") {
		t.Error(drawn())
	}
}
