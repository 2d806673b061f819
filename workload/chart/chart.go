// Package chart draws a stream of jobs: when jobs are submitted, how large they are, how long they run, and how much
// memory they take.
//
// It writes to no file by itself. Invariant: the same stream gives the same picture.
//
// Reference: the views of a workload in Feitelson, "Workload Modeling for Computer Systems Performance Evaluation"
// (2015).
package chart

import (
	"fmt"
	"image/color"
	"io"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"aliquot/cluster"
	"aliquot/workload"
)

// Chart is one picture of a stream.
type Chart struct {
	Name string // suitable as a file name without extension
	plot *plot.Plot
}

// Write writes the picture as svg or png.
func (c Chart) Write(w io.Writer, format string) error {
	canvas, err := draw.NewFormattedCanvas(16*vg.Centimeter, 9*vg.Centimeter, format)
	if err != nil {
		return fmt.Errorf("draw %s: %w", c.Name, err)
	}
	all := draw.New(canvas)
	all.SetColor(color.White)
	all.Fill(all.Rectangle.Path())
	margin := vg.Points(12) // axes leave no room for the labels at their ends
	c.plot.Draw(draw.Crop(all, margin/2, -margin, margin/2, -margin/2))
	_, err = canvas.WriteTo(w)
	return err
}

// All draws every picture of a stream, which must have at least one job.
func All(title string, jobs []workload.Job) ([]Chart, error) {
	var charts []Chart
	for _, c := range []struct {
		name string
		fill func(*plot.Plot, []workload.Job) error
	}{{"arrivals", arrivals}, {"hours", hours}, {"sizes", sizes}, {"runtimes", runtimes}, {"memory", memory}} {
		p := plot.New()
		p.Title.Text = title
		p.Title.Padding = vg.Points(6)
		p.Y.Min = 0
		p.X.Tick.Marker, p.Y.Tick.Marker = plot.TickerFunc(rounds), plot.TickerFunc(rounds)
		if err := c.fill(p, jobs); err != nil {
			return nil, fmt.Errorf("draw %s: %w", c.name, err)
		}
		charts = append(charts, Chart{c.name, p})
	}
	return charts, nil
}

// arrivals draws the submissions over time per hour, day or week, whichever gives at most 200 steps.
func arrivals(p *plot.Plot, jobs []workload.Job) error {
	last := jobs[0].Submit
	for _, j := range jobs {
		last = max(last, j.Submit)
	}
	const day = 24 * cluster.Hour
	width, unit := cluster.Hour, "hour"
	for _, next := range []struct {
		width cluster.Time
		unit  string
	}{{6 * cluster.Hour, "6 hours"}, {day, "day"}, {7 * day, "week"}, {28 * day, "4 weeks"}, {52 * 7 * day, "52 weeks"}} {
		if last/width >= 200 {
			width, unit = next.width, next.unit
		}
	}
	counts := make(plotter.Values, last/width+1)
	for _, j := range jobs {
		counts[j.Submit/width]++
	}
	p.X.Label.Text = "days since the begin of the stream"
	p.Y.Label.Text = "jobs per " + unit
	return steps(p, counts, width.Seconds()/day.Seconds())
}

// hours draws the submissions by time of day, counted from the stream's zero.
func hours(p *plot.Plot, jobs []workload.Job) error {
	counts := make(plotter.Values, 24)
	for _, j := range jobs {
		counts[j.Submit/cluster.Hour%24]++
	}
	p.X.Label.Text = "hour of the day, from the begin of the stream"
	p.Y.Label.Text = "jobs"
	labels := make([]string, 24)
	for i := range labels {
		labels[i] = strconv.Itoa(i)
	}
	return bars(p, counts, labels)
}

// sizes draws the jobs by number of tasks, up to each power of two.
func sizes(p *plot.Plot, jobs []workload.Job) error {
	var counts plotter.Values
	for _, j := range jobs {
		class := int(math.Ceil(math.Log2(float64(j.Tasks))))
		for len(counts) <= class {
			counts = append(counts, 0)
		}
		counts[class]++
	}
	labels := make([]string, len(counts))
	for i := range labels {
		switch low, high := 1<<i/2+1, 1<<i; {
		case i < 2:
			labels[i] = strconv.Itoa(high)
		default:
			labels[i] = fmt.Sprintf("%d–%d", low, high)
		}
	}
	p.X.Label.Text = "tasks of the job"
	p.Y.Label.Text = "jobs"
	return bars(p, counts, labels)
}

// memory draws the jobs by memory per task, in tenths of a node with upper ends included. Tasks larger
// than a node, if any, have a bar of their own.
func memory(p *plot.Plot, jobs []workload.Job) error {
	const tenths = 10
	counts, labels := make(plotter.Values, tenths+1), make([]string, tenths+1)
	for _, j := range jobs {
		counts[min(tenths, (j.Memory*tenths-1)/workload.UnitMemory)]++
	}
	for i := range tenths {
		labels[i] = fmt.Sprintf("≤%d%%", 100*(i+1)/tenths)
	}
	labels[tenths] = ">100%"
	if counts[tenths] == 0 {
		counts, labels = counts[:tenths], labels[:tenths]
	}
	p.X.Label.Text = "memory of a task, of a node"
	p.Y.Label.Text = "jobs"
	return bars(p, counts, labels)
}

// runtimes draws the cumulative distribution of run times on a logarithmic scale.
func runtimes(p *plot.Plot, jobs []workload.Job) error {
	values := make([]float64, len(jobs))
	for i, j := range jobs {
		values[i] = j.Runtime.Seconds()
	}
	slices.Sort(values)
	const points = 400
	var line plotter.XYs
	for i := range points {
		at := i * (len(values) - 1) / (points - 1)
		line = append(line, plotter.XY{X: values[at], Y: 100 * float64(at+1) / float64(len(values))})
	}
	l, err := plotter.NewLine(line)
	if err != nil {
		return err
	}
	l.Color, l.Width = ink, vg.Points(1.5)
	p.Add(grid(), l)
	p.X.Label.Text = "run time"
	p.Y.Label.Text = "% of jobs that run no longer"
	p.Y.Max = 100
	p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, plot.ConstantTicks(durations)
	p.X.Min = min(values[0], 1)
	p.X.Max = max(values[len(values)-1], 10*p.X.Min)
	return nil
}
