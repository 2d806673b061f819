package tiered_test

import (
	"testing"

	"aliquot/policy/catalog"
	"aliquot/policy/policytest"
)

func TestStoriesOfTheFamilyUnfoldAsTold(t *testing.T) {
	policytest.RunStories(t, "testdata", catalog.Parse)
}
