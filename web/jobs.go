package web

import (
	"context"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"aliquot/cluster"
	"aliquot/web/api"
	"aliquot/wording"
)

// JobPath names a job in a path.
type JobPath struct {
	Job string `path:"job" maxLength:"32" doc:"Its id" example:"j17"`
}

// JobCommand is a request to change a job.
type JobCommand struct {
	Keyed
	JobPath
}

func (s *server) registerJobs(to huma.API) {
	submit := operation("submit-job", "POST", "/v1/jobs", cluster.User, "Submit a job",
		"The answer comes when the job is durable on a majority of the managers. A job that could never run is refused with the reason. "+
			"One that cannot be promised what it asks for is refused with up to three alternatives, which are held as offers for a while.")
	submit.DefaultStatus = http.StatusCreated
	register(s, to, submit, s.submitJob)
	register(s, to, unaudited(operation("check-job", "POST", "/v1/jobs/check", cluster.User, "Check a job",
		"It is refused as submitting it now would be, with the same reason. Nothing is submitted.")), s.checkJob)
	register(s, to, measured(operation("list-jobs", "GET", "/v1/jobs", cluster.Viewer, "List jobs",
		"Newest first or in another order, including ended jobs that are not yet forgotten.")), s.listJobs)
	register(s, to, measured(operation("get-job", "GET", "/v1/jobs/{job}", cluster.Viewer, "Show a job",
		"With its tasks, and the reason for its state.")), s.getJob)
	register(s, to, operation("cancel-job", "DELETE", "/v1/jobs/{job}", cluster.User, "Cancel a job",
		"Its tasks are stopped and their work is lost."), s.cancelJob)
	register(s, to, operation("hold-job", "POST", "/v1/jobs/{job}/hold", cluster.User, "Hold a job",
		"It is paused and keeps its work. It does not run until it is released."), s.holdJob)
	register(s, to, operation("release-job", "POST", "/v1/jobs/{job}/release", cluster.User, "Release a held job",
		"It may run again."), s.releaseJob)
}

type submitOutput struct {
	Location string `header:"Location"`
	Body     api.Accepted
}

func (s *server) submitJob(ctx context.Context, in *struct {
	Keyed
	Hold string `query:"hold" maxLength:"32" default:"1m" doc:"For which alternatives are held if the job cannot be promised what it asks for, 10m at most; 0: they are not" example:"2m"`
	Body api.JobSpec
}) (*submitOutput, error) {
	spec, err := specOf(&in.Body, actor(ctx), s.images(ctx))
	if err != nil {
		return nil, err
	}
	if err := s.runnableNow(ctx, in.Key, spec); err != nil {
		return nil, err
	}
	hold, err := s.hold(in.Hold, spec)
	if err != nil {
		return nil, err
	}
	result, err := s.do(ctx, in.Key, cluster.Submit{Spec: spec, Hold: hold})
	if err != nil {
		return nil, err
	}
	if result.Repeated && result.Job == 0 {
		return nil, s.offeredBefore(ctx, request(ctx, in.Key), spec)
	}
	if result.Repeated {
		if err := s.sameJob(ctx, result.Job, spec, in.Body.Image); err != nil {
			return nil, err
		}
	}
	out := accepted(result).Body
	return &submitOutput{"/v1/jobs/" + out.Job, out}, nil
}

// checkJob advises from this replica's state, which may be a moment old. The submission decides.
func (s *server) checkJob(ctx context.Context, in *struct{ Body api.JobSpec }) (*struct{}, error) {
	spec, err := specOf(&in.Body, actor(ctx), s.images(ctx))
	if err != nil {
		return nil, err
	}
	v := s.manager.Latest()
	if r := (cluster.Submit{Spec: spec}).Refuse(v.State); r != nil {
		return nil, r
	}
	return nil, s.runnable(v, spec)
}

// runnableNow is runnable by this replica's state, unless the request was carried out before.
func (s *server) runnableNow(ctx context.Context, key string, spec *cluster.Spec) error {
	v := s.manager.Latest()
	if key != "" && v.Done(request(ctx, key)) {
		return nil
	}
	return s.runnable(v, spec)
}

// runnable refuses a job that the present policy would end once it could be placed: because nothing tells its run time,
// because it has more tasks than the nodes could ever take, or for another reason. The tasks of a job with a promise
// were found their nodes.
func (s *server) runnable(v *cluster.Snapshot, spec *cluster.Spec) error {
	why := s.manager.Refusal(v, spec)
	if err := estimated(v, why); err != nil || why == nil || spec.Reserve != nil || spec.Deadline != nil {
		return err
	}
	if r := v.Impossible(spec); r != nil {
		return r // under every policy
	}
	switch why.Code {
	case cluster.WhyTooFewNodes, cluster.WhyTooFewCores:
		return tooWide(v, spec, why.Values[0])
	}
	return newProblem(string(cluster.CodeConflict), "", "the policy %s would end it at once: %s", v.Policy.Name,
		wording.Reason(*why, wording.Of(v.State)))
}

