package arch

import (
	"slices"
	"strings"
)

// A room is the set of our packages that a package may import, and the reason why it needs no more.
type room struct {
	imports []string // paths; path/... includes everything below; ... is everything
	pure    bool     // its functions depend on their arguments alone: see impurities
	why     string
}

var rooms = map[string]room{
	"cluster": {imports: []string{"cluster/clusterpb", "internal/schema"}, pure: true,
		why: "every room uses its vocabulary, so it imports none of them; replicas must agree on every byte"},
	"cluster/clusterpb": {why: "generated messages carry data, not behaviour"},
	"packing": {imports: []string{"packing/linear", "packing/pace", "packing/radix"}, pure: true,
		why: "knows vectors only: no jobs, VMs or time, so that every policy can use it"},
	"packing/linear": {pure: true, why: "it solves programs without knowing their meaning"},
	"packing/pace":   {pure: true, why: "all long work stops in the same way; the caller has the clock"},
	"packing/radix":  {pure: true, why: "sorting numbers does not depend on their meaning"},
	"packing/assign": {imports: []string{"packing"}, pure: true,
		why: "assigning parts to nodes is a problem about vectors too"},
	"packing/stable": {imports: []string{"packing", "packing/assign"}, pure: true,
		why: "it repairs a mapping; the policy decides whether that is worth its moves"},

	"packing/packingtest": {imports: []string{"packing"},
		why: "it draws problems for the fuzz tests of every room of packing"},
	"packing/study": {pure: true, why: "a roof: it says which rooms of packing decide nothing"},
	"packing/study/bound": {imports: []string{"packing", "packing/pace", "packing/radix"}, pure: true,
		why: "a bound on all mappings does not depend on how one is found"},
	"packing/study/portfolio": {imports: []string{"packing", "packing/study/bound", "packing/pace", "packing/radix"},
		pure: true, why: "many heuristics for the same vectors, and local search: no jobs, VMs or time either"},
	"packing/study/churn": {imports: []string{"packing", "packing/assign", "packing/stable", "packing/study/instance"},
		pure: true, why: "it measures the moves of other packages"},
	"packing/study/benchmark": {imports: []string{"packing", "packing/study/bound", "packing/study/instance",
		"packing/study/portfolio"}, why: "it measures time, which is never the same; nothing else may read a clock here"},
	"packing/study/document": {imports: []string{"packing", "packing/pace"}, pure: true,
		why: "a text states the same problem for every solver"},
	"packing/study/solution": {imports: []string{"packing", "packing/pace", "packing/study/bound",
		"packing/study/document", "packing/study/portfolio"}, pure: true,
		why: "it solves instances; reading files and printing are the command's business"},
	"packing/study/instance": {imports: []string{"packing"}, pure: true,
		why: "benchmarks, tests and the command line use the same instances"},

	"policy": {imports: []string{"cluster"}, pure: true, why: "a policy is a function of the view alone"},
	"policy/dfrs": {imports: []string{"cluster", "policy", "packing", "packing/assign", "packing/stable"},
		pure: true, why: "a policy chooses an allocation; package migrate finds the way there"},
	"policy/backfill": {imports: []string{"cluster", "policy", "policy/calendar"}, pure: true,
		why: "promises rest on estimates and free nodes, not on packing"},
	"policy/harvest": {imports: []string{"cluster", "policy"}, pure: true,
		why: "what is left does not depend on the policy that leaves it"},
	"policy/tiered": {imports: []string{"cluster", "policy", "policy/calendar"}, pure: true,
		why: "reservations rest on estimates and free nodes, not on packing"},
	"policy/deadline": {imports: []string{"cluster", "policy"}, pure: true,
		why: "the plan of jobs with deadlines, which policy/reserve lists by name"},
	"policy/reserve": {imports: []string{"cluster", "policy", "policy/calendar"}, pure: true,
		why: "it grants intervals on free nodes and decides nothing else"},
	"policy/hetero": {pure: true,
		why: "it schedules the machines of a site, which are no nodes; the caller knows what a machine is"},
	"policy/market": {pure: true,
		why: "it plans workflows on slots of processors, which are no nodes; the caller knows what a site is"},
	"policy/market/document": {imports: []string{"policy/market"}, pure: true,
		why: "reading files and naming methods is no part of planning"},
	"policy/calendar": {imports: []string{"cluster"}, pure: true,
		why: "recording promises does not depend on the policy that makes them"},
	"policy/ceiling": {imports: []string{"cluster", "packing", "packing/study/bound"}, pure: true,
		why: "it bounds the yield of a target and decides nothing"},
	"policy/catalog": {imports: []string{"cluster", "policy/..."}, pure: true,
		why: "a map from names to policies decides nothing itself"},
	"policy/policytest": {imports: []string{"cluster", "internal/story", "policy", "wording"},
		why: "laws must hold for any policy, so they know none"},

	"migrate": {imports: []string{"cluster"}, pure: true,
		why: "a plan follows from the two allocations, however they were chosen"},
	"workload": {imports: []string{"cluster"}, pure: true,
		why: "a stream of jobs is the same for every scheduler"},
	"workload/swf": {imports: []string{"cluster", "workload"}, pure: true,
		why: "it reads a log; package prepare interprets it for a simulation"},
	"workload/prepare": {imports: []string{"cluster", "workload", "workload/swf"}, pure: true,
		why: "a log and its rules make the same jobs every time"},
	"workload/wf": {imports: []string{"cluster", "workload"}, pure: true,
		why: "a file of others means the same to those that submit it and to those that simulate it"},
	"workload/stream": {imports: []string{"cluster", "internal/file", "internal/stop", "wording", "workload",
		"workload/prepare", "workload/swf"}, why: "a stream's files are the same for every command; commands print"},
	"workload/gen": {imports: []string{"cluster", "workload"}, pure: true,
		why: "a seed makes the same jobs every time"},
	"workload/chart": {imports: []string{"cluster", "workload"}, pure: true,
		why: "the same stream gives the same picture"},
	"sim": {imports: []string{"cluster", "policy", "migrate", "scheduler", "wording", "workload"},
		pure: true,
		why:  "it replaces the shells and nothing else: the deciding code is that of production"},
	"sim/site": {imports: []string{"policy/hetero", "workload"}, pure: true,
		why: "it keeps runs on a virtual clock; the deciding code is that of policy/hetero"},
	"sim/bound": {imports: []string{"cluster", "workload"}, pure: true,
		why: "a bound on all schedules does not depend on a scheduler"},
	"sim/check": {imports: []string{"cluster", "sim", "workload"}, pure: true,
		why: "it judges a schedule without the code that made it"},

	"sim/world": {why: "a whole control plane under faults, made of tests alone: what it runs is imported by them"},

	"sim/sweep": {imports: []string{"cluster", "policy/catalog", "sim", "sim/bound", "sim/check", "sim/timeline",
		"workload"}, pure: true,
		why: "it lists trials and keeps their results; package trials and commands run them"},
	"sim/trials": {imports: []string{"internal/file", "internal/stop", "internal/terminal", "wording", "sim", "sim/sweep",
		"workload"},
		why: "it runs trials and keeps results; other packages list them and show the results"},
	"sim/replay": {imports: []string{"cluster", "migrate", "policy", "policy/catalog", "scheduler", "wording"}, pure: true,
		why: "a decision follows from the view"},
	"sim/experiments": {imports: []string{"cluster", "internal/file", "sim", "sim/reproduce", "sim/reproduce/hetero",
		"sim/reproduce/provisioning", "sim/reproduce/reserve", "sim/reproduce/study", "sim/reproduce/tiered", "sim/sweep",
		"sim/trials", "workload"},
		why: "it turns a report's experiments into trials; package reproduce lists them, package trials runs them"},
	"sim/chart": {pure: true, why: "it draws numbers without knowing their meaning"},
	"sim/course": {imports: []string{"cluster", "sim"}, pure: true,
		why: "it listens to a simulation and changes nothing in it"},
	"sim/timeline": {imports: []string{"cluster", "wording", "sim", "sim/chart", "workload"}, pure: true,
		why: "it listens to a simulation and changes nothing in it"},
	"sim/report": {imports: []string{"wording", "sim/chart", "sim/sweep", "sim/timeline"}, pure: true,
		why: "it shows results and computes none"},
	"sim/reproduce": {imports: []string{"wording", "sim/chart", "sim/report", "sim/sweep", "workload", "workload/gen"},
		pure: true, why: "it compares the paper's numbers with ours and computes none"},
	"sim/reproduce/study": {imports: []string{"sim/chart", "sim/report", "sim/reproduce", "sim/sweep"}, pure: true,
		why: "a page of claims is the same for every paper"},
	"sim/reproduce/hetero": {imports: []string{"packing/linear", "policy/hetero", "sim/chart", "sim/reproduce",
		"sim/reproduce/study", "sim/site"},
		pure: true, why: "it makes a site and compares the paper's claims with results; the caller has the clock"},
	"sim/reproduce/provisioning": {imports: []string{"policy/market", "sim/chart", "sim/reproduce", "sim/reproduce/study"},
		pure: true, why: "it makes streams and workflows, and compares the thesis' claims with results"},
	"sim/reproduce/reserve": {imports: []string{"sim/chart", "sim/reproduce", "sim/reproduce/study", "sim/sweep",
		"workload", "workload/gen"},
		pure: true, why: "it compares the paper's claims with our results and simulates nothing"},
	"sim/reproduce/tiered": {imports: []string{"cluster", "sim/chart", "sim/reproduce", "sim/reproduce/study",
		"sim/sweep", "workload", "workload/gen"},
		pure: true, why: "it compares the paper's claims with our results and simulates nothing"},

	"manager": {imports: []string{"cluster", "manager/...", "scheduler", "policy", "policy/catalog", "policy/ceiling",
		"migrate", "wire", "web", "guest/folder", "internal/disk"},
		why: "it needs neither libvirt nor a particular policy; it implements the Manager of package web"},
	"scheduler": {imports: []string{"cluster", "policy", "migrate"}, pure: true,
		why: "one step must be the same live, in a replay and in the simulator"},
	"manager/store": {imports: []string{"cluster", "internal/unproven"},
		why: "it replicates the state and does not look into it"},
	"manager/ca": {imports: []string{"cluster", "wire/join"},
		why: "certificates and tokens concern names and keys only"},
	"manager/link": {imports: []string{"cluster", "internal/unproven", "wire", "wire/..."},
		why: "it carries orders and reports; what to do about them is the leader's business"},
	"manager/events":  {imports: []string{"cluster"}, why: "it keeps events as they happened, for every reader"},
	"manager/audit":   {imports: []string{"web"}, why: "it keeps entries as they were made; web decides what is recorded"},
	"manager/journal": {imports: []string{"cluster"}, why: "it keeps lines and their times, whatever they say"},
	"manager/past": {imports: []string{"cluster"}, pure: true,
		why: "the past follows from events and samples, wherever they come from"},
	"manager/simulations": {imports: []string{"cluster", "web", "web/api"},
		why: "it runs processes and keeps files; only the child process knows simulations"},
	"manager/output": {imports: []string{"cluster", "guest/folder", "guest/protocol", "web"},
		why: "it answers web's queries for logs from the folders that guests write to"},
	"manager/images": {imports: []string{"cluster", "wire/image"},
		why: "it keeps files and digests; permissions are in the state"},

	"monitor": {imports: []string{"cluster", "monitor/reconcile", "monitor/seed", "wire", "wire/image",
		"wire/image/qcow2", "guest/protocol", "guest/stream", "guest/folder", "internal/disk"},
		why: "a node obeys orders and reports observations; it decides nothing about the cluster"},
	"monitor/reconcile": {imports: []string{"cluster"}, pure: true,
		why: "orders and observations in, actions out, so that a table can test it"},
	"monitor/libvirt": {imports: []string{"cluster", "monitor", "monitor/reconcile", "guest/protocol", "guest/stream",
		"guest/folder"},
		why: "it translates for one hypervisor library and knows no manager"},
	"monitor/model": {imports: []string{"cluster", "monitor", "monitor/reconcile", "guest/protocol"},
		why: "it replaces libvirt and knows no more; scripts define what its VMs do"},
	"monitor/seed": {why: "it writes what cloud-init reads, whatever the task is"},
	"monitor/host": {imports: []string{"cluster", "internal/disk", "monitor"},
		why: "it reads the machine's own counters for people to see; no decision uses them"},
	"monitor/fence": {imports: []string{"monitor"},
		why: "it must work when all else fails, so it leans on little; its hypervisor is handed in"},

	"wording": {imports: []string{"cluster"}, pure: true,
		why: "people read sentences, programs read codes and numbers; it decides nothing, so a sentence may change at any time"},

	"wire": {imports: []string{"cluster", "guest/stream", "internal/schema", "wire/..."},
		why: "it converts messages to the cluster's types and back, the same at both ends"},
	"wire/image": {imports: []string{"wire/image/qcow2"},
		why: "an image is the same files with the same digest on both ends"},
	"wire/image/qcow2": {why: "a disk is blocks, whoever made them and whatever they hold"},
	"wire/join":        {imports: []string{"cluster"}, why: "a node joins with its name, before it knows more"},
	"wire/wirepb":      {why: "generated messages carry data, not behaviour"},
	"client": {imports: []string{"guest/stream", "web/api"},
		why: "users of REST must not drag a manager along"},
	"web": {imports: []string{"cluster", "guest/stream", "internal/sheet", "manager/past", "scheduler", "web/api",
		"wording"},
		why: "it declares the Manager that it needs, so that a fake of function fields can stand in; scheduler defines plans and manager/past defines spans"},
	"web/console": {why: "files and how they are served; the page asks REST like any other program"},
	"web/webtest": {imports: []string{"cluster", "guest/stream", "web", "scheduler", "manager/audit", "manager/past"},
		why: "it puts REST on a state of its own, for tests of server, client and command line"},
	"web/api": {why: "the JSON of REST is the same on both ends, so it knows neither"},
	"config":  {imports: []string{"cluster"}, why: "it configures every daemon, so it imports none of them"},

	"guest":          {why: "an image knows nothing of the cluster that boots it"},
	"guest/protocol": {why: "spoken on both sides of the virtual machine, so it belongs to neither"},
	"guest/stream":   {why: "spoken by guests and by clients, so it belongs to neither"},
	"guest/folder": {imports: []string{"cluster"},
		why: "monitors write there and managers read there, so it belongs to neither"},
	"guest/init": {imports: []string{"guest/protocol", "guest/stream"},
		why: "it is PID 1 of a small guest: every import is boot time and memory"},

	"client/jobfile": {imports: []string{"web/api", "workload/wf"},
		why: "a file of jobs means the same to every program that submits it"},

	"cmd/internal/manual": {why: "a page repeats the help of a command, whatever it does"},
	"cmd/aliquotd":        {imports: []string{"..."}, why: "wiring"},
	"cmd/aliquot": {imports: []string{"client/...", "cmd/internal/manual", "guest/stream", "web/api", "cluster",
		"internal/file",
		"internal/sheet", "internal/stop", "internal/terminal", "wording", "packing/...", "policy/...", "workload/...",
		"sim/..."},
		why: "the command line speaks REST and simulates; it must build and run without libvirt"},

	"internal/stop":            {why: "every command ends in the same way"},
	"internal/unproven":        {why: "every port limits strangers in the same way"},
	"internal/disk":            {imports: []string{"cluster"}, why: "managers and nodes count space in the same way"},
	"internal/file":            {why: "every command writes files in the same way"},
	"internal/sheet":           {why: "a spreadsheet reads columns, whatever they mean"},
	"internal/terminal":        {why: "the terminal does not depend on the text shown"},
	"internal/schema":          {pure: true, why: "a field is converted the same way whatever it means"},
	"internal/schema/generate": {why: "it reads source and writes source"},
	"internal/mutate":          {why: "it changes source and runs tests, and knows none"},
	"internal/arch":            {why: "it reads source, it does not run it"},
	"internal/story":           {why: "the form of a story does not depend on its subject"},
	"internal/freeport":        {why: "tests of every package take ports in the same way"},
	"internal/cpu":             {why: "benchmarks of every package measure alike"},
	"internal/bench": {
		why: "it measures the program from outside, as its users meet it"},
	"internal/labtest": {imports: []string{"..."}, why: "it tests the whole"},
	"internal/upgrade": {
		why: "it tests programs of two releases from outside"},
	"internal/labtest/cgroupv2": {imports: []string{"cluster", "guest/protocol", "monitor", "monitor/libvirt"},
		why: "it tests a node in an emulated machine"},
	"internal/labtest/tiers": {imports: []string{"cluster", "guest/protocol", "monitor", "monitor/libvirt"},
		why: "it measures VMs on a node"},
	"internal/xentest": {imports: []string{"..."},
		why: "it tests nodes from outside"},
	"internal/xentest/node": {
		imports: []string{"cluster", "guest/protocol", "monitor", "monitor/libvirt", "monitor/reconcile"},
		why:     "it does on a node what a monitor would"},
}

