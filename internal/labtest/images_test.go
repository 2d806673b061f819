package labtest

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"aliquot/client"
	"aliquot/web/api"
)

func TestImageOfOnesOwnBootsAndStaysWhileItIsUsed(t *testing.T) {
	s := begin(t)
	image, err := s.api.PushImage(s.ctx, "mine", client.ImageSource{
		Kernel: filepath.Join(s.root, "build/guest/kernel"), Initrd: filepath.Join(s.root, "build/guest/initrd"),
		Cmdline: "console=ttyS0 quiet panic=-1 tsc=reliable no_timer_check mitigations=off rdinit=/init sign=mine",
	})
	s.ok(err)
	spec := shell("cat /proc/cmdline; exec sleep 1000", "1")
	spec.Image = "mine"
	id := s.submitOne(spec)
	j := s.awaitThat(id, "running", ended, func(j api.Job) bool { return j.State == "running" })
	if j.Spec.Image != image.Reference {
		t.Errorf("it runs %s, want %s", j.Spec.Image, image.Reference)
	}
	if _, err := s.api.RemoveImage(s.ctx, image.Digest); client.Code(err) != "image_in_use" {
		t.Errorf("removing an image in use was answered with %v", err)
	}
	s.eventually("the guest shows its command line", ended, func() error {
		if out := s.output(id, 0); !strings.Contains(out, "sign=mine") {
			return fmt.Errorf("it wrote %q", out)
		}
		return nil
	})
	s.need(s.api.Cancel(s.ctx, id, ""))
	s.await(id, "cancelled", ended)
	s.need(s.api.RemoveImage(s.ctx, image.Digest))
	if _, err := s.api.Submit(s.ctx, spec, ""); client.Code(err) != "unknown_image" {
		t.Errorf("a job with the removed image was answered with %v", err)
	}
}
