package main

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"

	"aliquot/client"
	"aliquot/cluster"
	"aliquot/web/api"
	"aliquot/web/webtest"
)

func TestTablesShowTheCluster(t *testing.T) {
	d := busy(t)
	for file, line := range map[string]string{
		"job_list.txt":      "job list",
		"job_list_all.txt":  "job list --all",
		"job_list_blue.txt": "job list --label team=blue",
		"job_show.txt":      "job show j1",
		"job_show_end.txt":  "job show j3",
		"node_list.txt":     "node list",
		"manager_list.txt":  "manager list",
		"node_show.txt":     "node show n1",
		"overview.txt":      "overview",
		"top.txt":           "top --once --recent 876000h",
		"history.txt":       "events --job j2",
		"image_list.txt":    "image list",
		"policy.txt":        "policy get",
		"policy_list.txt":   "policy list",
	} {
		golden(t, file, d.ok(line))
	}
}

func TestPluralsAndLsAreUnderstood(t *testing.T) {
	d := busy(t)
	for line, same := range map[string]string{
		"jobs ls": "job list", "nodes list": "node list", "job ls --all": "job list --all", "images ls": "image list",
		"policies get": "policy get", "jobs": "job list", "-o json jobs --all": "-o json job list --all",
		"nodes": "node list", "history --job j2": "events --job j2",
	} {
		if got, want := d.ok(line), d.ok(same); got != want {
			t.Errorf("aliquot %s prints\n%s, not\n%s", line, got, want)
		}
	}
}

func TestNewcomersAreToldWhatToDoFirst(t *testing.T) {
	d := newDesk(t)
	if out := d.ok("job list"); !strings.Contains(out, "aliquot job submit") {
		t.Errorf("job list: %s", out)
	}
	if out := d.ok("node list"); !strings.Contains(out, "aliquot node invite") {
		t.Errorf("node list: %s", out)
	}
}

func TestTheTimeIsSetToThatOfTheMachineOrToThatGiven(t *testing.T) {
	d := newDesk(t)
	d.ok("manager set-time now")
	if now := d.Latest().State.Now; time.Since(time.UnixMicro(int64(now))).Abs() > time.Hour {
		t.Errorf("set to %v", time.UnixMicro(int64(now)))
	}
	d.ok("manager set-time 2026-11-24T16:30:00Z")
	if now, want := d.Latest().State.Now,
		time.Date(2026, 11, 24, 16, 30, 0, 0, time.UTC); !time.UnixMicro(int64(now)).Equal(want) {
		t.Errorf("set to %v, want %v", time.UnixMicro(int64(now)), want)
	}
}

func TestHelpTeachesWithExamples(t *testing.T) {
	d := newDesk(t)
	golden(t, "help.txt", d.ok("--help"))
	golden(t, "help_submit.txt", d.ok("job submit --help"))
	golden(t, "help_plan.txt", d.ok("plan --help"))
}

func TestEveryCommandHasAnExampleThatItUnderstands(t *testing.T) {
	root := (&app{}).root()
	root.InitDefaultHelpCmd()
	for _, group := range root.Commands() {
		for _, c := range append(group.Commands(), group) {
			if !c.Runnable() || c.HasSubCommands() && c.Name() != "plan" || c.Name() == "help" || c.Hidden {
				continue
			}
			if c.Example == "" || c.Long == "" || c.Short == "" {
				t.Errorf("%s has no example or explanation", c.CommandPath())
			}
			if !strings.Contains(c.Example, c.CommandPath()) {
				t.Errorf("the examples of %s do not show it: %s", c.CommandPath(), c.Example)
			}
		}
	}
}

func TestHelpFitsATerminal(t *testing.T) {
	root := (&app{}).root()
	for _, group := range root.Commands() {
		for _, c := range append(group.Commands(), group) {
			for _, line := range strings.Split(c.Long, "\n") {
				if len(line) > 100 {
					t.Errorf("%s: %d columns: %s", c.CommandPath(), len(line), line)
				}
			}
		}
	}
}

