package store

import (
	"fmt"
	"sync"

	"github.com/lni/dragonboat/v4/config"
	"github.com/lni/dragonboat/v4/raftio"
)

// registry finds the address of a replica. Raft knows its identity, and our configuration knows the identity's address.
type registry struct {
	mu         sync.RWMutex
	identities map[uint64]string // by replica
	addresses  map[string]string // by identity
}

func newRegistry(c *Config) *registry {
	r := &registry{identities: map[uint64]string{}, addresses: map[string]string{}}
	for _, m := range c.Members {
		r.addresses[c.identity(m)] = m.Address
	}
	return r
}

// Create returns the registry itself, as the Raft library's factory.
func (r *registry) Create(string, uint64, config.TargetValidator) (raftio.INodeRegistry, error) {
	return r, nil
}

// Close does nothing: the registry belongs to the store.
func (r *registry) Close() error { return nil }

// Add records a replica's identity.
func (r *registry) Add(_, replica uint64, identity string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.identities[replica] = identity
}

// Remove forgets a replica.
func (r *registry) Remove(_, replica uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.identities, replica)
}

// RemoveShard forgets all replicas, because there is one shard.
func (r *registry) RemoveShard(uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	clear(r.identities)
}

// Resolve returns the address of a replica, which also names the connection to it.
func (r *registry) Resolve(_, replica uint64) (address, connection string, err error) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	address, known := r.addresses[r.identities[replica]]
	if !known {
		return "", "", fmt.Errorf("replica %d has no known address: add it to the members", replica)
	}
	return address, address, nil
}

// locate sets the address of an identity.
func (r *registry) locate(identity, address string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.addresses[identity] = address
}