// tooWide refuses a job of more tasks than the nodes could ever take under the present policy.
func tooWide(v *cluster.Snapshot, spec *cluster.Spec, able int64) error {
	if able == 0 {
		return newProblem(string(cluster.CodeTooManyTasks), "tasks",
			"under the policy %s none of the nodes could ever take one of this size: ask for less CPU or memory per task", v.Policy.Name)
	}
	return newProblem(string(cluster.CodeTooManyTasks), "tasks",
		"under the policy %s the nodes could never take %d of this size together: ask for at most %d", v.Policy.Name, spec.Tasks, able)
}

// estimated refuses a job that the present policy refuses because nothing tells its run time.
func estimated(v *cluster.Snapshot, why *cluster.Reason) error {
	if why == nil || why.Code != cluster.WhyNoEstimate {
		return nil
	}
	return newProblem(string(cluster.CodeInvalid), "estimate",
		"is missing: the policy %s starts no job without one until three jobs like it have succeeded; write how long it will run, like 20m", v.Policy.Name)
}

// images finds images in this replica's state and, for one pushed a moment ago, in the present view.
func (s *server) images(ctx context.Context) imageFinder {
	return func(name string) (string, error) {
		if reference, err := imagesOf(s.manager.Latest())(name); err == nil {
			return reference, nil
		}
		v, err := s.manager.Snapshot(ctx)
		if err != nil {
			return "", err
		}
		return imagesOf(v)(name)
	}
}

// sameJob checks that a repeated key came with the same job as before. An image requested by its name alone may have
// changed since.
func (s *server) sameJob(ctx context.Context, id cluster.JobID, spec *cluster.Spec, image string) error {
	v, err := s.manager.Snapshot(ctx)
	if err != nil {
		return err
	}
	j := jobIn(v, id)
	if j == nil {
		return nil
	}
	if !strings.Contains(image, "@") {
		spec.Image = j.Spec.Image
	}
	if specText(j.Submission()) != specText(spec) {
		return newProblem(codeKeyReused, "Idempotency-Key", "this key was used for %v, which is a different job", id)
	}
	return nil
}

// jobIn finds the job, ended or not; nil if it is unknown.
func jobIn(v *cluster.Snapshot, id cluster.JobID) *cluster.Job {
	if j := v.Job(id); j != nil {
		return j
	}
	return v.Ended(id)
}

// find returns the job of a path in the present view.
func (s *server) find(ctx context.Context, in JobPath) (*cluster.Snapshot, *cluster.Job, error) {
	id, err := jobNumber("job", in.Job)
	if err != nil {
		return nil, nil, err
	}
	v, err := s.manager.Snapshot(ctx)
	if err != nil {
		return nil, nil, err
	}
	j := jobIn(v, id)
	if j == nil {
		return nil, nil, newProblem(string(cluster.CodeNotFound), "job", "there is no job %v", id)
	}
	return v, j, nil
}

func (s *server) reader(ctx context.Context, v *cluster.Snapshot) reader {
	return reader{view: v, usage: s.manager.Usage, host: s.manager.Host, actor: actor(ctx)}
}

func (s *server) getJob(ctx context.Context, in *JobPath) (*body[api.Job], error) {
	v, j, err := s.find(ctx, *in)
	if err != nil {
		return nil, err
	}
	return answer(s.reader(ctx, v).job(j, true)), nil
}

func (s *server) cancelJob(ctx context.Context, in *struct {
	JobCommand
	Cause string `query:"cause" maxLength:"200" doc:"Reason, for people"`
}) (*body[api.Accepted], error) {
	cause := in.Cause
	if cause == "" {
		cause = "cancelled by " + actor(ctx).Name
	}
	return s.steer(ctx, in.JobCommand, func(id cluster.JobID) cluster.Action {
		return cluster.Cancel{Job: id, Cause: cluster.Cause{Text: cause}}
	})
}

func (s *server) holdJob(ctx context.Context, in *JobCommand) (*body[api.Accepted], error) {
	return s.steer(ctx, *in, func(id cluster.JobID) cluster.Action { return cluster.Hold{Job: id} })
}

func (s *server) releaseJob(ctx context.Context, in *JobCommand) (*body[api.Accepted], error) {
	return s.steer(ctx, *in, func(id cluster.JobID) cluster.Action { return cluster.Release{Job: id} })
}

func (s *server) steer(ctx context.Context, in JobCommand,
	action func(cluster.JobID) cluster.Action) (*body[api.Accepted], error) {
	id, err := jobNumber("job", in.Job)
	if err != nil {
		return nil, err
	}
	result, err := s.do(ctx, in.Key, action(id))
	if err != nil {
		if p := problemOf(err); p.Code == string(cluster.CodeNotFound) {
			return nil, newProblem(p.Code, "job", "%s", p.Detail)
		}
		return nil, err
	}
	return accepted(result), nil
}
