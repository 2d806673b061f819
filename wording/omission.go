package wording

// Omission returns why a file is not among the results of a task, by the code that REST has for it.
func Omission(code string) string {
	if sentence := omissions[code]; sentence != "" {
		return sentence
	}
	return "it was not kept"
}

var omissions = map[string]string{
	"unmatched":  "there is no such file",
	"too_large":  "it is larger than what limits.resultBytes leaves",
	"too_many":   "there are too many files",
	"special":    "it is a link, a device, a pipe or a socket",
	"bad_path":   "its path is too long or too deep, cannot be printed, or is that of another file",
	"unreadable": "it could not be read",
}
