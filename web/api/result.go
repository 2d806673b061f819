package api

// Results lists the files that a run has left.
type Results struct {
	Run          int             `json:"run" doc:"Number of the run"`
	Files        []ResultFile    `json:"files" doc:"By path"`
	SizeBytes    int64           `json:"sizeBytes" doc:"Of all files"`
	Omitted      []OmittedResult `json:"omitted" doc:"Files and patterns of the job's outputs that were not kept, and why; at most 1000"`
	OmittedCount int             `json:"omittedCount" doc:"How many were not kept, listed or not"`
	Complete     bool            `json:"complete" doc:"All is there; false: the run has not ended, or its VM ended before it had sent all"`
	Damaged      bool            `json:"damaged" doc:"What its VM sent after these files is not valid"`
}

// ResultFile is a file that a run has left.
type ResultFile struct {
	Path      string `json:"path" doc:"From the folder /work, or from the root for files outside of it" example:"results/a.csv"`
	SizeBytes int64  `json:"sizeBytes"`
}

// OmittedResult is a file or a pattern that was not kept.
type OmittedResult struct {
	Path string `json:"path"`
	Code string `json:"code" enum:"unmatched,too_large,too_many,special,bad_path,unreadable,other"`
	Text string `json:"text" doc:"The reason" example:"it is larger than what limits.resultBytes leaves"`
}
