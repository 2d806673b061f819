package api

// Network is the network of VMs.
type Network struct {
	Subnet    string   `json:"subnet" doc:"Empty: jobs cannot have a network" example:"10.77.0.0/16"`
	Open      bool     `json:"open" doc:"VMs of jobs that are submitted now reach those of other projects; false: a project reaches none but its own"`
	Bandwidth int      `json:"bandwidth" doc:"The most that each VM sends, and the most that it gets, in Mbit/s; 0: no limit" example:"1000"`
	Addresses int      `json:"addresses" doc:"How many VMs it has addresses for"`
	Used      int      `json:"used" doc:"How many jobs hold that have not ended, whether they run or wait"`
	Nodes     []string `json:"nodes" doc:"Nodes that have a bridge, and can limit network cards if there is a bandwidth: they alone take jobs with a network that are submitted now"`
	Unlimited []string `json:"unlimited" doc:"Nodes that have a bridge and cannot limit network cards: while there is a bandwidth, no VM with a network starts there or moves there"`
}

// NewNetwork sets the network of VMs.
type NewNetwork struct {
	Subnet    string `json:"subnet" maxLength:"18" doc:"IPv4 subnet from /16 to /29 that nothing else uses; its first address is left to a router; empty: none" example:"10.77.0.0/16"`
	Open      bool   `json:"open,omitempty" doc:"VMs of jobs that are submitted from now on reach those of other projects; left out: a project reaches none but its own"`
	Bandwidth int    `json:"bandwidth,omitempty" minimum:"0" maximum:"100000" doc:"The most that each VM sends, and the most that it gets, in Mbit/s, for VMs that start or resume from now on; left out or 0: no limit" example:"1000"`
}
