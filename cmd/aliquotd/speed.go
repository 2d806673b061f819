package main

import (
	"fmt"
	"strings"

	"github.com/rs/zerolog"

	"aliquot/cluster"
	"aliquot/config"
	"aliquot/monitor/host"
)

// speeds returns the speed that counts and the one that a benchmark measured, as managers are told of them. None is
// measured where a speed is declared.
func speeds(cfg *config.Monitor, proc string, log zerolog.Logger) (counts, measured cluster.Speed, err error) {
	if cfg.Speed > 0 {
		return cluster.Speed(cfg.Speed), 0, nil
	}
	measured, err = host.Speed(proc, cfg.Data)
	switch {
	case err != nil && cfg.Speed == config.SpeedMeasured:
		return 0, 0, fmt.Errorf("speed: measured: %w; a number instead declares the speed", err)
	case err != nil:
		log.Warn().Err(err).Msg("the speed of this machine is not known, and counts as that of the reference")
		return 0, 0, nil
	case cfg.Speed == config.SpeedMeasured:
		log.Info().Stringer("measured", measured).Msg("the speed of this machine is what a benchmark measured")
		return measured, measured, nil
	}
	log.Info().Stringer("measured", measured).
		Msg("this machine counts as the reference; with speed: measured its speed is what a benchmark measured")
	return 0, measured, nil
}

// nodeClass returns the class that the settings give the machine, or the name of its processors.
func nodeClass(cfg *config.Monitor, proc string, log zerolog.Logger) string {
	if cfg.Class != "" {
		return cfg.Class
	}
	processor, err := host.Processor(proc)
	class := strings.Join(strings.Fields(processor), " ")
	if err == nil {
		err = cluster.CheckNodeClass(class)
	}
	if err != nil || class == "" {
		log.Warn().Err(err).Msg("this node has no class, and no speeds are learnt on it: set class")
		return ""
	}
	return class
}