// A guard keeps a library inside the rooms that hide it, tests included.
type guard struct {
	library string
	rooms   []string
	why     string
}

var guards = []guard{
	{"libvirt.org/go", []string{"monitor/libvirt"},
		"differences of QEMU, Xen and cgroups end there, and nothing else needs libvirt's headers"},
	{"github.com/lni", []string{"manager/store"}, "replication is an adapter around State"},
	{"github.com/gorilla/mux", []string{"web"}, "routes are described in one place"},
	{"github.com/danielgtaylor/huma", []string{"web"}, "the OpenAPI document comes from one place"},
	{"github.com/coder/websocket", []string{"client", "web"}, "streams are WebSockets at the edge alone"},
	{"github.com/hashicorp/yamux", []string{"guest", "guest/init", "guest/stream", "monitor"},
		"streams share a port of a guest alone"},
	{"github.com/spf13/cobra", []string{"cmd/..."}, "only the commands have a command line"},
}

// matches reports whether a package's path matches one of the patterns.
func matches(patterns []string, path string) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		below, tree := strings.CutSuffix(pattern, "/...")
		return pattern == "..." || pattern == path || tree && within(below, path)
	})
}

// within reports whether path is root or lies below it.
func within(root, path string) bool {
	return path == root || strings.HasPrefix(path, root+"/")
}