func TestExitCodesSayWhatKindOfFailureItWas(t *testing.T) {
	d := busy(t)
	for line, want := range map[string]int{
		"job list":                               exitDone,
		"job show j99":                           exitFailed,
		"job cancel j1 j99":                      exitFailed,
		"job submit --cpu 64 --memory 1":         exitFailed,
		"job":                                    exitUsage,
		"jobs j1":                                exitUsage,
		"consoles":                               exitUsage,
		"job show":                               exitUsage,
		"job list --colour":                      exitUsage,
		"job list -o xml":                        exitUsage,
		"job submit --name x":                    exitUsage,
		"job submit --cpu 1 --memory 64Mi -e X":  exitUsage,
		"job submit -n 0 --cpu 1 --memory 64Mi":  exitUsage,
		"plan submit -n -1 --cpu 1 --memory 1Mi": exitUsage,
		"job submit --file nowhere.yaml":         exitUsage,
		"node confirm-down n1":                   exitUsage,
		"manager set-time noon":                  exitUsage,
		"events --since 3":                       exitUsage,
		"events -f --limit 3":                    exitUsage,
		"events --limit 0":                       exitUsage,
		"top --interval 1ms":                     exitUsage,
		"image push mine":                        exitUsage,
		"--token-file nowhere job list":          exitUsage,
		"--manager ftp://x job list":             exitUsage,
		"--manager http://192.0.2.1 job list":    exitUsage,
		"--manager 127.0.0.1:1 job list":         exitUnreachable,
	} {
		if o := d.run(line); o.code != want || o.code != exitDone && o.err == "" {
			t.Errorf("aliquot %s: exit code %d, want %d: %s", line, o.code, want, o.err)
		}
	}
}

func TestErrorsSayWhatToDo(t *testing.T) {
	d := busy(t)
	var story strings.Builder
	for _, line := range []string{
		"job submit --cpu 64 --memory 64Mi -- true", "job submit --cpu 1 --memory 64Mi",
		"job submit --cpu lots --memory 64Mi", "job submit --cpu 1", "job show j99", "job show 17",
		"job frobnicate", "job shwo j1", "job show", "job list --colour", "node drain n9", "node confirm-down n1",
		"policy set Guess", "-o xml job list",
		"node confirm-down n1 --yes", "plan drain n9", "job cancel j3", "job cancel j99 17", "image rm nothing",
		"image rm busybox",
		"events --job j99", "events --kind bogus", "events --kind job_finished",
	} {
		o := d.run(line)
		story.WriteString("$ aliquot " + line + "\n" + o.out + o.err + "\n")
	}
	golden(t, "errors.txt", story.String())
}

func TestJSONAndYAMLHoldTheSame(t *testing.T) {
	d := busy(t)
	var fromJSON, fromYAML api.Job
	if err := json.Unmarshal([]byte(d.ok("job show j1 -o json")), &fromJSON); err != nil {
		t.Fatal(err)
	}
	var tree any
	text := d.ok("job show j1 -o yaml")
	if err := yaml.Unmarshal([]byte(text), &tree); err != nil {
		t.Fatal(err)
	}
	again, err := json.Marshal(tree)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(again, &fromYAML); err != nil {
		t.Fatal(err)
	}
	if fromJSON.ID != "j1" || len(fromJSON.Tasks) != 2 || fromJSON.Spec.CPU != fromYAML.Spec.CPU ||
		*fromJSON.Tasks[0].UsedMillicores != *fromYAML.Tasks[0].UsedMillicores {
		t.Errorf("JSON %+v, YAML %+v", fromJSON, fromYAML)
	}
	golden(t, "job.yaml", text)
}

func TestYAMLKeepsTextThatLooksLikeSomethingElse(t *testing.T) {
	text, err := toYAML(map[string]string{"a": "1", "b": "true", "c": "null", "d": "- x", "e": "two\nlines", "f": ""})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]any{}
	if err := yaml.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	for k, want := range map[string]string{"a": "1", "b": "true", "c": "null", "d": "- x", "e": "two\nlines", "f": ""} {
		if got[k] != want {
			t.Errorf("%s came back as %#v, want %q", k, got[k], want)
		}
	}
}

