package monitor

import (
	"strings"
	"testing"

	"github.com/rs/zerolog"

	"aliquot/cluster"
)

func TestAStoreThatAnswersAgainIsNoWarning(t *testing.T) {
	var log strings.Builder
	a, err := New(Config{Name: "n1", Data: t.TempDir(), Log: zerolog.New(&log)}, &hypervisor{list: nothing}, &line{},
		present{})
	if err != nil {
		t.Fatal(err)
	}
	look := func(unread ...cluster.RunID) string {
		s := snapshot{why: errSlow, unread: map[cluster.RunID]bool{}}
		for _, run := range unread {
			s.unread[run] = true
		}
		log.Reset()
		a.distrust(&s)
		return log.String()
	}
	if said := look(); said != "" {
		t.Errorf("of nothing: %s", said)
	}
	if said := look(someRun); !strings.Contains(said, `"level":"warn"`) || !strings.Contains(said, `"runs":1`) {
		t.Errorf("of one run: %s", said)
	}
	if said := look(); !strings.Contains(said, `"level":"info"`) || !strings.Contains(said, "readable again") {
		t.Errorf("of none any more: %s", said)
	}
}
