package config

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

type validator interface{ Validate() error }

func roles() map[string]validator {
	return map[string]validator{"manager": NewManager(), "monitor": NewMonitor(), "fence": NewFence()}
}

func TestDefaultsAreValidAndSurviveYAML(t *testing.T) {
	for name, role := range roles() {
		if err := role.Validate(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		text, err := Encode(role)
		if err != nil {
			t.Fatal(err)
		}
		again := roles()[name]
		for k := range Keys(again) {
			if k.Type() == "string" {
				if err := k.Set("other"); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := Decode(text, again); err != nil {
			t.Fatalf("%s: %v\n%s", name, err, text)
		}
		if diff := cmp.Diff(role, again, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestEveryKeyCanBeSetFromItsOwnText(t *testing.T) {
	for name, role := range roles() {
		for k := range Keys(role) {
			if k.Name == "" || k.Usage == "" {
				t.Errorf("%s has a key without a name or usage: %+v", name, k)
			}
			before := k.String()
			if err := k.Set(before); err != nil || k.String() != before {
				t.Errorf("%s: %s became %q: %v", name, k.Name, k.String(), err)
			}
		}
	}
}

func TestBadConfigurationsAreRefusedWithKeyAndAdvice(t *testing.T) {
	for _, c := range []struct{ role, yaml, want string }{
		{"manager", "colour: blue", "line 1: there is no key \"colour\"; known are data, secrets, replica, members"},
		{"manager", "data: x\ndata: y", "line 2: data is there twice"},
		{"manager", "replica: many", `line 1: replica: "many" is not allowed: write a whole number`},
		{"manager", "replica: -1", `replica: "-1" is not allowed`},
		{"manager", "replica: 0", "replica: 0 is not allowed: replicas count from 1"},
		{"manager", "data: relative/path", `data: "relative/path" is not allowed: give an absolute path`},
		{"manager", `data: ""`, "data: \"\" is not allowed"},
		{"manager", "rest: 7420", `rest: "7420" is not allowed: give HOST:PORT`},
		{"manager", "rest: 127.0.0.1:http", "rest: "},
		{"manager", "link: 127.0.0.1:99999", "link: "},
		{"manager", "link: 0.0.0.0:7422", "link: 0.0.0.0 is not allowed: give the one address"},
		{"manager", "rest: '[::]:7420'", "rest: :: is not allowed"},
		{"manager", "members: [1=0.0.0.0:1]", "members, 1: 0.0.0.0 is not allowed"},
		{"manager", "urls: ['1=https://0.0.0.0:7420']", "urls: 0.0.0.0 is not allowed"},
		{"monitor", "managers: ['[::]:7422']", "managers: :: is not allowed"},
		{"manager", "lease: 2", `line 1: lease: "2" is not allowed: write a number with its unit, such as 2m`},
		{"manager", "period: 1ms", "period: 1ms is not allowed: give 1s to 24h0m0s"},
		{"manager", "lease: 0s", "lease: 0s is not allowed"},
		{"manager", "lease: 1s", "give 5s to 1h0m0s"},
		{"manager", "fence-margin: -5s", "fence-margin: -5s is not allowed"},
		{"manager", "fence-margin: 11s", "fence-margin: 11s is not allowed: give 12s to 1h0m0s"},
		{"manager", "image: guest", `image: "guest" is not allowed: give auto, none or an absolute path`},
		{"monitor", `trial-image: ""`, "trial-image: "},
		{"manager", `policy: ""`, "policy: "},
		{"manager", "past-size: 1Mi", "past-size: 1Mi is not allowed: give 16Mi or more"},
		{"manager", "audit-age: 1h", "audit-age: 1h0m0s is not allowed: give 24h0m0s to"},
		{"manager", "audit-size: 1Mi", "audit-size: 1Mi is not allowed: give 16Mi or more"},
		{"manager", `audit-syslog: ""`, `audit-syslog: "" is not allowed: give none, udp://HOST:PORT`},
		{"manager", "audit-syslog: /dev/log", "audit-syslog: "},
		{"manager", "audit-syslog: udp://10.0.0.9", "audit-syslog: "},
		{"manager", "audit-syslog: http://10.0.0.9:514", "audit-syslog: "},
		{"manager", "audit-syslog: unix://dev/log", "audit-syslog: "},
		{"manager", "log-level: loud", `log-level: "loud" is not allowed: give debug`},
		{"manager", "members: [1=127.0.0.1:1, 1=127.0.0.1:2]", "given once"},
		{"manager", "members: [2=127.0.0.1:1]", "replica 1, which is this one, is not among them"},
		{"manager", "members: ['1=127.0.0.1:1', '2=nowhere']", "members, 2"},
		{"manager", "members: ['1=127.0.0.1:1', '2=127.0.0.1:2']\nlinks: ['1=127.0.0.1:3']",
			"links: [1=127.0.0.1:3] is not allowed: it must name the same managers as members: 2 is missing"},
		{"manager", "members: ['1=127.0.0.1:1', '2=127.0.0.1:2']\nurls: ['1=http://127.0.0.1:3', '3=http://127.0.0.1:4']",
			"it must name the same managers as members: 2 is missing, 3 is too many"},
		{"manager", "urls: ['1=http://127.0.0.1:3']", "it must name the same managers as members: 1 is too many"},
		{"manager", "urls: ['1=ftp://x']", "urls: ftp://x is not allowed"},
		{"manager", "join: maybe", `join: "maybe" is not allowed: write true or false`},
		{"manager", "data:\nreplica: 1", "line 1: data: one plain value is wanted"},
		{"manager", "data: [x]", "data: one plain value is wanted"},
		{"manager", "members: 1=127.0.0.1:1", "members: write a list"},
		{"manager", "members: [[1]]", "members: entry 1 is not plain text"},
		{"manager", "data: {", "line 1"},
		{"manager", "--- {}\n--- {}", "more after the end"},
		{"manager", "[1, 2]", "line 1: settings are written as `key: value`"},
		{"monitor", "node: Node One", "node: "},
		{"monitor", "managers: []", "managers: [] is not allowed"},
		{"monitor", "managers: [here]", "managers: "},
		{"monitor", "cpu: 12x", "no amount of CPU"},
		{"monitor", "cpu: -5m", "no amount of CPU"},
		{"monitor", "memory: 5GB", "no amount of memory"},
		{"monitor", `class: "a\tb"`, "is not a class of nodes: use up to 64 bytes of printable text"},
		{"monitor", "speed: fast", "no speed: write a number from 0.05 to 10 like 0.8, where 1 is the reference; or none, or measured"},
		{"monitor", "uri: nonsense", "uri: "},
		{"monitor", "accel: warp", `accel: "warp" is not allowed: give auto, kvm or tcg`},
		{"monitor", "labels: [a]", "labels: "},
		{"monitor", "labels: [a=1, a=2]", "given twice"},
		{"monitor", "store: here", "store: "},
		{"monitor", "store: ''", `store: "" is not allowed: give an absolute path`},
		{"monitor", "images: /var/lib/aliquot/store/copies",
			`images: "/var/lib/aliquot/store/copies" is not allowed: give a folder of this node's own disk`},
		{"monitor", "store: /srv/a\nimages: /srv/a/../a", "images: "},
		{"fence", "fence-after: 0s", "fence-after: "},
		{"fence", "watchdog: dog", `watchdog: "dog" is not allowed: give auto, none or a device`},
		{"fence", `watchdog: ""`, "watchdog: "},
		{"fence", "uri: ''", "uri: "},
	} {
		role := roles()[c.role]
		err := Decode([]byte(c.yaml), role)
		if err == nil {
			err = role.Validate()
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s with %q: got %v, want %q", c.role, c.yaml, err, c.want)
		}
	}
}

func TestAFileWithoutSettingsChangesNothing(t *testing.T) {
	for _, text := range []string{"", "# nothing\n", "---\n", "{}"} {
		m := NewManager()
		if err := Decode([]byte(text), m); err != nil {
			t.Errorf("%q: %v", text, err)
		}
		if diff := cmp.Diff(NewManager(), m); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	}
}

func TestEnvironmentOverridesAndNamesTheVariableInErrors(t *testing.T) {
	m := NewMonitor()
	env := map[string]string{"ALIQUOTD_CPU": "1.5", "ALIQUOTD_MANAGERS": "a:1,b:2", "ALIQUOTD_RESERVE_MEMORY": "1Gi"}
	look := func(k string) (string, bool) { v, ok := env[k]; return v, ok }
	if err := Environment(m, look); err != nil {
		t.Fatal(err)
	}
	if m.CPU != 1500 || len(m.Managers) != 2 || m.Reserve != 1<<30 {
		t.Errorf("got %+v", m)
	}
	env["ALIQUOTD_CPU"] = "fast"
	if err := Environment(m, look); err == nil || !strings.Contains(err.Error(), "ALIQUOTD_CPU") {
		t.Errorf("got %v", err)
	}
}

func TestFlagsThatWereGivenWin(t *testing.T) {
	file, flags := NewFence(), NewFence()
	file.URI, flags.URI, flags.Data = "xen:///system", "test:///default", "/elsewhere"
	Merge(file, flags, func(name string) bool { return name == "data" })
	if file.Data != "/elsewhere" || file.URI != "xen:///system" {
		t.Errorf("got %+v", file)
	}
}

func FuzzDecode(f *testing.F) {
	text, err := Encode(NewManager())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add([]byte("members: [1=127.0.0.1:1]"))
	f.Add([]byte("members: &a [*a]"))
	f.Fuzz(func(t *testing.T, text []byte) {
		m := NewManager()
		if Decode(text, m) != nil || m.Validate() != nil {
			return
		}
		again, err := Encode(m)
		if err != nil {
			t.Fatal(err)
		}
		if err := Decode(again, NewManager()); err != nil {
			t.Fatalf("%s: %v", again, err)
		}
	})
}

func TestWhatIsWrongIsToldOnce(t *testing.T) {
	for yaml, c := range map[string]struct{ role, once string }{
		"migrate-uri: qemu+ssh://n1/system":       {"monitor", "is not allowed"},
		"members: [1=127.0.0.1:1, 1=127.0.0.1:2]": {"manager", "members: "},
	} {
		r := roles()[c.role]
		if err := Decode([]byte(yaml), r); err != nil {
			t.Fatal(err)
		}
		if err := r.Validate(); err == nil || strings.Count(err.Error(), c.once) != 1 {
			t.Errorf("%s: %v", yaml, err)
		}
	}
}
