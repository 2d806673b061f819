package web_test

import (
	"context"
	"testing"

	"aliquot/client"
	"aliquot/web/api"
	"aliquot/web/webtest"
)

// BenchmarkSubmissionThroughREST measures the cost of REST on top of making a command durable.
func BenchmarkSubmissionThroughREST(b *testing.B) {
	c := webtest.New(b)
	server := c.Serve(b)
	user, err := client.New(client.Options{Managers: []string{server.URL}, Token: webtest.Admin})
	if err != nil {
		b.Fatal(err)
	}
	defer user.Close()
	for b.Loop() {
		if _, err := user.Submit(context.Background(), api.JobSpec{CPU: "500m", Memory: "64Mi", Command: []string{"true"}},
			""); err != nil {
			b.Fatal(err)
		}
	}
}
