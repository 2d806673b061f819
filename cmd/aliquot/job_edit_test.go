package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// atTerminal runs a command line at a terminal with an answer that the editor leaves alone.
func (d *desk) atTerminal(answer, line string) outcome {
	d.Helper()
	path := filepath.Join(d.TempDir(), "keyboard")
	if err := os.WriteFile(path, []byte(answer+"\n"), 0o600); err != nil {
		d.Fatal(err)
	}
	in, err := os.Open(path)
	if err != nil {
		d.Fatal(err)
	}
	defer in.Close()
	return d.do(&app{in: in, person: true}, strings.Fields(line))
}

func TestAnEditedJobIsSubmittedAnewAndTheOldOneIsCancelledOnRequest(t *testing.T) {
	for answer, want := range map[string]struct {
		said      string
		cancelled bool
	}{
		"y": {"j1 is cancelled.\n", true}, "": {"j1 goes on beside the new job.\n", false},
	} {
		d := rich(t)
		d.env["EDITOR"] = "sed -i s/500m/250m/"
		o := d.atTerminal(answer, "job edit j1")
		if o.code != exitDone || o.out != "j2\n" || !strings.HasSuffix(o.err, "[y/N] "+want.said) {
			t.Errorf("answer %q: %+v", answer, o)
		}
		if gone := d.Latest().Job(1) == nil; gone != want.cancelled || d.Latest().Job(2).Spec.Need != 250 {
			t.Errorf("answer %q: gone is %v, and the new job is %+v", answer, gone, d.Latest().Job(2))
		}
	}
}

func TestWhereNobodyCanBeAskedTheOldJobGoesOnWithoutYes(t *testing.T) {
	d := rich(t)
	d.env["EDITOR"] = "sed -i s/500m/250m/"
	if o := d.run("job edit j1"); o.code != exitDone || o.err != "j1 goes on beside the new job.\n" {
		t.Errorf("without --yes: %+v", o)
	}
	if o := d.run("job edit j1 --yes"); o.code != exitDone || o.out != "j3\n" || o.err != "j1 is cancelled.\n" {
		t.Errorf("with --yes: %+v", o)
	}
	if o := d.run("job edit j1 --yes"); o.code != exitDone || o.out != "j4\n" || o.err != "" {
		t.Errorf("a job that has ended: %+v", o)
	}
}

func TestAnEditThatChangesNothingOrFailsSubmitsNothing(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	d := rich(t)
	for editor, want := range map[string]struct {
		code int
		said string
	}{
		"true":                    {exitDone, "Nothing is changed, and nothing is submitted.\n"},
		"false":                   {exitFailed, "edit the job with false"},
		"sed -i s/cpu/cpus/":      {exitUsage, "cpus"},
		"sed -i s/500m/9000000m/": {exitFailed, "cpu: must be"},
	} {
		d.env["EDITOR"] = editor
		if o := d.run("job edit j1 --yes"); o.code != want.code || o.out != "" || !strings.Contains(o.err, want.said) {
			t.Errorf("%s: %+v", editor, o)
		}
	}
	if d.Latest().Job(1) == nil {
		t.Error("the old job is gone")
	}
}

func TestAnEditThatIsRefusedIsEditedAgainWithTheReasonOnTop(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	d := rich(t)
	d.env["EDITOR"] = `sed -i -e s/9000000m/250m/ -e s/500m/9000000m/`
	o := d.atTerminal("", "job edit j1")
	if o.code != exitDone || o.out != "j2\n" || d.Latest().Job(2).Spec.Need != 250 {
		t.Errorf("%+v", o)
	}
	if left := kept(t); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestWhatWasWrittenIsKeptWhenItsSubmissionFails(t *testing.T) {
	for _, terminal := range []bool{true, false} {
		t.Setenv("TMPDIR", t.TempDir())
		d := rich(t)
		d.env["EDITOR"] = "sed -i s/500m/9000000m/"
		o := d.do(&app{in: strings.NewReader(""), person: terminal}, []string{"job", "edit", "j1"})
		left := kept(t)
		if len(left) != 1 {
			t.Fatalf("kept %v: %+v", left, o)
		}
		if o.code != exitFailed || !strings.Contains(o.err, "Submit it with: aliquot job submit --file "+left[0]+"\n") {
			t.Errorf("at a terminal %v: %+v", terminal, o)
		}
		text, err := os.ReadFile(left[0])
		if err != nil || !strings.Contains(string(text), "9000000m") ||
			strings.HasPrefix(string(text), "# This was refused: cpu: must be") != terminal {
			t.Errorf("at a terminal %v: %s", terminal, text)
		}
	}
}

func TestOfAnEditedFileOnlyTheJobsThatWereNotAcceptedAreToBeSubmittedAgain(t *testing.T) {
	for _, command := range []string{"job edit j1", "job copy j1 --edit"} {
		t.Setenv("TMPDIR", t.TempDir())
		d := rich(t)
		d.env["EDITOR"] = `printf -- '---\n{cpu: 1, memory: 9000Gi, command: [ls]}\n' >>`
		o := d.atTerminal("", command)
		left := kept(t)
		if len(left) != 1 {
			t.Fatalf("%s kept %v: %+v", command, left, o)
		}
		want := "Submit the rest with: aliquot job submit --file " + left[0] + " --from 2\n"
		if o.code != exitFailed || o.out != "j2\n" || !strings.Contains(o.err, want) || d.Latest().Job(3) != nil {
			t.Errorf("%s: %+v", command, o)
		}
	}
}

// torn is an output whose reader has gone.
type torn struct{}

func (torn) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestAnEditedJobThatIsAcceptedIsNotEditedAgainWhenItsIDCannotBeShown(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	d := rich(t)
	d.env["EDITOR"] = "sed -i -e s/250m/125m/ -e s/500m/250m/"
	o := d.do(&app{in: strings.NewReader(""), out: torn{}, person: true},
		strings.Fields("job edit j1 -o json"))
	if o.code != exitFailed || !strings.Contains(o.err, "all is submitted, but its ids cannot be shown: ") ||
		strings.Contains(o.err, "Submit it") {
		t.Errorf("%+v", o)
	}
	if d.Latest().Job(2) == nil || d.Latest().Job(3) != nil || len(kept(t)) != 0 {
		t.Errorf("submitted twice, or kept %v", kept(t))
	}
}

// kept lists the files in the folder for temporary ones.
func kept(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(os.TempDir(), "aliquot-*.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	return files
}
