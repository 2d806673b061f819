package api

import "time"

// NewToken is a request for a token.
type NewToken struct {
	Name    string `json:"name" minLength:"1" maxLength:"128" pattern:"^[a-zA-Z0-9]([a-zA-Z0-9._-]*[a-zA-Z0-9])?$" patternDescription:"of letters, digits and ._-, with a letter or digit at both ends" doc:"For people and for the log of who did what" example:"ci"`
	Role    string `json:"role" enum:"viewer,user,operator,admin"`
	Owner   string `json:"owner,omitempty" maxLength:"128" pattern:"^[a-zA-Z0-9]([a-zA-Z0-9._@-]*[a-zA-Z0-9])?$" patternDescription:"of letters, digits and ._@-, with a letter or digit at both ends" doc:"Owner of the jobs submitted with it; left out: its name"`
	Project string `json:"project,omitempty" maxLength:"128" pattern:"^[a-zA-Z0-9]([a-zA-Z0-9._-]*[a-zA-Z0-9])?$" patternDescription:"of letters, digits and ._-, with a letter or digit at both ends" doc:"Project of the jobs submitted with it; left out: default"`
	Expires string `json:"expires,omitempty" maxLength:"32" doc:"Time to live; left out: it does not expire" example:"720h"`
}

// Token is a token without its secret.
type Token struct {
	ID      string     `json:"id"`
	Name    string     `json:"name"`
	Role    string     `json:"role" enum:"viewer,user,operator,admin,system"`
	Owner   string     `json:"owner"`
	Project string     `json:"project"`
	Created time.Time  `json:"created"`
	Expires *time.Time `json:"expires,omitempty"`
	Revoked bool       `json:"revoked"`
	Used    *time.Time `json:"used,omitempty" doc:"Last use at the managers that answered, to the minute"`
}

// CreatedToken is a new token with its secret, which is shown only here.
type CreatedToken struct {
	Token
	Secret string `json:"secret" doc:"Keep it: it cannot be shown again"`
}

// TokenList lists all tokens by id.
type TokenList struct {
	Tokens []Token `json:"tokens"`
}

// Problem describes why a request failed, as problem details (RFC 9457).
type Problem struct {
	Type   string  `json:"type" doc:"Always about:blank; programs look at the code"`
	Title  string  `json:"title"`
	Status int     `json:"status"`
	Code   string  `json:"code" doc:"For programs" example:"need_exceeds_every_node"`
	Detail string  `json:"detail" doc:"What is wrong, with numbers"`
	Field  string  `json:"field,omitempty" doc:"Field of the request that is wrong, if it is a single one" example:"cpu"`
	Help   string  `json:"help" doc:"What to do"`
	Errors []Fault `json:"errors,omitempty" doc:"If more than one field is wrong"`

	Alternatives []Alternative `json:"alternatives,omitempty" doc:"Of a reservation that cannot be promised: what could be, now. A submission holds those that have an offer"`
}

// HelpForbidden is the advice to somebody who may not do what a request asks.
const HelpForbidden = "Ask somebody who may, or ask an admin for a token that may."

// Fault describes the error of one field. It never repeats the value.
type Fault struct {
	Field   string `json:"field"`
	Message string `json:"message"`
}
