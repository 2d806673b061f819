package web

import (
	"fmt"
	"strings"

	"aliquot/cluster"
)

// imageFinder resolves a job's name of an image to the full reference.
type imageFinder func(name string) (string, error)

// imagesOf returns a finder for the images in the view. A name finds its newest image; a name with a digest, or a
// prefix of one, finds the only match; "" finds the newest built-in image.
func imagesOf(v *cluster.Snapshot) imageFinder {
	return func(name string) (string, error) {
		if strings.Contains(name, "@") {
			image, p := theImage(v, name)
			if p != nil {
				return "", newProblem(string(cluster.CodeUnknownImage), "image", "%s", p.Detail)
			}
			return image.Reference(), nil
		}
		newest := v.Builtin()
		if name != "" {
			newest = newestNamed(v, name)
		}
		switch {
		case newest != nil:
			return newest.Reference(), nil
		case name == "":
			p := newProblem(string(cluster.CodeUnknownImage), "image", "there is no built-in image: %s", knownImages(v))
			p.Help = "Name an image, or ask an operator to start a manager that has the built-in one (its setting `image`)."
			return "", p
		}
		return "", newProblem(string(cluster.CodeUnknownImage), "image", "there is no image with that name; %s",
			knownImages(v))
	}
}

// newestNamed returns the newest image with the name, or nil.
func newestNamed(v *cluster.Snapshot, name string) (newest *cluster.Image) {
	for i := range v.Images() {
		if i.Name == name && (newest == nil || i.Added >= newest.Added) {
			newest = i
		}
	}
	return newest
}

// theImage returns the only image that matches a name, a digest, or both as in name@sha256:digest. A digest prefix is
// enough.
func theImage(v *cluster.Snapshot, text string) (*cluster.Image, *problem) {
	var found []*cluster.Image
	for i := range v.Images() {
		if meant(i, text) {
			found = append(found, i)
		}
	}
	switch len(found) {
	case 0:
		return nil, newProblem(string(cluster.CodeNotFound), "image", "there is no image with that name or digest; %s",
			knownImages(v))
	case 1:
		return found[0], nil
	}
	return nil, newProblem(string(cluster.CodeConflict), "image", "several images match: %s; name one of them",
		shortReferences(found))
}

// meant reports whether the text may refer to the image.
func meant(i *cluster.Image, text string) bool {
	name, digest, both := strings.Cut(text, "@")
	if !both {
		digest = text
	}
	digest = strings.TrimPrefix(digest, "sha256:")
	begins := digest != "" && strings.HasPrefix(i.Digest, digest)
	if both {
		return i.Name == name && begins
	}
	return i.Name == text || begins
}

// fullDigest returns the whole digest at the end of the text, or a digest of no image.
func fullDigest(text string) string {
	if digest := text[strings.LastIndex(text, ":")+1:]; len(digest) == 64 {
		return digest
	}
	return strings.Repeat("0", 64)
}

func knownImages(v *cluster.Snapshot) string {
	var images []*cluster.Image
	for i := range v.Images() {
		images = append(images, i)
	}
	if images == nil {
		return "none has been pushed yet"
	}
	return "there are " + shortReferences(images)
}

// shortReferences lists at most eight images with shortened digests.
func shortReferences(images []*cluster.Image) string {
	var list []string
	for _, i := range images[:min(8, len(images))] {
		list = append(list, fmt.Sprintf("%s@sha256:%.12s", i.Name, i.Digest))
	}
	if len(images) > len(list) {
		list = append(list, "…")
	}
	return strings.Join(list, ", ")
}
