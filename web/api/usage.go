package api

import "time"

// UsageReport is what the jobs of owners or projects had over time.
type UsageReport struct {
	From time.Time  `json:"from" doc:"Beginning of the first hour or day"`
	To   time.Time  `json:"to"`
	Rows []UsageRow `json:"rows" doc:"By time, then by granted CPU, the largest first"`
}

// UsageRow is what the jobs of an owner or a project had in one step of time.
type UsageRow struct {
	Start            time.Time `json:"start" doc:"Beginning of the hour or day (UTC), or of the report"`
	Owner            string    `json:"owner,omitempty" doc:"Left out: the row is a project's; *: the others, beyond a thousand"`
	Project          string    `json:"project,omitempty" doc:"Left out: the row is an owner's; *: the others, beyond a thousand"`
	GrantedCoreHours float64   `json:"grantedCoreHours" doc:"CPU that was granted"`
	UsedCoreHours    float64   `json:"usedCoreHours" doc:"CPU that VMs used, as measured"`
	WaitedJobHours   float64   `json:"waitedJobHours" doc:"Time for which jobs that may run waited or were paused"`
}
