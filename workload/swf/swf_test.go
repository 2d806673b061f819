package swf

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"aliquot/cluster"
	"aliquot/internal/cpu"
)

const sample = `; Version: 2.2
; Computer: a small cluster
; MaxNodes: 8 (two of them old)
; Queue:  1 short
;
    1     10    5    60   4  55.25    1024   4   120    2048  1   7   1  -1  1 -1 -1 -1
    2     12   -1    -1  -1     -1      -1   4    -1      -1  5   8   1  -1  1 -1 -1 -1

; a remark that stands in the middle
    3      9    0  0.5   1   -1.00   100.6   1   120      -1  0   7  -1  -1  1 -1  1 3.5
`

func records(t rapid.TB, text string) (*Reader, []Record) {
	t.Helper()
	r, err := NewReader(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	var out []Record
	for {
		record, err := r.Next()
		if errors.Is(err, io.EOF) {
			return r, out
		}
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, record)
	}
}

func TestRecordsHoldTheValuesOfTheirLines(t *testing.T) {
	r, got := records(t, sample)
	const s = cluster.Second
	want := []Record{
		{
			1, 10 * s, 5 * s, 60 * s, 4, 55*s + s/4, 1024, 4, 120 * s, 2048, Completed, 7, 1,
			Unknown, 1, Unknown, Unknown, Unknown,
		},
		{
			2, 12 * s, Unknown, Unknown, Unknown, Unknown, Unknown, 4, Unknown, Unknown, Canceled, 8, 1,
			Unknown, 1, Unknown, Unknown, Unknown,
		},
		{
			3, 9 * s, 0, s / 2, 1, Unknown, 101, 1, 120 * s, Unknown, Failed, 7, Unknown,
			Unknown, 1, Unknown, 1, 3*s + s/2,
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if len(r.Header) != 5 || r.Header.Get("computer") != "a small cluster" || r.Header.Number("MaxNodes") != 8 ||
		r.Header.Number("Computer") != Unknown || r.Header.Get("MaxProcs") != "" {
		t.Errorf("header %q", r.Header)
	}
}

func TestNegativeNumbersAreUnknownAndCounted(t *testing.T) {
	r, got := records(t, "1 -5 -2 60 4 -1 -1 4 -1 -1 1 -1 -1 -1 -1 -1 -1 -1\n")
	if r.Negative != 2 || got[0].Submit != Unknown || got[0].Wait != Unknown || got[0].Run != cluster.Minute {
		t.Errorf("%d negative, %+v", r.Negative, got)
	}
}

func TestGarbageIsRefusedWithLineAndField(t *testing.T) {
	line := strings.Repeat("1 ", 17) + "1"
	with := func(field int, word string) string {
		words := strings.Fields(line)
		words[field-1] = word
		return strings.Join(words, " ")
	}
	for text, want := range map[string]string{
		"; Version: 2.2\n" + with(1, "x"):  `line 2: field 1 (job number): "x" is not a whole number`,
		line + "\n" + with(4, "1:30"):      `line 2: field 4 (run time): "1:30" is not a number`,
		with(2, "1e6"):                     "field 2 (submit time)",
		with(2, "."):                       "field 2",
		with(2, "1."):                      "field 2",
		with(2, "-"):                       "field 2",
		with(2, "--1"):                     "field 2",
		with(2, "1.5.5"):                   "field 2",
		with(2, "9999999999999"):           "up to 10^12",
		with(5, "1.5"):                     `field 5 (allocated processors): "1.5" is not a whole number`,
		with(7, "99999999999999999999999"): "field 7 (used memory)",
		with(18, "NaN"):                    `field 18 (think time): "NaN"`,
		"1 2 3":                            "line 1: 3 fields; a record has 18",
		line + " 1":                        "line 1: 19 fields; a record has 18",
		line + "\n" + strings.Repeat("1 ", maxLine): "line 2: more than 65536 bytes",
		"\x1f\x8bxyz": "gzip",
	} {
		r, err := NewReader(strings.NewReader(text))
		for err == nil {
			_, err = r.Next()
		}
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%.60q: %v; want %q", text, err, want)
		}
	}
}

func TestTruncatedZipsAreNoEndOfLog(t *testing.T) {
	r, err := NewReader(bytes.NewReader(zip(t, sample)[:60]))
	for err == nil {
		_, err = r.Next()
	}
	if !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Error(err)
	}
}