func TestJobsAreSubmittedFromAFile(t *testing.T) {
	d := newDesk(t)
	path := filepath.Join(t.TempDir(), "job.yaml")
	file := "name: one\ncpu: 1.5\nmemory: 96Mi\ncommand: [env]\nenv: {N: 7}\nrestart: {onFailure: 2, onLoss: false}\n---\nname: two\ncpu: 2\nmemory: 16777216\ncommand: [\"true\"]\ntasks: 3\nplacement:\n  spread: true\nclass: either\n"
	if err := os.WriteFile(path, []byte(file), 0o600); err != nil {
		t.Fatal(err)
	}
	if out := d.ok("job submit --file " + path); out != "j1\nj2\n" {
		t.Errorf("printed %q", out)
	}
	one, two := d.Latest().Job(1).Spec, d.Latest().Job(2).Spec
	if one.Need != 1500 || one.Restarts != 2 || !one.FailOnLoss || one.Env[0] != (cluster.Pair{Key: "N", Value: "7"}) {
		t.Errorf("one is %+v", one)
	}
	if two.Need != 2000 || two.Tasks != 3 || !two.Placement.Spread || two.Requirement.Memory != 16*cluster.MiB ||
		two.Class != cluster.EitherClass {
		t.Errorf("two is %+v", two)
	}
	if o := d.typeWith("name: three\ncpu: 1\nmemory: 64Mi\ncommand: [env]\n", "job", "submit", "-f", "-", "--name", "four",
		"--cpu", "250m", "--restart-on-loss=false", "--class", "background"); o.out != "j3\n" {
		t.Fatalf("from standard input: %+v", o)
	}
	if s := d.Latest().Job(3).Spec; s.Name != "four" || s.Need != 250 || !s.FailOnLoss ||
		s.Class != cluster.BackgroundClass {
		t.Errorf("the flags did not change the file's job: %+v", s)
	}
}

func TestMistakesInAFileAreShownWithTheirLine(t *testing.T) {
	d := newDesk(t)
	for text, want := range map[string]string{
		"cpu: 1\nmemroy: 64Mi\n":                  `standard input:2: there is no field "memroy"; known are name, tasks, cpu, memory`,
		"cpu: 1\nmemory: 64Mi\ntasks: many\n":     "standard input:3: a whole number is expected here",
		"cpu: 1\nmemory: 64Mi\ntasks: 0\n":        "standard input:3: must be at least 1",
		"cpu: 1\nmemory: [64Mi]\n":                "standard input:2: text is expected here",
		"cpu: 1\nmemory: 64Mi\ncommand: true\n":   "standard input:3: a list is expected here",
		"cpu: 1\nmemory: 64Mi\nenv: [A=1]\n":      "standard input:3: a list of `name: value` is expected here",
		"cpu: 1\ncpu: 2\n":                        `standard input:2: "cpu" is there twice`,
		"cpu: 1\nplacement:\n  spread: perhaps\n": "standard input:3: true or false is expected here",
		"limits: {memory: 1}\n":                   `there is no field "memory"; known are runtime, logBytes`,
		"cpu: [1\n":                               "standard input: yaml:",
		"name: w\ntasks:\n- {name: a}\n":          "standard input:2: this is a workflow: `aliquot workflow submit -`",
		"tasks: {a: {job: {}}}\n":                 "standard input:1: this is a workflow: `aliquot workflow submit -`",
		"":                                        "standard input holds no job",
	} {
		o := d.typeWith(text, "job", "submit", "-f", "-")
		if o.code != exitUsage || !strings.Contains(o.err, want) {
			t.Errorf("%q: exit code %d, %s\nwant %s", text, o.code, o.err, want)
		}
	}
	if jobs, _, _ := d.Latest().Counts(); jobs != 0 {
		t.Errorf("%d jobs were submitted", jobs)
	}
}

func TestSameKeySubmitsOnce(t *testing.T) {
	d := newDesk(t)
	line := "job submit --key k1 --cpu 1 --memory 64Mi -- true"
	if first, second := d.ok(line), d.ok(line); first != "j1\n" || second != "j1\n" {
		t.Errorf("submitted %q, then %q", first, second)
	}
	if o := d.run("job submit --key k1 --cpu 2 --memory 64Mi -- true"); o.code != exitFailed ||
		!strings.Contains(o.err, "Use a new --key") || strings.Contains(o.err, "Idempotency") {
		t.Errorf("another job with the key: %+v", o)
	}
}

