package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"aliquot/cluster"
)

func TestAPromiseThatLacksAFlagIsNotSent(t *testing.T) {
	d := newDesk(t)
	d.Join(t, "n1", 2000, 1024*cluster.MiB)
	for flags, want := range map[string]string{
		"--start 10m":                           "--start needs --for",
		"--for 2h":                              "--for needs --start, like --start 14:00, or --deadline",
		"--deadline 18:00":                      "--deadline needs --for or --work",
		"--work 2h":                             "--work needs --deadline, like --deadline 18:00",
		"--ready 2h":                            "--ready needs --deadline",
		"--pausable":                            "--pausable needs --deadline",
		"--pausable --for 1h":                   "--pausable needs --deadline",
		"--start 10m --deadline 18:00 --for 1h": "not both",
	} {
		for _, verb := range []string{"job submit", "reservation create"} {
			o := d.run(verb + " --cpu 100m --memory 64Mi " + flags + " -- true")
			if o.code != exitUsage || !strings.Contains(o.err, want) {
				t.Errorf("%s %s: %+v, want %q", verb, flags, o, want)
			}
		}
	}
}

func TestANumberBelowItsLimitIsRefusedWithTheLimit(t *testing.T) {
	d := newDesk(t)
	for flag, want := range map[string]string{
		"-n 0": "--tasks is 0, must be a whole number from 1", "-n x": "--tasks is x, must be a whole number from 1",
		"--restart-on-failure -1": "--restart-on-failure is -1, must be a whole number from 0",
	} {
		if o := d.run("job submit " + flag + " --cpu 1 --memory 96Mi -- true"); o.code != exitUsage ||
			!strings.HasPrefix(o.err, "aliquot: "+want+"\n") {
			t.Errorf("%s: %+v", flag, o)
		}
	}
}

func TestALabelThatIsRefusedSaysWhatItLacks(t *testing.T) {
	d := newDesk(t)
	for label, want := range map[string]string{"x": `"x" lacks a =`, "=x": `"=x" lacks a name before the =`} {
		if o := d.run("job submit --label " + label + " --cpu 1 --memory 96Mi -- true"); o.code != exitUsage ||
			!strings.Contains(o.err, want+": write NAME=VALUE") {
			t.Errorf("%s: %+v", label, o)
		}
	}
}

func TestAFileIsCheckedAsAWholeBeforeItsFirstJobIsSubmitted(t *testing.T) {
	d := newDesk(t)
	d.Join(t, "n1", 1000, 512*cluster.MiB)
	file := "{cpu: 1, memory: 96Mi, command: [ls]}\n---\n{cpu: 1, memory: 4096Mi, command: [ls]}\n---\n{cpu: 1, memory: 96, command: [ls]}\n"
	o := d.typeWith(file, "job", "submit", "--file", "-")
	if o.code != exitFailed || o.out != "" || !strings.Contains(o.err, "job 2 of the file: memory: ") ||
		!strings.Contains(o.err, "job 3 of the file: memory: is 96 bytes; you may mean 96Mi (invalid); nothing is submitted\n") {
		t.Errorf("%+v", o)
	}
	mended := strings.ReplaceAll(strings.ReplaceAll(file, "4096Mi", "64Mi"), "96,", "96Mi,")
	if o := d.typeWith(mended, "job", "submit", "--file", "-"); o.code != exitDone || o.out != "j1\nj2\nj3\n" {
		t.Errorf("%+v", o)
	}
}

func TestAFileWithARefusedJobSaysWhichAreSubmittedAndHowToGoOn(t *testing.T) {
	d := newDesk(t)
	d.Join(t, "n1", 1000, 512*cluster.MiB)
	d.ok("quota set --project default --jobs 1")
	file := strings.Repeat("{cpu: 1, memory: 96Mi, command: [ls]}\n---\n", 2) + "{cpu: 1, memory: 64Mi, command: [ls]}\n"
	o := d.typeWith(file, "job", "submit", "--file", "-")
	if o.code != exitFailed || o.out != "j1\n" || !strings.Contains(o.err, "job 2 of the file: ") ||
		!strings.Contains(o.err, "1 job before it is: when it is mended, go on with --from 2\n") {
		t.Errorf("%+v", o)
	}
	d.ok("quota set --project default")
	if o := d.typeWith(file, "job", "submit", "--file", "-", "--from", "2"); o.code != exitDone || o.out != "j2\nj3\n" {
		t.Errorf("%+v", o)
	}
	if o := d.typeWith(file, "job", "submit", "--file", "-", "--from", "4"); o.code != exitUsage ||
		!strings.Contains(o.err, "--from is 4, must be a number from 1 to 3") {
		t.Errorf("%+v", o)
	}
}

// checksWith makes the desk's managers answer every check of a job with that problem. It returns the number of checks.
func (d *desk) checksWith(status int, code string) (checks *int) {
	checks = new(int)
	serve := d.Serve(d).Config.Handler
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/v1/jobs/check" {
			serve.ServeHTTP(w, r)
			return
		}
		*checks++
		w.WriteHeader(status)
		fmt.Fprintf(w, `{"status":%d,"code":%q,"detail":"no check"}`, status, code)
	}))
	d.Cleanup(server.Close)
	d.env["ALIQUOT_MANAGERS"] = server.URL
	return checks
}

func TestAFileIsSubmittedToManagersThatCannotCheckJobs(t *testing.T) {
	for status, code := range map[int]string{404: "not_found", 405: "method_not_allowed"} {
		d := newDesk(t)
		d.Join(t, "n1", 1000, 512*cluster.MiB)
		checks := d.checksWith(status, code)
		file := strings.Repeat("{cpu: 1, memory: 96Mi, command: [ls]}\n---\n", 2) + "{cpu: 1, memory: 64Mi, command: [ls]}\n"
		if o := d.typeWith(file, "job", "submit", "--file", "-"); o.code != exitDone || o.out != "j1\nj2\nj3\n" ||
			*checks != 1 {
			t.Errorf("%d: %+v after %d checks", status, o, *checks)
		}
	}
}

func TestAProblemThatIsNotTheJobsEndsTheCheckOfAFileAtOnce(t *testing.T) {
	for status, code := range map[int]string{401: "unauthorized", 403: "forbidden", 500: "internal"} {
		d := newDesk(t)
		checks := d.checksWith(status, code)
		file := "{cpu: 1, memory: 96Mi, command: [ls]}\n---\n{cpu: 1, memory: 64Mi, command: [ls]}\n"
		if o := d.typeWith(file, "job", "submit", "--file", "-"); o.code != exitFailed || o.out != "" || *checks != 1 ||
			strings.Contains(o.err, "of the file") || strings.Count(o.err, "no check") != 1 {
			t.Errorf("%d: %+v after %d checks", status, o, *checks)
		}
	}
}
