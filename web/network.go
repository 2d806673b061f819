package web

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"aliquot/cluster"
	"aliquot/web/api"
)

func (s *server) registerNetwork(to huma.API) {
	register(s, to, operation("get-network", "GET", "/v1/network", cluster.Viewer, "Show the network of VMs",
		"The subnet from which the tasks of jobs with a network get their addresses, and the rules for their network cards."),
		s.getNetwork)
	register(s, to, operation("set-network", "PUT", "/v1/network", cluster.Admin, "Set the network of VMs",
		"Another subnet is refused while jobs have addresses; the rest can be changed at any time. Nodes need a bridge: `bridge` is a setting of their monitors. With a bandwidth, nodes that are `unlimited` take no jobs with a network."),
		s.setNetwork)
}

func (s *server) getNetwork(ctx context.Context, _ *struct{}) (*body[api.Network], error) {
	v, err := s.manager.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	out := api.Network{Subnet: v.Subnet.String(), Open: v.Bridge() == cluster.Bridged, Bandwidth: v.Subnet.Rate,
		Addresses: v.Subnet.Size(), Used: v.Addresses(), Nodes: []string{}, Unlimited: []string{}}
	for n := range v.Nodes() {
		if v.Connects(n) {
			out.Nodes = append(out.Nodes, n.Name)
		}
		if n.Description.Bridged && !n.Description.Limits {
			out.Unlimited = append(out.Unlimited, n.Name)
		}
	}
	return answer(out), nil
}

func (s *server) setNetwork(ctx context.Context, in *struct {
	Keyed
	Body api.NewNetwork
}) (*body[api.Accepted], error) {
	var subnet cluster.Subnet
	if in.Body.Subnet != "" {
		var err error
		if subnet, err = cluster.ParseSubnet(in.Body.Subnet); err != nil {
			return nil, newProblem(string(cluster.CodeInvalid), "subnet", "%v", err)
		}
	}
	subnet.Open, subnet.Rate = in.Body.Open, in.Body.Bandwidth
	recordOf(ctx).about(subnet.Text())
	result, err := s.do(ctx, in.Key, cluster.SetSubnet{Subnet: subnet})
	return accepted(result), err
}