func TestAllIsAdvisedOnlyWhereItWasNotGiven(t *testing.T) {
	d := newDesk(t)
	for line, want := range map[string]bool{"job list": true, "job list --all": false, "job list --state ended": false} {
		if out := d.ok(line); strings.Contains(out, "--all") != want || !strings.HasPrefix(out, "No such jobs") {
			t.Errorf("%s: %s", line, out)
		}
	}
}

func TestAPlacedTaskIsToldFromOneThatWaitsForADecision(t *testing.T) {
	d := newDesk(t)
	n1 := d.Join(t, "n1", 1200, 512*cluster.MiB)
	d.ok("job submit --name placed --cpu 1 --memory 64Mi -- true")
	d.ok("job submit --name undecided --cpu 1 --memory 64Mi -- true")
	d.Place(t, 1, 500, n1)
	out := d.ok("top --once")
	for _, want := range []string{"j1   placed     0     to start  →n1 ", "j2   undecided  0     waiting   -  "} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing in\n%s", want, out)
		}
	}
	if out := d.ok("job show j1"); !strings.Contains(out, "to start  →n1") {
		t.Errorf("the job does not say where it is to start:\n%s", out)
	}
}

func TestTopEndsWhenAllIsDone(t *testing.T) {
	d := busy(t)
	d.ok("job cancel j4 j5 --cause enough")
	done := make(chan outcome)
	go func() { done <- d.run("top --until-done --interval 100ms") }()
	d.Report(t, 2, cluster.Observation{Run: cluster.RunID{Job: 2, Number: 1},
		Move: d.Latest().Move(cluster.TaskID{Job: 2}).ID, Seen: cluster.SeenArrived, Cap: 250})
	for _, run := range []cluster.RunID{{Job: 1, Index: 0, Number: 1}, {Job: 1, Index: 1, Number: 1},
		{Job: 2, Number: 1}} {
		d.Exit(t, run, 0)
	}
	o := <-done
	last := o.out[strings.LastIndex(o.out, "Jobs:"):]
	if o.code != exitDone || !strings.HasPrefix(last, "Jobs: 2 succeeded, 1 failed, 2 cancelled.") {
		t.Errorf("exit code %d, last table:\n%s%s", o.code, last, o.err)
	}
}

func TestTopWaitsForNamedJobsOnly(t *testing.T) {
	d := busy(t)
	if o := d.run("top --until-done j3"); o.code != exitDone || !strings.Contains(o.out, "render") {
		t.Errorf("one that has ended: %+v", o)
	}
	if o := d.run("top --until-done j3 j99"); o.code != exitFailed || !strings.Contains(o.err, "j99") {
		t.Errorf("one that does not exist: %+v", o)
	}
	if o := d.run("top j3"); o.code != exitUsage {
		t.Errorf("without waiting: %+v", o)
	}
}

func TestLogsOfSeveralTasksAreToldApart(t *testing.T) {
	d := busy(t)
	d.Print(cluster.RunID{Job: 1, Index: 0, Number: 1}, "a\nb\n")
	d.Print(cluster.RunID{Job: 1, Index: 1, Number: 1}, "c")
	d.Print(cluster.RunID{Job: 2, Index: 0, Number: 1}, "alone")
	if out := d.ok("job logs j1"); out != "0| a\n0| b\n1| c\n" {
		t.Errorf("both tasks: %q", out)
	}
	if out := d.ok("job logs j1 --task 1"); out != "c" {
		t.Errorf("one task: %q", out)
	}
	if out := d.ok("job logs j1/1"); out != "c" {
		t.Errorf("one task by its name: %q", out)
	}
	if out := d.ok("job logs j2"); out != "alone" {
		t.Errorf("the only task: %q", out)
	}
}

