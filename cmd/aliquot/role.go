package main

import (
	"context"
	"fmt"
	"slices"

	"aliquot/client"
)

// roles are the roles of tokens, the least first.
var roles = []string{"viewer", "user", "operator", "admin"}

// needsRole refuses what the role of the token does not allow, before anything is shown or asked. The manager does the
// same afterwards.
func needsRole(ctx context.Context, c *client.Client, what, least string) error {
	s, err := c.Session(ctx)
	if err != nil {
		return err
	}
	if slices.Index(roles, s.Role) < slices.Index(roles, least) {
		return fmt.Errorf("the token %q has the role %s; %s needs %s (forbidden)", s.TokenName, s.Role, what, least)
	}
	return nil
}
