package main

import (
	"context"
	"slices"

	"github.com/spf13/cobra"

	"aliquot/client"
)

// completeFlags lets the shell complete the values of those flags that the command has.
func (a *app) completeFlags(c *cobra.Command) {
	states := append(slices.Clone(jobStates), "active", "ended")
	for name, complete := range map[string]cobra.CompletionFunc{
		"state": cobra.FixedCompletions(states, cobra.ShellCompDirectiveNoFileComp),
		"node":  a.completeNodes, "job": a.completeJobs, "image": a.completeImages,
	} {
		if c.Flags().Lookup(name) != nil {
			_ = c.RegisterFlagCompletionFunc(name, complete) // fails only for flags that have one or do not exist
		}
	}
}

// complete returns what the list has, for a shell.
func (a *app) complete(command *cobra.Command, list func(context.Context, *client.Client) ([]string, error)) ([]string,
	cobra.ShellCompDirective) {
	c, err := a.connect()
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	defer c.Close()
	values, err := list(command.Context(), c)
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	return values, cobra.ShellCompDirectiveNoFileComp
}

// completeImages completes the names of images.
func (a *app) completeImages(command *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
	return a.complete(command, func(ctx context.Context, c *client.Client) (names []string, err error) {
		images, err := c.Images(ctx)
		for _, i := range images {
			names = append(names, i.Name)
		}
		slices.Sort(names)
		return slices.Compact(names), err
	})
}
