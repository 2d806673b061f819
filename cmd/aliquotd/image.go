package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// errNoImage means that "auto" found no guest image.
var errNoImage = errors.New(
	"there is no guest image for jobs to boot; make one with ./scripts/guest-image or `sudo make install`, or name its folder with --image")

// imagePlaces lists the possible places of a guest image: that of packages, beside this program as `make install` puts
// it, and in the source tree of its build.
func imagePlaces() []string {
	places := []string{"/usr/share/aliquot/guest"}
	if self, err := os.Executable(); err == nil {
		for _, relative := range []string{"../share/aliquot/guest", "../build/guest"} {
			places = append(places, filepath.Join(filepath.Dir(self), relative))
		}
	}
	return places
}

// findImage returns the folder of the setting: the named one, the first existing place for auto, "" for
// none.
func findImage(setting string, places []string) (string, error) {
	if setting == "none" {
		return "", nil
	}
	if setting != "auto" {
		if _, err := os.Stat(filepath.Join(setting, "kernel")); err != nil {
			return "", fmt.Errorf("read the guest image: %w", err)
		}
		return setting, nil
	}
	for _, folder := range places {
		if _, err := os.Stat(filepath.Join(folder, "kernel")); err == nil {
			return folder, nil
		}
	}
	return "", errNoImage
}
