package link

import (
	"context"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"aliquot/cluster"
	"aliquot/wire/wirepb"
)

// propose passes reports to the state, in order, until ctx or the link ends.
func (s *session) propose(ctx context.Context) error {
	for {
		select {
		case first := <-s.reports:
			if err := s.proposeBatch(ctx, s.batch(first)); err != nil {
				return err
			}
		case <-ctx.Done():
			return nil
		}
	}
}

// batch adds the other waiting reports.
func (s *session) batch(first numbered) []numbered {
	list := []numbered{first}
	for len(list) < maxBatch {
		select {
		case next := <-s.reports:
			list = append(list, next)
		default:
			return list
		}
	}
	return list
}

// proposeBatch proposes the reports as one. If the state refuses that, each is proposed alone, so that
// a wrong report does not spoil the others.
func (s *session) proposeBatch(ctx context.Context, list []numbered) error {
	result, err := s.hub.options.Leader.Propose(ctx, merge(list))
	switch {
	case err != nil:
		return status.Errorf(codes.Unavailable, "the report may not be durable: %v", err)
	case result.Rejection != nil && result.Rejection.Code == cluster.CodeStaleEpoch:
		return status.Error(codes.Unavailable, errTermOver.Error())
	case result.Rejection != nil && len(list) > 1:
		for _, n := range list {
			if err := s.proposeBatch(ctx, []numbered{n}); err != nil {
				return err
			}
		}
		return nil
	}
	for _, n := range list {
		s.answer(ctx, acknowledgement(n.sequence, result.Rejection))
	}
	return nil
}

// merge combines several reports: all observations in order, the rest from the newest.
func merge(list []numbered) cluster.Report {
	merged := list[len(list)-1].report
	merged.Observations = nil
	for _, n := range list {
		merged.Observations = append(merged.Observations, n.report.Observations...)
	}
	return merged
}

func acknowledgement(sequence uint64, r *cluster.Rejection) *wirepb.ToNode {
	ack := &wirepb.Ack{Sequence: sequence}
	if r != nil {
		ack.Code, ack.Field, ack.Detail = string(r.Code), r.Field, r.Detail
	}
	return &wirepb.ToNode{Message: &wirepb.ToNode_Ack{Ack: ack}}
}
