package web_test

import (
	"fmt"
	"reflect"
	"testing"

	"aliquot/cluster"
	"aliquot/web"
	"aliquot/web/api"
	"aliquot/wire/image"
)

// The tags of REST's types are literals; this compares them with the limits that they repeat.
func TestLimitsAreThoseOfTheCluster(t *testing.T) {
	for _, c := range []struct {
		of         any
		field, tag string
		want       int
	}{
		{api.JobSpec{}, "Name", "maxLength", cluster.MaxName},
		{api.JobSpec{}, "Tasks", "maximum", cluster.MaxTasks},
		{api.JobSpec{}, "Command", "maxItems", cluster.MaxWords},
		{api.JobSpec{}, "Args", "maxItems", cluster.MaxArguments},
		{api.JobSpec{}, "Env", "maxProperties", cluster.MaxPairs},
		{api.JobSpec{}, "Labels", "maxProperties", cluster.MaxPairs},
		{api.JobSpec{}, "Files", "maxProperties", cluster.MaxFiles},
		{api.JobSpec{}, "Outputs", "maxItems", cluster.MaxOutputs},
		{api.Restart{}, "OnFailure", "maximum", cluster.MaxRestarts},
		{api.Placement{}, "Nodes", "maxItems", cluster.MaxNodes},
		{api.Placement{}, "Labels", "maxProperties", cluster.MaxNodeLabels},
		{api.Hypothesis{}, "Drain", "maxLength", cluster.MaxNodeName},
		{web.PushInput{}, "Name", "maxLength", image.MaxName},
		{api.NewSimulation{}, "Name", "maxLength", cluster.MaxName},
		{api.NewToken{}, "Name", "maxLength", cluster.MaxName},
		{api.NewToken{}, "Owner", "maxLength", cluster.MaxName},
		{api.NewToken{}, "Project", "maxLength", cluster.MaxName},
	} {
		field, found := reflect.TypeOf(c.of).FieldByName(c.field)
		if got := field.Tag.Get(c.tag); !found || got != fmt.Sprint(c.want) {
			t.Errorf("%T.%s has %s %q, want %d", c.of, c.field, c.tag, got, c.want)
		}
	}
}