func zip(t rapid.TB, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := io.WriteString(z, text); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestZippedLogsAreKnownByContent(t *testing.T) {
	_, plain := records(t, sample)
	r, zipped := records(t, string(zip(t, sample)))
	if diff := cmp.Diff(plain, zipped); diff != "" || len(r.Header) != 5 {
		t.Errorf("%q\n%s", r.Header, diff)
	}
}

func write(t rapid.TB, h Header, all []Record) string {
	t.Helper()
	var b strings.Builder
	w, err := NewWriter(&b, h)
	for i := 0; i < len(all) && err == nil; i++ {
		err = w.Write(all[i])
	}
	if err == nil {
		err = w.Flush()
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestLogsReadAsTheyWereWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var all []Record
		for range rapid.IntRange(0, 4).Draw(t, "records") {
			var v [fields]int64
			for i := range v {
				v[i] = rapid.OneOf(rapid.Just(int64(Unknown)), rapid.Int64Range(0, 1e15)).Draw(t, form[i].name)
			}
			all = append(all, record(&v))
		}
		var h Header
		h.Add("Version", 2.2)
		h = append(h, ";", ";  as: it is")
		text := write(t, h, all)
		r, again := records(t, text)
		if diff := cmp.Diff(all, again, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("(-want +got):\n%s\n%s", diff, text)
		}
		if diff := cmp.Diff(Header{"; Version: 2.2", ";", ";  as: it is"}, r.Header); diff != "" {
			t.Error(diff)
		}
	})
}

func TestReadingAllocatesNothingPerRecord(t *testing.T) {
	text := strings.Repeat(sample[strings.Index(sample, "    1"):], 1000)
	r, err := NewReader(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if n := testing.AllocsPerRun(2900, func() {
		if _, err := r.Next(); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations per record", n)
	}
}

func FuzzReadAcceptsOnlyWhatItCanSayAgain(f *testing.F) {
	f.Add([]byte(sample))
	f.Add([]byte("1 -0.5 3 4 5 0006.1234567 7.5 8 9 10 11 12 13 14 15 16 17 18"))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := NewReader(bytes.NewReader(data))
		if err != nil {
			return
		}
		var all []Record
		for err == nil {
			var record Record
			if record, err = r.Next(); err == nil {
				all = append(all, record)
			}
		}
		if !errors.Is(err, io.EOF) {
			return
		}
		again, second := records(t, write(t, r.Header, all))
		if diff := cmp.Diff(all, second); diff != "" {
			t.Errorf("(-first +again):\n%s", diff)
		}
		if diff := cmp.Diff(r.Header, again.Header); diff != "" {
			t.Errorf("(-first +again):\n%s", diff)
		}
	})
}

func BenchmarkRead(b *testing.B) {
	text := write(b, Header{"; Version: 2.2"}, many(100_000))
	for name, data := range map[string][]byte{"plain": []byte(text), "gzip": zip(b, text)} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			n, started := 0, cpu.Time(b)
			for b.Loop() {
				r, err := NewReader(bytes.NewReader(data))
				for ; err == nil; n++ {
					_, err = r.Next()
				}
			}
			b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "jobs/s")
			b.ReportMetric(float64(n)/(cpu.Time(b)-started).Seconds(), "jobs/cpu-s")
		})
	}
}

func BenchmarkWrite(b *testing.B) {
	all := many(1000)
	w, err := NewWriter(io.Discard, nil)
	if err != nil {
		b.Fatal(err)
	}
	for i := 0; b.Loop(); i++ {
		if err := w.Write(all[i%len(all)]); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "jobs/s")
}

// many makes records as long as those of real logs.
func many(n int) []Record {
	all := make([]Record, n)
	for i := range all {
		k := int64(i)
		all[i] = Record{
			k, cluster.Time(k*541) * cluster.Second, cluster.Time(k*k%86400) * cluster.Second,
			cluster.Time(k*k*7%432000) * cluster.Second,
			k % 64, cluster.Time(k*k*6%432000) * cluster.Second / 100, k * k % 1_000_000, k % 64,
			43200 * cluster.Second, 512_000,
			1, k % 250, 3, Unknown, 1, 1, Unknown, Unknown,
		}
	}
	return all
}
