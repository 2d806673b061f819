package cluster

import "testing"

func TestAUserSteersOnlyJobsOfItsOwnerAndProject(t *testing.T) {
	for name, c := range map[string]struct {
		actor Actor
		want  Code
	}{
		"its own":                    {Actor{Owner: "root", Project: "default", Role: User}, ""},
		"another owner's":            {Actor{Owner: "eve", Project: "default", Role: User}, CodeForbidden},
		"its own of another project": {Actor{Owner: "root", Project: "other", Role: User}, CodeForbidden},
		"its own, as a viewer":       {Actor{Owner: "root", Project: "default", Role: Viewer}, CodeForbidden},
		"another's, as an operator":  {Actor{Owner: "eve", Project: "other", Role: Operator}, ""},
	} {
		for _, a := range []Action{Hold{1}, Cancel{Job: 1}} {
			s := built(t, 1, 10).s
			r := s.Apply(s.Revision+1, Command{At: s.Now, Actor: c.actor, Action: a})
			if codeOf(r) != c.want {
				t.Errorf("%s, %T: %q, want %q", name, a, codeOf(r), c.want)
			}
		}
	}
}
