package store

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/lni/dragonboat/v4"
)

// AddReplica adds a member to the running cluster; it must then be opened with Join. A cluster that grows from one
// member to two needs both at once, so open the new one promptly. The other members must learn its address, too,
// through Locate or their configuration. Adding an existing member does nothing.
func (s *Store) AddReplica(ctx context.Context, replica uint64, m Member) error {
	s.Locate(m)
	identity := s.cfg.identity(m)
	return s.membership(ctx, fmt.Sprintf("add %s as replica %d", m.Name, replica),
		func(ctx context.Context, now *dragonboat.Membership) error {
			if _, gone := now.Removed[replica]; gone {
				return fmt.Errorf("replica %d was removed and its id cannot be reused: choose another id", replica)
			}
			if other, taken := now.Nodes[replica]; taken && other != identity {
				return fmt.Errorf("replica %d is another member: choose another id", replica)
			} else if taken {
				return nil
			}
			return s.host.SyncRequestAddReplica(ctx, shard, replica, identity, now.ConfigChangeID)
		})
}

// RemoveReplica removes a member for good, for example a dead one. Its id is never used again.
func (s *Store) RemoveReplica(ctx context.Context, replica uint64) error {
	return s.membership(ctx, fmt.Sprintf("remove replica %d", replica),
		func(ctx context.Context, now *dragonboat.Membership) error {
			if _, there := now.Nodes[replica]; !there {
				return nil
			}
			return s.host.SyncRequestDeleteReplica(ctx, shard, replica, now.ConfigChangeID)
		})
}

// Replicas returns the ids of the voting replicas.
func (s *Store) Replicas(ctx context.Context) (ids []uint64, err error) {
	err = s.membership(ctx, "list the replicas", func(_ context.Context, now *dragonboat.Membership) error {
		ids = ids[:0]
		for id := range now.Nodes {
			ids = append(ids, id)
		}
		slices.Sort(ids)
		return nil
	})
	return ids, err
}

// Known returns the ids of the voting replicas as far as this one knows, without asking others. It returns none before
// the replica has read its log.
func (s *Store) Known() []uint64 {
	info := s.host.GetNodeHostInfo(dragonboat.NodeHostInfoOption{SkipLogInfo: true})
	if info == nil { // it has been closed
		return nil
	}
	for _, i := range info.ShardInfoList {
		if i.ShardID == shard {
			return slices.Sorted(maps.Keys(i.Replicas))
		}
	}
	return nil
}

// HandOver asks another member to lead instead of this one; each call picks the next member. A single replica has no
// successor, which is no error.
func (s *Store) HandOver(ctx context.Context) error {
	ids, err := s.Replicas(ctx)
	if err != nil {
		return fmt.Errorf("hand the lead over: %w", err)
	}
	ids = slices.DeleteFunc(ids, func(id uint64) bool { return id == s.cfg.Replica })
	if len(ids) == 0 {
		return nil
	}
	next := ids[int(s.handed.Add(1))%len(ids)]
	if err := s.host.RequestLeaderTransfer(shard, next); err != nil {
		return fmt.Errorf("hand the lead over to replica %d: %w", next, err)
	}
	return nil
}

// Locate sets the address of a member, for example after it has moved.
func (s *Store) Locate(m Member) { s.registry.locate(s.cfg.identity(m), m.Address) }

// membership calls do with the present membership. If another change came first, it retries with the new membership.
func (s *Store) membership(ctx context.Context, what string,
	do func(context.Context, *dragonboat.Membership) error) error {
	err := s.retry(ctx, func(ctx context.Context) error {
		now, err := s.host.SyncGetShardMembership(ctx, shard)
		if err != nil {
			return err
		}
		return do(ctx, now)
	})
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}
