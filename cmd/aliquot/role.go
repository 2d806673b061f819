package main

import (
	"context"
	"fmt"
	"slices"

	"aliquot/client"
	"aliquot/web/api"
)

// roles are the roles of tokens, the least first.
var roles = []string{"viewer", "user", "operator", "admin"}

const settingPolicy = "setting the policy"

// needsRole refuses what the role of the token does not allow, before anything is shown or asked. The manager refuses
// the request too, so that the audit log has the attempt. The request must be one that is never carried out: a later
// manager may allow more, and then nothing is refused here.
func needsRole(ctx context.Context, c *client.Client, what, least string, request func() (api.Accepted, error)) error {
	s, err := c.Session(ctx)
	if err != nil {
		return err
	}
	if err = atLeast(&s, what, least); err == nil {
		return nil
	}
	if _, refused := request(); client.Code(refused) != "forbidden" {
		return nil
	}
	return err
}

// needsToSteer refuses a stream into a job that only the job's owner and operators may open, before anything is waited
// for. The manager refuses it too, as in needsRole.
func needsToSteer(ctx context.Context, c *client.Client, what string, j *api.Job,
	open func(context.Context) (*client.Stream, error)) error {
	err := maySteer(ctx, c, what, j)
	if err != nil {
		if opened, refused := open(ctx); refused == nil {
			opened.Close()
		}
	}
	return err
}

// maySteer refuses what only the job's owner and operators may do.
func maySteer(ctx context.Context, c *client.Client, what string, j *api.Job) error {
	s, err := c.Session(ctx)
	if err == nil {
		err = atLeast(&s, what, "user")
	}
	if err == nil && s.Role == "user" && (s.Owner != j.Owner || s.Project != j.Project) {
		err = forbidden("%s belongs to %s in project %s", j.ID, j.Owner, j.Project)
	}
	return err
}

// atLeast refuses a session with a lesser role. A role that is not known, of a later manager, is left to the manager.
func atLeast(s *api.Session, what, least string) error {
	if has := slices.Index(roles, s.Role); has >= 0 && has < slices.Index(roles, least) {
		return forbidden("the token %q has the role %s; %s needs %s", s.TokenName, s.Role, what, least)
	}
	return nil
}

// forbidden returns a refusal in the form of the manager's.
func forbidden(format string, args ...any) error {
	return &client.Problem{Problem: api.Problem{Code: "forbidden", Detail: fmt.Sprintf(format, args...),
		Help: api.HelpForbidden}}
}