func TestGuestThatDiedIsExplainedByItsConsole(t *testing.T) {
	d := busy(t)
	run := cluster.RunID{Job: 1, Index: 1, Number: 1}
	d.SetConsole(run, "Kernel panic - not syncing: Out of memory\n")
	if o := d.run("job logs j1 --task 0 --console"); o.code != exitFailed || !strings.Contains(o.err, "no_logs") {
		t.Errorf("a console without a word: %+v", o)
	}
	if o := d.run("job logs j1 --console --stream stderr"); o.code != exitUsage {
		t.Errorf("two streams at once: %+v", o)
	}
	d.Report(t, 2, cluster.Observation{Run: run, Seen: cluster.SeenExited,
		Exit: &cluster.Exit{Cause: "the guest stopped"}})
	d.Exit(t, cluster.RunID{Job: 1, Index: 0, Number: 1}, 0)
	command := "aliquot job logs j1 --task 1 --console"
	if o := d.run("job wait j1"); o.code != exitFailed || o.out != "j1 failed after 2m: task 1: the guest stopped; see "+
		command+"\n" {
		t.Errorf("job wait: %+v", o)
	}
	if out := d.ok("job show j1"); !strings.Contains(out, command) {
		t.Errorf("job show: %s", out)
	}
	if out := d.ok(strings.TrimPrefix(command, "aliquot ")); out != "Kernel panic - not syncing: Out of memory\n" {
		t.Errorf("the console: %q", out)
	}
}

func TestFollowedLogBeginsWhenTheTaskDoes(t *testing.T) {
	d := newDesk(t)
	n1 := d.Join(t, "n1", 2000, 512*cluster.MiB)
	d.ok("job submit --cpu 1 --memory 64Mi -- true")
	done := make(chan outcome)
	go func() { done <- d.run("job logs -f j1") }()
	run := cluster.RunID{Job: 1, Number: 1}
	d.Print(run, "hello\n")
	d.Run(t, 1, 1000, n1)
	d.Exit(t, run, 0)
	if o := <-done; o.code != exitDone || o.out != "hello\n" {
		t.Errorf("followed %+v", o)
	}
}

func TestTokenIsPrintedAloneAndWorks(t *testing.T) {
	d := newDesk(t)
	d.env["ALIQUOT_TOKEN"] = strings.TrimSpace(d.ok("token create bot --role viewer"))
	if o := d.run("job submit --cpu 1 --memory 64Mi -- true"); o.code != exitFailed ||
		!strings.Contains(o.err, "has the role viewer; this needs user") {
		t.Errorf("a viewer submits: %+v", o)
	}
	if out := d.ok("token whoami"); !strings.Contains(out, "viewer") {
		t.Errorf("token whoami: %s", out)
	}
	d.env["ALIQUOT_TOKEN"] = "alq_unknown"
	if o := d.run("job list"); o.code != exitFailed || !strings.Contains(o.err, "ALIQUOT_TOKEN_FILE") {
		t.Errorf("an unknown token: %+v", o)
	}
	d.env["ALIQUOT_TOKEN"] = webtest.Admin
	list := d.ok("token list")
	if !strings.Contains(list, "bot") || strings.Contains(list, "alq_") {
		t.Errorf("token list: %s", list)
	}
	d.ok("token revoke t-bob")
	if list := d.ok("token list"); !strings.Contains(list, "revoked") {
		t.Errorf("token list: %s", list)
	}
}

