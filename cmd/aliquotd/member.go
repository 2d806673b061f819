package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"sync"

	"github.com/spf13/cobra"

	"aliquot/config"
	"aliquot/manager/store"
)

func memberCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "member", Short: "List, add and remove managers, through the one that runs on this machine",
		Long: `List, add and remove managers, through the one that runs on this machine.

To add managers, give the present ones the lists of all (members, links, urls) and restart
them one by one, then add each new one and start it with "join: true" and the same
lists. Start it at once: it counts towards the majority from the moment it is added. A removed
number cannot be reused.`,
	}
	data := c.PersistentFlags().String("data", config.NewManager().Data, "folder of the manager's state")
	c.AddCommand(
		memberChange(data, "list", "List the managers that vote", cobra.NoArgs, http.MethodGet, nil),
		memberChange(data, "add NUMBER=HOST:PORT", "Add a manager by its Raft address", cobra.ExactArgs(1), http.MethodPost,
			checkMember),
		memberChange(data, "remove NUMBER", "Remove a manager for good, for instance a dead one", cobra.ExactArgs(1),
			http.MethodDelete, checkNumber),
	)
	return c
}

func memberChange(data *string, use, short string, args cobra.PositionalArgs, method string,
	check func(string) error) *cobra.Command {
	return &cobra.Command{Use: use, Short: short, Args: args, RunE: func(c *cobra.Command, args []string) error {
		query := url.Values{}
		if check != nil {
			if err := check(args[0]); err != nil {
				return err
			}
			query.Set("member", args[0])
		}
		text, err := askControl(c.Context(), *data, method, "/members", query)
		if err == nil {
			_, err = io.WriteString(c.OutOrStdout(), text)
		}
		return err
	}}
}

func checkMember(entry string) error {
	table, err := config.Numbered([]string{entry})
	if err != nil {
		return fmt.Errorf("%w; write it like 2=10.0.0.2:7421", err)
	}
	for _, address := range table {
		host, _, err := net.SplitHostPort(address)
		if err != nil || host == "" || net.ParseIP(host).IsUnspecified() {
			return fmt.Errorf(
				"%q is not an address at which others reach the manager's Raft; write it like 2=10.0.0.2:7421", address)
		}
	}
	return nil
}

func checkNumber(text string) error {
	if n, err := strconv.ParseUint(text, 10, 64); err != nil || n == 0 {
		return fmt.Errorf("%q is not the number of a manager; `aliquotd member list` shows them", text)
	}
	return nil
}

// members changes the membership for this machine's root.
type members struct {
	store *store.Store
	self  uint64

	mu        sync.Mutex
	addresses map[uint64]string // of Raft, as far as this manager knows
}

func (m *members) list(ctx context.Context, _ url.Values, w io.Writer) error {
	ctx, cancel := context.WithTimeout(ctx, controlTime)
	defer cancel()
	replicas, err := m.store.Replicas(ctx)
	if err != nil {
		return err
	}
	leader, _ := m.store.Leader()
	addresses := m.known()
	for _, n := range replicas {
		line := fmt.Sprint(n, " ", addresses[n])
		if addresses[n] == "" {
			line += "(not among this manager's members: add it there)"
		}
		if n == leader {
			line += " leads"
		}
		fmt.Fprintln(w, line)
	}
	return nil
}

func (m *members) known() map[uint64]string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return maps.Clone(m.addresses)
}

func (m *members) add(ctx context.Context, q url.Values, w io.Writer) error {
	table, err := config.Numbered(q["member"])
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, controlTime)
	defer cancel()
	for n, address := range table {
		if own := m.known()[m.self]; loopback(own) && !loopback(address) {
			return fmt.Errorf(
				"this manager's Raft is at %s, which %s cannot reach: give it another address (raft, members) and start it again first", own, address)
		}
		if err := m.store.AddReplica(ctx, n, member(n, address)); err != nil {
			return err
		}
		m.mu.Lock()
		m.addresses[n] = address
		m.mu.Unlock()
		fmt.Fprintf(w, "%d is a member; start it now, with join\n", n)
	}
	return nil
}

func (m *members) remove(ctx context.Context, q url.Values, w io.Writer) error {
	n, err := strconv.ParseUint(q.Get("member"), 10, 64)
	if err != nil {
		return fmt.Errorf("%q is not the number of a manager", q.Get("member"))
	}
	ctx, cancel := context.WithTimeout(ctx, controlTime)
	defer cancel()
	replicas, err := m.store.Replicas(ctx)
	if err != nil {
		return err
	}
	if len(replicas) == 1 && replicas[0] == n {
		return fmt.Errorf("%d is the only manager: without it there is no cluster", n)
	}
	if err := m.store.RemoveReplica(ctx, n); err != nil {
		return err
	}
	fmt.Fprintf(w, "%d is removed; its number cannot be reused\n", n)
	return nil
}

func member(n uint64, address string) store.Member {
	return store.Member{Name: fmt.Sprintf("manager-%d", n), Address: address}
}

func loopback(address string) bool {
	host, _, _ := net.SplitHostPort(address)
	return isLoopback(host)
}
