package config

import (
	"errors"
	"fmt"
	"maps"
	"net"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"aliquot/cluster"
)

// check collects the errors of a configuration.
type check []error

func (c *check) want(ok bool, key string, value any, allowed string) {
	if !ok {
		*c = append(*c, fmt.Errorf("%s: %v is not allowed: %s", key, value, allowed))
	}
}

func (c *check) folder(key, path string, required bool) {
	c.want(filepath.IsAbs(path) || path == "" && !required, key, strconv.Quote(path), "give an absolute path")
}

// below reports whether the path is the folder or in it.
func below(folder, path string) bool {
	inside, err := filepath.Rel(folder, path)
	return err == nil && inside != ".." && !strings.HasPrefix(inside, "../")
}

func (c *check) image(key, setting string) {
	c.want(setting == "auto" || setting == "none" || filepath.IsAbs(setting), key, strconv.Quote(setting),
		"give auto, none or an absolute path")
}

func (c *check) address(key, address string) {
	host, port, err := net.SplitHostPort(address)
	n, numeric := strconv.Atoi(port)
	c.want(err == nil && host != "" && numeric == nil && n > 0 && n < 1<<16, key, strconv.Quote(address),
		"give HOST:PORT, such as 127.0.0.1:7420")
	c.specific(key, host)
}

// specific refuses wildcard addresses: nobody can connect to one, and no certificate can name it.
func (c *check) specific(key, host string) {
	c.want(!net.ParseIP(host).IsUnspecified(), key, host, "give the one address at which others reach this machine")
}

func (c *check) duration(key string, d, low, high time.Duration) {
	c.want(d >= low && d <= high, key, d, fmt.Sprintf("give %v to %v", low, high))
}

func (c *check) level(level string) {
	c.want(slices.Contains([]string{"debug", "info", "warn", "error"}, level), "log-level", strconv.Quote(level),
		"give debug, info, warn or error")
}

// leastMargin is the least time that a fence needs: it looks at the lease every second, and gives a hung hypervisor 5 s
// before it stops the VMs' processes itself. A watchdog resets a machine whose fence has died within 10 s.
const leastMargin = 12 * time.Second

// leastLease leaves a node time to renew its lease when an answer is late.
const leastLease = 5 * time.Second

// Validate returns all errors of the configuration, or nil.
func (m *Manager) Validate() error {
	var c check
	c.folder("data", m.Data, true)
	c.folder("secrets", m.Secrets, true)
	c.folder("store", m.Store, false)
	c.image("image", m.Image)
	c.want(m.Replica > 0, "replica", m.Replica, "replicas count from 1")
	c.address("rest", m.REST)
	c.address("raft", m.Raft)
	c.address("link", m.Link)
	c.want(m.RaftTLS == RaftTLSAuto || m.RaftTLS == RaftTLSRequired, "raft-tls", strconv.Quote(m.RaftTLS),
		"give auto or required")
	c.members(m)
	c.want(m.Policy != "", "policy", `""`, "give a published name, such as "+Policy)
	c.duration("period", m.Period, time.Second, 24*time.Hour)
	c.duration("lease", m.Lease, leastLease, time.Hour)
	c.duration("results-age", m.ResultsAge, time.Minute, 100*365*24*time.Hour)
	c.duration("audit-age", m.AuditAge, 24*time.Hour, 100*365*24*time.Hour)
	c.want(m.PastSize >= leastPast, "past-size", cluster.Bytes(m.PastSize), "give 16Mi or more")
	c.want(m.AuditSize >= leastAudit, "audit-size", cluster.Bytes(m.AuditSize), "give 16Mi or more")
	c.syslog("audit-syslog", m.AuditSyslog)
	c.duration("fence-margin", m.FenceMargin, leastMargin, time.Hour)
	c.level(m.LogLevel)
	return errors.Join(c...)
}

// leastPast holds some hours of a large cluster, and more than a week of the cluster's own rows.
const leastPast = Memory(16 * cluster.MiB)

// leastAudit leaves each of many senders some room.
const leastAudit = Memory(16 * cluster.MiB)

// syslog accepts the receivers that package manager/audit can send to.
func (c *check) syslog(key, address string) {
	u, err := url.Parse(address)
	ok := address == "none"
	if err == nil && u.Scheme == "unix" {
		ok = filepath.IsAbs(u.Path) && u.Host == ""
	} else if err == nil && slices.Contains([]string{"udp", "tcp", "tls"}, u.Scheme) {
		ok = u.Hostname() != "" && u.Port() != "" && u.Path == "" && u.User == nil
	}
	c.want(ok, key, strconv.Quote(address), "give none, udp://HOST:PORT, tcp://HOST:PORT, tls://HOST:PORT or unix:///PATH")
}

// members checks that the lists name the same managers, including this one.
func (c *check) members(m *Manager) {
	lists := map[string][]string{"members": m.Members, "links": m.Links, "urls": m.URLs}
	members, _ := Numbered(m.Members) // its errors are told below
	for _, key := range []string{"members", "links", "urls"} {
		table, err := Numbered(lists[key])
		c.want(err == nil, key, lists[key], fmt.Sprint(err))
		c.want(err != nil || len(table) == 0 || table[m.Replica] != "", key, lists[key],
			fmt.Sprintf("replica %d, which is this one, is not among them", m.Replica))
		if differs := difference(table, members); err == nil && members != nil && (len(table) > 0 || len(members) > 1) {
			c.want(differs == "", key, lists[key], "it must name the same managers as members: "+differs)
		}
		for n, address := range table {
			if key == "urls" {
				u, err := url.Parse(address)
				c.want(err == nil && u.Host != "" && (u.Scheme == "http" || u.Scheme == "https"), key, address,
					"give NUMBER=http(s)://HOST:PORT")
				if err == nil {
					c.specific(key, u.Hostname())
				}
			} else {
				c.address(fmt.Sprintf("%s, %d", key, n), address)
			}
		}
	}
}

