// Command client drives a manager with the client that oapi-codegen makes of the OpenAPI document: it submits a job,
// lists it, follows it until it runs, and cancels it. scripts/clients generates the package rest and runs it.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"
	"time"

	"client/rest"
)

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := tour(ctx, os.Args[1], strings.TrimSpace(os.Args[2])); err != nil {
		fmt.Fprintln(os.Stderr, "client:", err)
		os.Exit(1)
	}
}

func tour(ctx context.Context, address, token string) error {
	client, err := rest.NewClientWithResponses(address, rest.WithRequestEditorFn(
		func(_ context.Context, r *http.Request) error {
			r.Header.Set("Authorization", "Bearer "+token)
			return nil
		}))
	if err != nil {
		return err
	}
	command, labels := []string{"serve", "50"}, map[string]string{"made": "by-go", "try": "1"}
	submitted, err := client.SubmitJobWithResponse(ctx, nil,
		rest.JobSpec{Cpu: "50m", Memory: "64Mi", Command: &command, Labels: &labels})
	if err != nil {
		return err
	}
	if submitted.JSON201 == nil || submitted.JSON201.Job == nil {
		return fmt.Errorf("submit: %s", submitted.Body)
	}
	id := *submitted.JSON201.Job
	states, wanted := []string{"active", "ended"}, []string{"made=by-go", "try=1"}
	listed, err := client.ListJobsWithResponse(ctx, &rest.ListJobsParams{State: &states, Label: &wanted})
	if err != nil {
		return err
	}
	if listed.JSON200 == nil || len(listed.JSON200.Jobs) != 1 || listed.JSON200.Jobs[0].Id != id {
		return fmt.Errorf("list: %s", listed.Body)
	}
	since := fmt.Sprint(submitted.JSON201.Revision)
	if err := follow(ctx, client, &rest.FollowEventsParams{Job: &id, Since: &since}, "task_started"); err != nil {
		return err
	}
	return end(ctx, client, id, since)
}

// end cancels the job and waits until it is.
func end(ctx context.Context, client *rest.ClientWithResponses, id, since string) error {
	cause := "the tour is over"
	cancelled, err := client.CancelJobWithResponse(ctx, id, &rest.CancelJobParams{Cause: &cause})
	if err != nil {
		return err
	}
	if cancelled.JSON200 == nil {
		return fmt.Errorf("cancel: %s", cancelled.Body)
	}
	if err := follow(ctx, client, &rest.FollowEventsParams{Job: &id, Since: &since}, "job_ended"); err != nil {
		return err
	}
	got, err := client.GetJobWithResponse(ctx, id)
	if err != nil {
		return err
	}
	if got.JSON200 == nil || got.JSON200.State != rest.JobStateCancelled {
		return fmt.Errorf("get: %s", got.Body)
	}
	return refused(ctx, client, id)
}

// refused cancels an ended job, which must be refused in the form that the document describes.
func refused(ctx context.Context, client *rest.ClientWithResponses, id string) error {
	again, err := client.CancelJobWithResponse(ctx, id, nil)
	if err == nil && again.ApplicationproblemJSON409 == nil {
		err = fmt.Errorf("a second cancel is not refused as described: %s", again.Body)
	}
	return err
}

// follow reads events until one of the kind comes.
func follow(ctx context.Context, client *rest.ClientWithResponses, of *rest.FollowEventsParams, kind string) error {
	stream, err := client.FollowEvents(ctx, of)
	if err != nil {
		return fmt.Errorf("follow: %w", err)
	}
	defer stream.Body.Close()
	for lines := bufio.NewScanner(stream.Body); lines.Scan(); {
		data, ok := strings.CutPrefix(lines.Text(), "data:")
		var e rest.Event
		if ok && json.Unmarshal([]byte(data), &e) == nil && e.Kind == kind {
			return nil
		}
	}
	return fmt.Errorf("%s: the events ended before %s", stream.Status, kind)
}
