package harvest_test

import (
	"testing"

	"aliquot/policy/catalog"
	"aliquot/policy/policytest"
)

func TestStoriesOfTheClassesUnfoldAsTold(t *testing.T) {
	policytest.RunStories(t, "testdata", catalog.Parse)
}
