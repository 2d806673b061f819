package cluster

import (
	"cmp"
	"slices"
	"strings"
)

// Limits on the starts that are measured.
const (
	maxStarts  = 50 // the latest of all images, and the latest restores, that are kept
	fewStarts  = 10 // fewer of all images, or restores, say nothing
	maxOfImage = 30 // the latest of one image that are kept
	fewOfImage = 10 // fewer of one image say nothing
	maxBoots   = 64 // images of which starts are kept
	leastStart = 5 * Second
)

// Boots is how long the latest starts of VMs of one image took. Resumed VMs are not among them. It is immutable.
type Boots struct {
	Digest string // of the image
	Last   Time   // when the latest start was measured, in microseconds
	Latest []Time // in order, in microseconds. Invariant: from 1 to maxOfImage, each from 0 to maxLead
}

func (b *Boots) less(o *Boots) bool { return b.Digest < o.Digest }

// sound reports whether the invariants hold.
func (b *Boots) sound() bool { return len(b.Latest) > 0 && measured(b.Latest, maxOfImage) }

// measured reports whether the list can be one of measured times, of a length up to most.
func measured(list []Time, most int) bool {
	return len(list) <= most && (len(list) == 0 || slices.Min(list) >= 0 && slices.Max(list) <= maxLead)
}

// digest returns the digest of the job's image.
func (s *Spec) digest() string {
	_, digest, _ := strings.Cut(s.Image, "@sha256:")
	return digest
}

// BootTime returns the time that a VM of the image is given to start: nine in ten of the latest starts of the image
// took no longer, or of all images while too few of its own are known.
func (s *State) BootTime(digest string) Time {
	return cmp.Or(usual(s.bootsOf(digest), fewOfImage), usual(s.starts, fewStarts), bootTime)
}

// startTime returns the time that a VM of the spec is given to start. A job with a deadline runs before its promise
// counts and may have been paused, so that its VM is given the time of a restore, too.
func (s *State) startTime(spec *Spec) Time {
	took := s.BootTime(spec.digest())
	if spec.Deadline != nil {
		took = max(took, usual(s.restores, fewStarts))
	}
	return took
}

// bootsOf lists how long the latest starts of the image took.
func (s *State) bootsOf(digest string) []Time {
	if b, found := s.boots.Get(&Boots{Digest: digest}); found {
		return b.Latest
	}
	return nil
}

// usual returns the time that nine in ten of the times did not exceed, rounded up to a second; 0: they are too few.
func usual(times []Time, few int) Time {
	if len(times) < few {
		return 0
	}
	sorted := slices.Sorted(slices.Values(times))
	took := sorted[(len(sorted)*9+9)/10-1]
	return max(leastStart, (took+Second-1)/Second*Second)
}

// lately appends what was measured to a list of the latest, which has at most a number of them.
func lately[T any](list []T, v T, most int) []T {
	return append(slices.Clone(list[max(0, len(list)-most+1):]), v)
}

// took returns the time since a start or restore was ordered; false: it is not measured.
func (t *transaction) took(ordered Time) (Time, bool) {
	return min(maxLead, max(0, t.Now-ordered)), t.Format >= measures && ordered > 0
}

// measureStart notes that a VM of the image runs whose start was ordered at a time; 0: that is not known.
func (t *transaction) measureStart(digest string, ordered Time) {
	took, known := t.took(ordered)
	if !known {
		return
	}
	if t.starts = lately(t.starts, took, maxStarts); t.Format < learns {
		return
	}
	earlier := t.bootsOf(digest)
	if earlier == nil && t.boots.Len() >= maxBoots {
		t.forgetBoots()
	}
	t.boots.ReplaceOrInsert(&Boots{digest, t.Now, lately(earlier, took, maxOfImage)})
}

// forgetBoots forgets the starts of the image that was measured longest ago.
func (t *transaction) forgetBoots() {
	var oldest *Boots
	for b := range t.boots.all() {
		if oldest == nil || b.Last < oldest.Last {
			oldest = b
		}
	}
	t.boots.Delete(oldest)
}

// measureRestore notes that a VM runs whose restore was ordered at a time.
func (t *transaction) measureRestore(ordered Time) {
	took, known := t.took(ordered)
	switch {
	case !known:
	case t.Format < learns:
		t.starts = lately(t.starts, took, maxStarts)
	default:
		t.restores = lately(t.restores, took, maxStarts)
	}
}
