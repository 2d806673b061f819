package web

import (
	"fmt"
	"strings"

	"aliquot/cluster"
)

// imageFinder turns what a job calls its image into the full reference.
type imageFinder func(name string) (string, error)

// imagesOf finds images in the view: by name the newest, by name and digest, of which the
// beginning will do, the only one, and "" the newest that is built in.
func imagesOf(v *cluster.Snapshot) imageFinder {
	return func(name string) (string, error) {
		if strings.Contains(name, "@") {
			image, p := theImage(v, name)
			if p != nil {
				return "", newProblem(string(cluster.CodeUnknownImage), "image", "%s", p.Detail)
			}
			return image.Reference(), nil
		}
		var newest *cluster.Image
		for i := range v.Images() {
			fits := i.Name == name || name == "" && i.Builtin
			if fits && (newest == nil || i.Added >= newest.Added) {
				newest = i
			}
		}
		switch {
		case newest != nil:
			return newest.Reference(), nil
		case name == "":
			return "", newProblem(string(cluster.CodeUnknownImage), "image", "there is no built-in image yet")
		}
		return "", newProblem(string(cluster.CodeUnknownImage), "image", "there is no image of that name; %s", knownImages(v))
	}
}

// theImage is the only image that is meant by a name, a digest or both as in name@sha256:digest.
// Of a digest the beginning will do.
func theImage(v *cluster.Snapshot, text string) (*cluster.Image, *problem) {
	var found []*cluster.Image
	for i := range v.Images() {
		if meant(i, text) {
			found = append(found, i)
		}
	}
	switch len(found) {
	case 0:
		return nil, newProblem(string(cluster.CodeNotFound), "image", "there is no image of that name or digest; %s", knownImages(v))
	case 1:
		return found[0], nil
	}
	return nil, newProblem(string(cluster.CodeConflict), "image", "more than one image is meant by that: %s; say which", shortReferences(found))
}

// meant tells whether the text may stand for the image.
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

// fullDigest is the whole digest at the end of the text, or one that no image has.
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

// shortReferences lists at most eight images with as much of each digest as tells them apart.
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