func TestImageIsPushedFromAFolder(t *testing.T) {
	d := newDesk(t)
	folder := t.TempDir()
	for name, content := range map[string]string{"kernel": "vmlinuz", "initrd": "cpio", "cmdline": "quiet\n"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	reference := strings.TrimSpace(d.ok("image push mine " + folder))
	if list := d.ok("image list -o json"); !strings.Contains(list, "quiet") ||
		!strings.HasPrefix(reference, "mine@sha256:") {
		t.Errorf("pushed %s, listed:\n%s", reference, list)
	}
	d.ok("image rm " + reference)
	if o := d.run("image push mine " + t.TempDir()); o.code != exitFailed {
		t.Errorf("an empty folder: %+v", o)
	}
}

func TestImagesAreRemovedByTheNamesThatTheListShows(t *testing.T) {
	d := newDesk(t)
	push := func(name, kernel string) string {
		folder := t.TempDir()
		for file, content := range map[string]string{"kernel": kernel, "initrd": "cpio"} {
			if err := os.WriteFile(filepath.Join(folder, file), []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		return strings.TrimSpace(d.ok("image push " + name + " " + folder))
	}
	one, two := push("mine", "one"), push("mine", "two")
	short := func(reference string) string { return reference[:len("mine@sha256:")+12] }
	if o := d.run("image rm mine"); o.code != exitFailed || !strings.Contains(o.err, short(one)) ||
		!strings.Contains(o.err, short(two)) {
		t.Errorf("an ambiguous name: %+v", o)
	}
	for _, line := range strings.Split(strings.TrimSpace(d.ok("image list")), "\n") {
		if len(line) > 80 {
			t.Errorf("too wide for a terminal: %s", line)
		}
	}
	d.ok("job submit --image " + short(one) + " --cpu 1 --memory 64Mi -- true")
	if image := d.Latest().Job(1).Spec.Image; image != one {
		t.Errorf("the job runs %s, want %s", image, one)
	}
	d.ok("image rm " + short(two))
	d.ok("job cancel j1")
	d.ok("image rm mine")
	if o := d.run("image rm mine"); o.code != exitFailed ||
		!strings.Contains(o.err, "there is no image with that name or digest; there are busybox@sha256:aaaaaaaaaaaa") {
		t.Errorf("an image that is gone: %+v", o)
	}
}

func TestConfigurationIsStrict(t *testing.T) {
	d := newDesk(t)
	home := t.TempDir()
	path := filepath.Join(home, ".config", "aliquot", "config.yaml")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	token := filepath.Join(home, "token")
	if err := os.WriteFile(token, []byte(webtest.Alice+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	server := d.env["ALIQUOT_MANAGERS"]
	d.env = map[string]string{"HOME": home}
	write("managers: [" + server + "]\ntokenFile: " + token + "\n")
	d.ok("job list")
	write("managers: [" + server + "]\ntokenfile: " + token + "\n")
	if o := d.run("job list"); o.code != exitUsage || !strings.Contains(o.err, "line 2") ||
		!strings.Contains(o.err, "tokenfile") {
		t.Errorf("a typo: %+v", o)
	}
}

func TestOutputOfOthersCannotSteerTheTerminal(t *testing.T) {
	if got := oneLine("a\x1b[2Jb\nc\u0085"); got != "a?[2Jb?c?" {
		t.Errorf("%q", got)
	}
}

func TestPageIsCutToTheTerminal(t *testing.T) {
	for _, c := range []struct {
		page          string
		width, height int
		want          string
	}{
		{"short\n0123456789é\n", 8, 10, "\x1b[Hshort\x1b[K\n0123456…\x1b[K\n\x1b[J"},
		{"1\n2\n3\n4\n5\n", 80, 4, "\x1b[H1\x1b[K\n2\x1b[K\n… and 3 more lines\x1b[K\n\x1b[J"},
		{"1\n2\n", 0, 0, "\x1b[H1\x1b[K\n2\x1b[K\n\x1b[J"},
	} {
		if got := redraw(c.page, c.width, c.height); got != c.want {
			t.Errorf("%q at %d×%d: %q, want %q", c.page, c.width, c.height, got, c.want)
		}
	}
}

func TestTopOutlivesAManager(t *testing.T) {
	d := busy(t)
	d.ok("job cancel j4 j5")
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	c, err := client.New(client.Options{Managers: []string{d.env["ALIQUOT_MANAGERS"]}, Token: webtest.Admin,
		Patience: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	tables, complaints := newLines(), newLines()
	a := &app{out: tables, err: complaints, format: "table"}
	done := make(chan error)
	go func() { done <- a.top(ctx, c, topOptions{interval: 100 * time.Millisecond}) }()
	tables.await(t, "Jobs:")
	d.SetDown(true)
	complaints.await(t, "trying again")
	d.SetDown(false)
	tables.await(t, "Jobs:")
	cancel()
	if err := <-done; err != nil {
		t.Errorf("top ended with %v", err)
	}
}

// lines is a writer that lets a test wait for a text.
type lines struct{ written chan string }

func newLines() *lines { return &lines{make(chan string, 1000)} }

func (l *lines) Write(p []byte) (int, error) {
	select {
	case l.written <- string(p):
	default: // earlier text has been read already
	}
	return len(p), nil
}

// await waits for a text that was written after the text that earlier calls have found.
func (l *lines) await(t *testing.T, text string) {
	t.Helper()
	deadline := time.After(patience)
	for {
		select {
		case got := <-l.written:
			if strings.Contains(got, text) {
				return
			}
		case <-deadline:
			t.Fatalf("%q was not written", text)
		}
	}
}
