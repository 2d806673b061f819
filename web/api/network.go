package api

// Network is the network of VMs.
type Network struct {
	Subnet    string   `json:"subnet" doc:"Empty: jobs cannot have a network" example:"10.77.0.0/16"`
	Addresses int      `json:"addresses" doc:"How many VMs it has addresses for"`
	Used      int      `json:"used" doc:"How many jobs hold that have not ended, whether they run or wait"`
	Nodes     []string `json:"nodes" doc:"Nodes that have a bridge, which alone take jobs with a network"`
}

// NewNetwork sets the network of VMs.
type NewNetwork struct {
	Subnet string `json:"subnet" maxLength:"18" doc:"IPv4 subnet from /16 to /29 that nothing else uses; its first address is left to a router; empty: none" example:"10.77.0.0/16"`
}
