package arch

import (
	"slices"
	"strings"
)

// A room is what a package may import of ours, and why it needs no more.
type room struct {
	imports []string // a path, or path/... for it and all below; ... is everything
	pure    bool     // a function of its arguments: see impurities
	why     string
}

var rooms = map[string]room{
	"cluster":           {imports: []string{"cluster/clusterpb", "internal/schema"}, pure: true, why: "everybody speaks its vocabulary, so it knows nobody; replicas must agree on every byte"},
	"cluster/clusterpb": {why: "generated messages carry data, not behaviour"},
	"packing":           {imports: []string{"packing/linear", "packing/pace", "packing/radix"}, pure: true, why: "knows vectors only: no jobs, VMs or time, so that every policy can use it"},
	"packing/linear":    {pure: true, why: "it solves programs and does not know what they mean"},
	"packing/pace":      {pure: true, why: "whoever works long asks for an end in the same way; the clock is handed in"},
	"packing/radix":     {pure: true, why: "numbers are sorted the same whatever they are of"},
	"packing/assign":    {imports: []string{"packing"}, pure: true, why: "which node takes which part is a question about vectors too"},
	"packing/stable":    {imports: []string{"packing", "packing/assign"}, pure: true, why: "it mends a mapping; whether that is worth its moves is a policy's to say"},

	"packing/packingtest":     {imports: []string{"packing"}, why: "it draws problems for the fuzz tests of every room of packing"},
	"packing/study":           {pure: true, why: "a roof: it says which rooms of packing decide nothing"},
	"packing/study/bound":     {imports: []string{"packing", "packing/pace", "packing/radix"}, pure: true, why: "what no mapping can beat does not depend on who maps"},
	"packing/study/portfolio": {imports: []string{"packing", "packing/study/bound", "packing/pace", "packing/radix"}, pure: true, why: "many heuristics for the same vectors, and local search: no jobs, VMs or time either"},
	"packing/study/churn":     {imports: []string{"packing", "packing/assign", "packing/stable", "packing/study/instance"}, pure: true, why: "it measures what others move"},
	"packing/study/benchmark": {imports: []string{"packing", "packing/study/bound", "packing/study/instance", "packing/study/portfolio"}, why: "it measures time, which is never the same; nothing else may read a clock here"},
	"packing/study/document":  {imports: []string{"packing", "packing/pace"}, pure: true, why: "a text means the same problem to whoever solves it"},
	"packing/study/solution":  {imports: []string{"packing", "packing/pace", "packing/study/bound", "packing/study/document", "packing/study/portfolio"}, pure: true, why: "it solves instances; reading files and printing are the command's business"},
	"packing/study/instance":  {imports: []string{"packing"}, pure: true, why: "benchmarks, tests and the command line speak of the same instances"},

	"policy":            {imports: []string{"cluster"}, pure: true, why: "a policy is a function of the view alone"},
	"policy/dfrs":       {imports: []string{"cluster", "policy", "packing", "packing/assign", "packing/stable"}, pure: true, why: "a policy says who holds what; getting there is migrate's business"},
	"policy/backfill":   {imports: []string{"cluster", "policy", "policy/calendar"}, pure: true, why: "promises rest on estimates and free nodes, not on packing"},
	"policy/calendar":   {imports: []string{"cluster"}, pure: true, why: "what is promised when does not depend on who promises it"},
	"policy/ceiling":    {imports: []string{"cluster", "packing", "packing/study/bound"}, pure: true, why: "it says what a target could reach, for whoever shows it, and decides nothing"},
	"policy/catalog":    {imports: []string{"cluster", "policy/..."}, pure: true, why: "a map from names to policies decides nothing itself"},
	"policy/policytest": {imports: []string{"cluster", "internal/story", "policy", "wording"}, why: "laws must hold for any policy, so they know none"},

	"migrate":          {imports: []string{"cluster"}, pure: true, why: "a plan follows from the two allocations, whoever chose them"},
	"workload":         {imports: []string{"cluster"}, pure: true, why: "a stream of jobs is the same for every scheduler"},
	"workload/swf":     {imports: []string{"cluster", "workload"}, pure: true, why: "it says what a log says; what that means to a simulation is prepare's business"},
	"workload/prepare": {imports: []string{"cluster", "workload", "workload/swf"}, pure: true, why: "a log and its rules make the same jobs every time"},
	"workload/stream":  {imports: []string{"cluster", "internal/file", "internal/stop", "wording", "workload", "workload/prepare", "workload/swf"}, why: "a stream's files are the same for every command; what is said on the way is the command's business"},
	"workload/gen":     {imports: []string{"cluster", "workload"}, pure: true, why: "a seed makes the same jobs every time"},
	"workload/chart":   {imports: []string{"cluster", "workload"}, pure: true, why: "the same stream gives the same picture"},
	"sim": {imports: []string{"cluster", "policy/...", "migrate", "scheduler", "wording", "workload", "monitor/reconcile"}, pure: true,
		why: "it replaces the shells and nothing else: what decides in production is what is simulated"},
	"sim/bound": {imports: []string{"cluster", "workload"}, pure: true, why: "what no schedule can beat does not depend on any scheduler"},
	"sim/check": {imports: []string{"cluster", "sim", "workload"}, pure: true, why: "it judges a schedule without the code that made it"},

	"sim/sweep": {imports: []string{"cluster", "policy/catalog", "sim", "sim/bound", "sim/check", "sim/timeline", "workload"}, pure: true,
		why: "it says which trials there are and keeps what they came to; who runs them, and when, is the command's business"},
	"sim/trials": {imports: []string{"internal/file", "internal/stop", "internal/terminal", "wording", "sim", "sim/sweep", "workload"},
		why: "it runs trials and keeps results; which there are, and how they are shown, others say"},
	"sim/replay": {imports: []string{"cluster", "migrate", "policy", "policy/catalog", "scheduler", "wording"}, pure: true, why: "what a view leads to follows from the view"},
	"sim/experiments": {imports: []string{"cluster", "internal/file", "sim", "sim/reproduce", "sim/sweep", "sim/trials", "workload"},
		why: "it joins a report's experiments to trials; which there are, reproduce says, and who runs them, trials"},
	"sim/chart":     {pure: true, why: "it draws numbers and does not know what they mean"},
	"sim/course":    {imports: []string{"cluster", "sim"}, pure: true, why: "it listens to a simulation and changes nothing in it"},
	"sim/timeline":  {imports: []string{"cluster", "wording", "sim", "sim/chart", "workload"}, pure: true, why: "it listens to a simulation and changes nothing in it"},
	"sim/report":    {imports: []string{"wording", "sim/chart", "sim/sweep", "sim/timeline"}, pure: true, why: "it shows results and computes none"},
	"sim/reproduce": {imports: []string{"wording", "sim/chart", "sim/report", "sim/sweep", "workload", "workload/gen"}, pure: true, why: "the paper's numbers beside ours, whoever computed these"},

	"manager": {imports: []string{"cluster", "manager/...", "scheduler", "policy", "policy/catalog", "policy/ceiling", "migrate", "wire/...", "web", "guest/folder", "guest/protocol"},
		why: "libvirt and single policies are others' business; of web it implements the Manager"},
	"scheduler":           {imports: []string{"cluster", "policy", "migrate"}, pure: true, why: "one step must be the same live, in a replay and in the simulator"},
	"manager/store":       {imports: []string{"cluster", "cluster/clusterpb"}, why: "it replicates the state and does not look into it"},
	"manager/ca":          {imports: []string{"wire/join"}, why: "certificates and tokens concern names and keys only"},
	"manager/link":        {imports: []string{"cluster", "wire", "wire/..."}, why: "it carries orders and reports; what to do about them is the leader's business"},
	"manager/events":      {imports: []string{"cluster"}, why: "what has happened is kept as it is, whoever asks"},
	"manager/past":        {imports: []string{"cluster"}, pure: true, why: "what was follows from events and samples, whoever brings them"},
	"manager/simulations": {imports: []string{"cluster", "web", "web/api"}, why: "it runs processes and keeps files; what a simulation is, the child knows"},
	"manager/images":      {imports: []string{"cluster", "wire/image"}, why: "files and their digests; who may use them is in the state"},

	"monitor":           {imports: []string{"cluster", "monitor/reconcile", "wire/...", "guest/protocol", "guest/folder"}, why: "a node does as ordered and reports what it saw; it decides nothing about the cluster"},
	"monitor/reconcile": {imports: []string{"cluster"}, pure: true, why: "orders and observations in, actions out, so that a table can test it"},
	"monitor/libvirt":   {imports: []string{"cluster", "monitor", "monitor/reconcile", "guest/protocol", "guest/folder"}, why: "it translates for one hypervisor library and knows no manager"},
	"monitor/model":     {imports: []string{"cluster", "monitor", "monitor/reconcile", "guest/protocol"}, why: "it stands where libvirt does and knows no more; what runs in its VMs is a story"},
	"monitor/fence":     {imports: []string{"cluster", "monitor", "monitor/reconcile", "wire/..."}, why: "it must work when all else fails, so it leans on little; its hypervisor is handed in"},

	"wording": {imports: []string{"cluster"}, pure: true, why: "people read sentences, programs codes and numbers; it decides nothing, so a sentence may change at any time"},

	"wire":        {imports: []string{"cluster", "internal/schema", "wire/..."}, why: "it turns messages into the cluster's types and back, whoever is at the ends"},
	"wire/image":  {why: "an image is the same files with the same digest on both ends"},
	"wire/join":   {why: "a node joins before it knows anything of the cluster"},
	"wire/wirepb": {why: "generated messages carry data, not behaviour"},
	"client":      {imports: []string{"cluster", "web/api", "wire/image"}, why: "users of REST must not drag a manager along"},
	"web":         {imports: []string{"cluster", "manager/past", "scheduler", "web/api", "wording"}, why: "it declares the Manager that it needs, so that a fake of function fields can stand in; what a plan is, scheduler says, and what a span is, manager/past"},
	"web/console": {why: "files and how they are served; the page asks REST like any other program"},
	"web/webtest": {imports: []string{"cluster", "web", "scheduler", "manager/past"}, why: "it puts REST on a state of its own, for tests of server, client and command line"},
	"web/api":     {why: "the JSON of REST is the same on both ends, so it knows neither"},
	"config":      {imports: []string{"cluster"}, why: "everybody is configured by it, so it knows amounts and nobody"},

	"guest":          {imports: []string{"guest/protocol"}, why: "an image knows nothing of the cluster that boots it"},
	"guest/protocol": {why: "spoken on both sides of the virtual machine, so it belongs to neither"},
	"guest/folder":   {imports: []string{"cluster"}, why: "monitors write there and managers read there, so it belongs to neither"},
	"guest/init":     {imports: []string{"guest/protocol"}, why: "it is PID 1 of a small guest: every import is boot time and memory"},

	"client/jobfile": {imports: []string{"web/api"}, why: "a file of jobs means the same to every program that submits it"},

	"cmd/aliquotd": {imports: []string{"..."}, why: "wiring"},
	"cmd/aliquot": {imports: []string{"client/...", "web/api", "wire/image", "cluster", "config", "internal/file", "internal/stop", "internal/terminal", "wording", "packing/...", "policy/...", "migrate", "scheduler", "workload/...", "sim/..."},
		why: "the command line speaks REST and simulates; it must build and run without libvirt"},

	"internal/stop":             {why: "every command ends in the same way"},
	"internal/file":             {why: "every command writes files in the same way"},
	"internal/terminal":         {why: "who watches does not depend on what is shown"},
	"internal/schema":           {pure: true, why: "a field is converted the same whatever it means"},
	"internal/schema/generate":  {why: "it reads source and writes source"},
	"internal/arch":             {why: "it reads source, it does not run it"},
	"internal/story":            {why: "how a story is written does not depend on what it is about"},
	"internal/cpu":              {why: "benchmarks of every package measure alike"},
	"internal/bench":            {imports: []string{"client", "web/api"}, why: "it measures the program from outside, as its users meet it"},
	"internal/labtest":          {imports: []string{"..."}, why: "it tests the whole"},
	"internal/upgrade":          {imports: []string{"client", "cluster", "web/api"}, why: "it tests programs of two releases from outside"},
	"internal/labtest/cgroupv2": {imports: []string{"cluster", "guest/protocol", "monitor", "monitor/libvirt"}, why: "it tests a node in an emulated machine"},
}

// A guard keeps a library in the rooms that are there to hide it, tests included.
type guard struct {
	library string
	rooms   []string
	why     string
}

var guards = []guard{
	{"libvirt.org/go", []string{"monitor/libvirt"}, "differences of QEMU, Xen and cgroups end there, and nothing else needs libvirt's headers"},
	{"github.com/lni", []string{"manager/store"}, "replication is an adapter around State"},
	{"github.com/gorilla/mux", []string{"web"}, "routes are described in one place"},
	{"github.com/danielgtaylor/huma", []string{"web"}, "the OpenAPI document comes from one place"},
	{"github.com/spf13/cobra", []string{"cmd/..."}, "only the commands have a command line"},
}

// matches says whether a package's path falls under one of the patterns.
func matches(patterns []string, path string) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		below, tree := strings.CutSuffix(pattern, "/...")
		return pattern == "..." || pattern == path || tree && within(below, path)
	})
}

// within says whether path is root or lies below it.
func within(root, path string) bool {
	return path == root || strings.HasPrefix(path, root+"/")
}
