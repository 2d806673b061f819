package api

// Quota is what the jobs of a project, or of an owner, take until they end, and the most that they may take.
type Quota struct {
	Project string  `json:"project,omitempty" doc:"Its project; *: each that has no quota of its own; left out: it is an owner's" example:"render"`
	Owner   string  `json:"owner,omitempty" doc:"Its owner, in all projects; *: each that has no quota of its own"`
	Most    Amounts `json:"most" doc:"The limits in force"`
	Used    Amounts `json:"used"`
	Weight  int     `json:"weight" doc:"Weight in the sharing of the cluster, in percent of the usual one"`
}

// Amounts sums up jobs that have not ended, whether they run or wait. Of a quota's limits, 0 means none.
type Amounts struct {
	Jobs          int   `json:"jobs"`
	Tasks         int   `json:"tasks"`
	CPUMillicores int64 `json:"cpuMillicores" doc:"Needs of their tasks"`
	MemoryBytes   int64 `json:"memoryBytes" doc:"Memory of their tasks; when paused, they take as much of the store"`
	LogBytes      int64 `json:"logBytes" doc:"Output and results that their tasks may keep on the store"`
	SpecBytes     int64 `json:"specBytes" doc:"Text of their specifications, which all managers keep"`
}

// QuotaList lists quotas and uses.
type QuotaList struct {
	Quotas []Quota `json:"quotas"`
}

// NewQuota replaces the quota of a project or of an owner. Without limits and weight, it is removed.
type NewQuota struct {
	Project string `json:"project,omitempty" maxLength:"128" pattern:"^([a-zA-Z0-9]([a-zA-Z0-9._-]*[a-zA-Z0-9])?|\\*)$" patternDescription:"of letters, digits and ._-, with a letter or digit at both ends, or *" doc:"Either this or an owner; *: each project that has no quota of its own" example:"render"`
	Owner   string `json:"owner,omitempty" maxLength:"128" pattern:"^([a-zA-Z0-9]([a-zA-Z0-9._@-]*[a-zA-Z0-9])?|\\*)$" patternDescription:"of letters, digits and ._@-, with a letter or digit at both ends, or *" doc:"Either this or a project; *: each owner that has no quota of its own"`
	Jobs    int    `json:"jobs,omitempty" minimum:"0" doc:"Left out or 0, here and below: no limit"`
	Tasks   int    `json:"tasks,omitempty" minimum:"0"`
	CPU     string `json:"cpu,omitempty" maxLength:"32" doc:"Needs of the tasks together" example:"64"`
	Memory  string `json:"memory,omitempty" maxLength:"32" doc:"Memory of the tasks together" example:"256Gi"`
	Logs    string `json:"logs,omitempty" maxLength:"32" doc:"Output that the tasks may keep on the store" example:"10Gi"`
	Specs   string `json:"specs,omitempty" maxLength:"32" doc:"Text of the specifications" example:"16Mi"`
	Weight  int    `json:"weight,omitempty" minimum:"0" maximum:"10000" doc:"Weight in the sharing of the cluster, in percent; left out or 0: the usual one, 100" example:"200"`
}
