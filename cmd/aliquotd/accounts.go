package main

import (
	"context"
	"path/filepath"
	"sync"

	"github.com/rs/zerolog"

	"aliquot/config"
	"aliquot/manager/audit"
)

// accounts keep who did what at this manager: the audit log with its export, and the last uses of tokens and sessions.
type accounts struct {
	audit  *audit.Log
	uses   *audit.Uses
	syslog *audit.Syslog // nil: nothing is exported
}

func openAccounts(cfg *config.Manager, log zerolog.Logger) (*accounts, error) {
	a, dir := &accounts{}, filepath.Join(cfg.Data, "audit")
	var err error
	if a.syslog, err = audit.NewSyslog(cfg.AuditSyslog, log); err != nil {
		return nil, err
	}
	a.audit, err = audit.Open(dir, audit.Limits{Age: cfg.AuditAge, Bytes: int64(cfg.AuditSize), Segment: audit.Segment},
		a.syslog, log)
	if err != nil {
		return nil, err
	}
	a.uses = audit.OpenUses(filepath.Join(dir, "uses.json"), log)
	return a, nil
}

// run keeps the logs tidy, and exports entries, until ctx ends.
func (a *accounts) run(ctx context.Context) {
	var work sync.WaitGroup
	work.Go(func() { a.audit.Run(ctx) })
	work.Go(func() { a.uses.Run(ctx) })
	work.Go(func() { a.syslog.Run(ctx) })
	work.Wait()
}

func (a *accounts) close() error {
	a.uses.Save()
	return a.audit.Close()
}
