package main

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"aliquot/cluster"
	"aliquot/manager/past"
	"aliquot/web/api"
)

func rfc(t cluster.Time) string { return time.UnixMicro(int64(t)).UTC().Format(time.RFC3339) }

func TestUsageIsShownByOwnerProjectAndStep(t *testing.T) {
	d := newDesk(t)
	at := d.Latest().At - 2*cluster.Hour
	d.Book(at, past.Holder{Project: "render", Owner: "alice"},
		past.Amounts{Granted: 5400, Used: 1800, Waited: 900})
	for line, want := range map[string]string{
		"usage":                                 "OWNER  GRANTED  USED    WAITED\nalice  1.50 h   0.50 h  0.25 h\n",
		"usage --by project":                    "PROJECT  GRANTED  USED    WAITED\nrender   1.50 h   0.50 h  0.25 h\n",
		"usage --until " + rfc(at-cluster.Hour): "OWNER  GRANTED  USED  WAITED\n",
	} {
		if got := d.ok(line); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", line, got, want)
		}
	}
	if got := d.ok("usage --step day --since " + rfc(at-cluster.Hour)); !strings.HasPrefix(got, "SINCE") {
		t.Errorf("by day:\n%s", got)
	}
	var report api.UsageReport
	if err := json.Unmarshal([]byte(d.ok("usage -o json")), &report); err != nil || len(report.Rows) != 1 {
		t.Errorf("%+v, %v", report, err)
	}
	if o := d.run("usage --since yesterday"); o.code != exitUsage {
		t.Errorf("%+v", o)
	}
}

func TestASmallUseIsNotShownAsNone(t *testing.T) {
	for x, want := range map[float64]string{0: "0.00 h", 0.000002: "< 0.0001 h", 0.0042: "0.0042 h", 0.25: "0.25 h"} {
		if got := hours(x); got != want {
			t.Errorf("%v is written %q, want %q", x, got, want)
		}
	}
}
