package web

import (
	"cmp"
	"slices"
	"strings"

	"aliquot/cluster"
)

// outcomes are the words for what a job must have come to before another may run.
var outcomes = map[string]cluster.Outcomes{
	"": cluster.OnSuccess, "succeeded": cluster.OnSuccess, "failed": cluster.OnFailure, "ended": cluster.OnEnd,
}

// dependency splits a word like make:failed into the name and the outcomes.
func dependency(word string) (name string, when cluster.Outcomes, err error) {
	name, text, said := strings.Cut(word, ":")
	when, known := outcomes[text]
	if !known || said && text == "" {
		return "", 0, newProblem(string(cluster.CodeInvalid), "after",
			"cannot wait for %q: write the name alone, or with :succeeded, :failed or :ended", word)
	}
	return name, when, nil
}

// dependencies reads the jobs that a job waits for.
func dependencies(words []string) (list []cluster.Dependency, err error) {
	for _, word := range words {
		name, when, err := dependency(word)
		if err != nil {
			return nil, err
		}
		id, err := jobNumber("after", name)
		if err != nil {
			return nil, err
		}
		list = append(list, cluster.Dependency{Job: id, When: when})
	}
	slices.SortFunc(list, func(a, b cluster.Dependency) int { return cmp.Compare(a.Job, b.Job) })
	return list, nil
}

// dependencyWord returns the word that dependency reads.
func dependencyWord(name string, when cluster.Outcomes) string {
	if when == cluster.OnSuccess {
		return name
	}
	return name + ":" + when.String()
}

// afterJSON returns the words for what the job waits for.
func afterJSON(s *cluster.Spec) (words []string) {
	for _, d := range s.After {
		words = append(words, dependencyWord(d.Job.String(), d.When))
	}
	return words
}
