package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"aliquot/cluster"
)

func TestAJobBringsFilesByTheirNameOrAnother(t *testing.T) {
	d := newDesk(t)
	d.Join(t, "n1", 1000, 512*cluster.MiB)
	folder := t.TempDir()
	script, binary := filepath.Join(folder, "script.py"), filepath.Join(folder, "binary")
	for path, text := range map[string]string{script: "print(1)\n", binary: "\xff\x00"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	d.ok("job submit --cpu 1 --memory 96Mi --input " + script + " --input in/b.py=" + script + " -- python3 script.py")
	if out := d.ok("job show j1 -o json"); !strings.Contains(out, `"script.py": "print(1)\n"`) ||
		!strings.Contains(out, `"in/b.py": "print(1)\n"`) {
		t.Error(out)
	}
	for path, says := range map[string]string{
		binary: "is not UTF-8 text", folder + "/none": "no such file",
		script + " --input script.py=" + folder + "/./script.py": "would both be the file script.py",
	} {
		if o := d.run("job submit --cpu 1 --memory 96Mi --input " + path + " -- true"); o.code != exitUsage ||
			!strings.Contains(o.err, says) {
			t.Errorf("%s: %+v", path, o)
		}
	}
}

func TestADiskIsPushedWithItsFormat(t *testing.T) {
	d := newDesk(t)
	disk := filepath.Join(t.TempDir(), "disk")
	if err := os.WriteFile(disk, []byte("contents"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, format := range map[string]string{"a": "--qcow2 ", "b": "--raw "} {
		if out := d.ok("image push " + name + " " + format + disk); !strings.HasPrefix(out, name+"@sha256:") {
			t.Errorf("%s: %s", format, out)
		}
	}
	if out := d.ok("image list"); len(regexp.MustCompile(`[ab]@sha256:\w+ +8 B +8 B `).FindAllString(out, -1)) != 2 {
		t.Error(out)
	}
	for _, flags := range []string{"--qcow2 x --raw y", "--qcow2 x --kernel y", "--raw x --initrd y", "folder --raw x"} {
		if o := d.run("image push c " + flags); o.code != exitUsage {
			t.Errorf("%s: %+v", flags, o)
		}
	}
}
