package web_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"aliquot/cluster"
	"aliquot/web"
	"aliquot/web/api"
	"aliquot/web/webtest"
)

func TestAnArchiveHoldsAKernelOrOneDiskOfANamedFormat(t *testing.T) {
	s := newSite(t)
	end := strings.Repeat("\x00", 1024)
	push := func(name, body string) reply {
		return s.call("POST", "/v1/images?name="+name, webtest.Operator, body, asTar)
	}
	for _, name := range []string{"disk.qcow2", "disk.raw"} {
		body := entry(name, '0', "d") + end
		if r := push(name, body); r.status != 201 || !strings.Contains(r.text, `"kind":"disk"`) ||
			!strings.Contains(r.text, `"diskBytes":1`) {
			t.Errorf("%s: %d %s", name, r.status, r.text)
		}
	}
	for says, body := range map[string]string{
		"disk is the whole":     entry("disk.qcow2", '0', "d") + entry("disk.raw", '0', "d") + end,
		"disk is the whole ":    entry("disk.raw", '0', "d") + tarball,
		"only the regular":      entry("disk", '0', "d") + end,
		"only the regular ":     entry("disk.vmdk", '0', "d") + end,
		"lacks a kernel or":     end,
		"contains disk.raw twi": entry("disk.raw", '0', "d") + entry("disk.raw", '0', "d") + end,
	} {
		if r := push("c", body); r.status != 422 || !strings.Contains(r.text, strings.TrimSpace(says)) {
			t.Errorf("%q: %d %s", says, r.status, r.text)
		}
	}
}

func TestAJobsDiskAndFilesAreGivenBackButHiddenFromOthers(t *testing.T) {
	in := api.JobSpec{CPU: "1", Memory: "64Mi", Command: []string{"python3", "a.py"}, Disk: "10Gi",
		CloudInit: "#cloud-config\ntimezone: UTC\n", Files: map[string]string{"a.py": "print()", "in/x": ""}}
	spec, err := web.SpecOf(&in, someone)
	if err != nil {
		t.Fatal(err)
	}
	want := cluster.Spec{Disk: 10 << 30, CloudInit: in.CloudInit, Files: []cluster.Pair{{Key: "a.py", Value: "print()"},
		{Key: "in/x"}}}
	if diff := cmp.Diff(want, cluster.Spec{Disk: spec.Disk, CloudInit: spec.CloudInit, Files: spec.Files}); diff != "" {
		t.Error(diff)
	}
	own, others := web.SpecJSON(spec, true), web.SpecJSON(spec, false)
	if own.Disk != "10240Mi" || own.CloudInit != in.CloudInit || own.Files["a.py"] != "print()" {
		t.Errorf("given back as %+v", own)
	}
	if others.CloudInit != api.Hidden || others.Files["a.py"] != api.Hidden {
		t.Errorf("others see %+v", others)
	}
	for says, change := range map[string]func(*api.JobSpec){
		"is not an amount": func(j *api.JobSpec) { j.Disk = "10GB" },
		"must begin with":  func(j *api.JobSpec) { j.CloudInit = "a: b" },
		"paths must be":    func(j *api.JobSpec) { j.Files = map[string]string{"../x": ""} },
	} {
		bad := in
		change(&bad)
		if _, err := web.SpecOf(&bad, someone); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v", says, err)
		}
	}
}
