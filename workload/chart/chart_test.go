package chart

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image/png"
	"io"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"aliquot/cluster"
	"aliquot/workload"
	"aliquot/workload/gen"
)

func picture(t rapid.TB, c Chart, format string) []byte {
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

func TestPicturesNameWhatTheyShow(t *testing.T) {
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
	rapid.Check(t, func(t *rapid.T) {
		jobs := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) workload.Job {
			return workload.Job{
				Submit:  cluster.Time(rapid.Int64Range(0, 1e16).Draw(t, "submit")),
				Tasks:   rapid.IntRange(1, 10_000).Draw(t, "tasks"),
				Memory:  workload.UnitMemory / 100_000 * cluster.Bytes(rapid.Int64Range(1, 1e5).Draw(t, "memory")),
				Runtime: cluster.Time(rapid.Int64Range(1, 1e16).Draw(t, "runtime")),
			}
		}), 1, 5).Draw(t, "jobs")
		charts, err := All("any", jobs)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range charts {
			if svg := string(picture(t, c, "svg")); strings.Contains(svg, "NaN") || strings.Contains(svg, "Inf") {
				t.Fatalf("%s: %s", c.Name, svg)
			}
		}
	})
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