// difference tells which of the members a table of managers lacks, and which it has in excess; "": it has the same.
func difference(table, members map[uint64]string) string {
	var list []string
	for _, side := range []struct {
		has, wants map[uint64]string
		words      string
	}{{table, members, "is missing"}, {members, table, "is too many"}} {
		for _, n := range slices.Sorted(maps.Keys(side.wants)) {
			if side.has[n] == "" {
				list = append(list, fmt.Sprintf("%d %s", n, side.words))
			}
		}
	}
	return strings.Join(list, ", ")
}

// Numbered parses a list of NUMBER=VALUE. Numbers start at 1 and must be unique.
func Numbered(list []string) (map[uint64]string, error) {
	table := map[uint64]string{}
	for _, entry := range list {
		number, value, ok := strings.Cut(entry, "=")
		n, err := strconv.ParseUint(number, 10, 64)
		if !ok || err != nil || n == 0 || value == "" || table[n] != "" {
			return nil, fmt.Errorf("%q is not NUMBER=VALUE with a number from 1 that is given once", entry)
		}
		table[n] = value
	}
	return table, nil
}

// Pairs parses a list of KEY=VALUE and sorts it by key. Keys must be unique.
func Pairs(list []string) ([]cluster.Pair, error) {
	var pairs []cluster.Pair
	for _, entry := range list {
		key, value, ok := strings.Cut(entry, "=")
		if !ok || key == "" {
			return nil, fmt.Errorf("%q is not KEY=VALUE", entry)
		}
		pairs = append(pairs, cluster.Pair{Key: key, Value: value})
	}
	slices.SortFunc(pairs, func(a, b cluster.Pair) int { return strings.Compare(a.Key, b.Key) })
	for i := 1; i < len(pairs); i++ {
		if pairs[i].Key == pairs[i-1].Key {
			return nil, fmt.Errorf("%q is given twice", pairs[i].Key)
		}
	}
	if len(pairs) > cluster.MaxNodeLabels {
		return nil, fmt.Errorf("%d labels are given, but a node may carry at most %d", len(pairs), cluster.MaxNodeLabels)
	}
	return pairs, nil
}

// Validate returns all errors of the configuration, or nil.
func (m *Monitor) Validate() error {
	var c check
	if m.Node != "" {
		err := cluster.CheckNodeName(m.Node)
		c.want(err == nil, "node", strconv.Quote(m.Node), fmt.Sprint(err))
	}
	c.want(len(m.Managers) > 0, "managers", "[]", "give HOST:PORT of at least one manager's link")
	for _, address := range m.Managers {
		c.address("managers", address)
	}
	c.folder("join-token", m.JoinToken, false)
	c.folder("data", m.Data, true)
	c.folder("store", m.Store, true)
	c.folder("images", m.Images, true)
	earlier := filepath.Join(m.Store, "images") // the default of earlier versions, which the monitor replaces
	c.want(!below(m.Store, m.Images) || m.Images == earlier, "images", strconv.Quote(m.Images),
		"give a folder of this node's own disk: others can write to the store")
	c.image("trial-image", m.Trial)
	c.uri("uri", m.URI, true)
	if err := cluster.CheckMigrateURI(m.MigrateURI, m.MigrateTCP); m.MigrateURI != "" && err != nil {
		c = append(c, fmt.Errorf("migrate-uri: %w; migrate-tcp allows qemu+tcp and xen+tcp", err))
	}
	c.want(slices.Contains([]string{"auto", "kvm", "tcg"}, m.Accel), "accel", strconv.Quote(m.Accel),
		"give auto, kvm or tcg")
	c.want(slices.Contains([]string{"cores", "threads", "none"}, m.Bind), "bind", strconv.Quote(m.Bind),
		"give cores, threads or none")
	c.want(len(m.Bridge) <= 15 && !strings.ContainsAny(m.Bridge, "/ \t\n"), "bridge", strconv.Quote(m.Bridge),
		"give the name of a bridge, of at most 15 characters")
	err := cluster.CheckNodeClass(m.Class)
	c.want(err == nil, "class", strconv.Quote(m.Class), fmt.Sprint(err))
	_, err = Pairs(m.Labels)
	c.want(err == nil, "labels", m.Labels, fmt.Sprint(err))
	c.level(m.LogLevel)
	return errors.Join(c...)
}

func (c *check) uri(key, text string, required bool) {
	u, err := url.Parse(text)
	c.want(err == nil && u.Scheme != "" || text == "auto" || text == "" && !required, key, strconv.Quote(text),
		"give auto, or a libvirt URI, such as qemu:///system")
}

// Validate returns all errors of the configuration, or nil.
func (f *Fence) Validate() error {
	var c check
	c.folder("data", f.Data, true)
	c.uri("uri", f.URI, true)
	c.duration("fence-after", f.FenceAfter, time.Second, 7*24*time.Hour)
	c.want(f.Watchdog == "auto" || f.Watchdog == "none" || filepath.IsAbs(f.Watchdog), "watchdog",
		strconv.Quote(f.Watchdog), "give auto, none or a device, such as /dev/watchdog1")
	c.level(f.LogLevel)
	return errors.Join(c...)
}
