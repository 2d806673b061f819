package cluster

import (
	"strings"
	"testing"
)

func TestAmountsOfCPUAreReadStrictly(t *testing.T) {
	for s, want := range map[string]CPU{
		"0": 0, "0m": 0, "1m": 1, "500m": 500, "1200m": 1200, "1": 1000, "1.5": 1500, "1.2": 1200,
		"0.001": 1, "0.25": 250, "64": 64000, "1000000": 1e9, "007m": 7,
	} {
		if got, err := ParseCPU(s); got != want || err != nil {
			t.Errorf("ParseCPU(%q) = %v, %v; want %v", s, got, err, want)
		}
	}
	for _, s := range []string{
		"", "m", ".", "1.", ".5", "-1", "+1", "1.2345", "1.5m", "1e3", " 1", "1 ", "1_000", "0x10", "1M", "1,5",
		"1000000.001", "1000001", "99999999999999999999", "99999999999999999999m", "١", "1m m", "1.-1", "1.+1",
	} {
		if got, err := ParseCPU(s); err == nil || !strings.Contains(err.Error(), "500m") {
			t.Errorf("ParseCPU(%q) = %v, %v; want an error with an example", s, got, err)
		}
	}
}

func TestAmountsOfMemoryAreReadStrictly(t *testing.T) {
	for s, want := range map[string]Bytes{
		"0": 0, "1": 1, "512Mi": 512 * MiB, "96Mi": 96 * MiB, "1Gi": 1 << 30, "64Ki": 1 << 16, "2Ti": 1 << 41,
		"1048576": MiB, "1024Ti": 1 << 50, "1125899906842624": 1 << 50,
	} {
		if got, err := ParseBytes(s); got != want || err != nil {
			t.Errorf("ParseBytes(%q) = %v, %v; want %v", s, got, err, want)
		}
	}
	for _, s := range []string{
		"", "Mi", "1M", "1MB", "1MiB", "1mi", "1.5Gi", "-1", "+1Mi", "1 Mi", " 1Mi", "1_0", "0x1", "1e9", "1Pi",
		"1025Ti", "1125899906842625", "9223372036854775808", "18446744073709551616Ki", "1Ki Mi",
	} {
		if got, err := ParseBytes(s); err == nil || !strings.Contains(err.Error(), "512Mi") {
			t.Errorf("ParseBytes(%q) = %v, %v; want an error with an example", s, got, err)
		}
	}
}

func TestAmountsAreReadBackAsTheyPrint(t *testing.T) {
	for _, c := range []CPU{0, 1, 999, 1000, 1e9} {
		if got, err := ParseCPU(c.String()); got != c || err != nil {
			t.Errorf("%v is read back as %v, %v", c, got, err)
		}
	}
	for _, b := range []Bytes{0, 1, MiB - 1, MiB, 1 << 50} {
		if got, err := ParseBytes(b.String()); got != b || err != nil {
			t.Errorf("%v is read back as %v, %v", b, got, err)
		}
	}
}

func FuzzParseAmounts(f *testing.F) {
	for _, s := range []string{"1200m", "1.2", "512Mi", "1024Ti", "", "-1", "1.2345", "9999999999999999999"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if c, err := ParseCPU(s); err == nil {
			if back, err := ParseCPU(c.String()); c < 0 || c > maxCPU || back != c || err != nil {
				t.Errorf("ParseCPU(%q) = %v, read back as %v, %v", s, c, back, err)
			}
		}
		if b, err := ParseBytes(s); err == nil {
			if back, err := ParseBytes(b.String()); b < 0 || b > maxBytes || back != b || err != nil {
				t.Errorf("ParseBytes(%q) = %v, read back as %v, %v", s, b, back, err)
			}
		}
	})
}

func TestAmountsInOtherNotationsAreUnderstoodForAdvice(t *testing.T) {
	for s, want := range map[string]string{
		"96": "96Mi", "96M": "96Mi", "4GB": "4Gi", "4 gb": "4Gi", "512mb": "512Mi", "1gib": "1Gi", "2t": "2Ti", "8kI": "8Ki",
		"": "", "lots": "", "1.5Gi": "", "96b": "", "4Gbit": "", "1025Ti": "", "-4G": "", "16777216": "",
	} {
		if got := LikelyBytes(s); got != want {
			t.Errorf("%q probably means %q, not %q", s, want, got)
		}
	}
	if _, err := ParseBytes("4GB"); err == nil || !strings.Contains(err.Error(), "mean 4Gi") {
		t.Errorf("4GB: %v", err)
	}
}
