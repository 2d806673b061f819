package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"aliquot/sim/experiments"
	"aliquot/sim/reproduce/provisioning"
	"aliquot/sim/reproduce/study"
)

const simReproduceProvisioningHelp = `Reproduce experiments of G. Singh, "An End-to-End Framework for Provisioning Based
Resource and Application Management in Grids" (PhD thesis, USC, 2008), and judge its claims: what a
machine advertises, plans of workflows by MOGA and greedy provisioning against best effort, and
prices of reservations. The logs are replaced by synthetic streams of the same machines and loads,
and all points of the figures are lost, so orders and ratios are compared. The part ours compares
methods of ours with those, and judges their goals.

Without --full a sample runs, two streams of each setting, which takes a minute or two of one core.
With it, ten streams take some minutes. Finished experiments are not kept: an
interrupted reproduction begins anew.

The folder --out receives report.html, claims.csv, points.csv and figures/*.svg.`

func (a *app) simReproduceProvisioningCommand() *cobra.Command {
	var r reproduction
	c := &cobra.Command{
		Use: "provisioning", Short: "Reproduce the thesis on workflows and slots (MOGA, prices)",
		Long: simReproduceProvisioningHelp, Args: takes(),
		Example: "  aliquot sim reproduce provisioning\n  aliquot sim reproduce provisioning --only prices --out first-look\n" +
			"  aliquot sim reproduce provisioning --full --out everything",
		RunE: a.local(func(command *cobra.Command, _ []string) error {
			if err := r.named(command); err != nil {
				return err
			}
			return a.reproduceProvisioning(command.Context(), r)
		}),
	}
	r.flags(c, strings.Join(words(provisioning.Parts()), ", "))
	return c
}

func (a *app) reproduceProvisioning(ctx context.Context, r reproduction) error {
	parts, err := partsOf(r, provisioning.ParseParts)
	if err != nil {
		return err
	}
	scope := provisioning.Scope{Full: r.full, Parts: parts}
	wanted := scope.Experiments()
	return a.reproduceAnew(ctx, r, anew{"provisioning", len(wanted), func(tell func(int)) (study.Report, error) {
		found, err := experiments.RunProvisioning(ctx, wanted, r.workers, tell)
		if err != nil {
			return study.Report{}, err
		}
		return provisioning.NewBook(scope, found).Report(), nil
	}})
}
