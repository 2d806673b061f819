package api

import "time"

// Login asks for a session: with a login code, or with a token's secret.
type Login struct {
	Code  string `json:"code,omitempty" maxLength:"512" doc:"A login code; it works once"`
	Token string `json:"token,omitempty" maxLength:"256" doc:"A token's secret, instead of a code"`
}

// Session identifies the caller and its session.
type Session struct {
	Actor     string     `json:"actor" doc:"Name in the audit log" example:"alice"`
	Role      string     `json:"role" enum:"viewer,user,operator,admin"`
	Owner     string     `json:"owner" doc:"Owner of the jobs submitted"`
	Project   string     `json:"project" doc:"Project of the jobs submitted"`
	Token     string     `json:"token" doc:"Id of the token behind the session; revoking it ends the session"`
	TokenName string     `json:"tokenName"`
	Cookie    bool       `json:"cookie" doc:"Whether a session's cookie was used, not the token itself"`
	Expires   *time.Time `json:"expires,omitempty" doc:"Left out: never, as for some tokens"`
}

// NewLoginCode is a request for a login code.
type NewLoginCode struct {
	Role string `json:"role,omitempty" enum:"viewer,user,operator,admin" doc:"Highest role of the session; left out: the token's role"`
}

// LoginCode lets one browser log in, once.
type LoginCode struct {
	Code    string    `json:"code" doc:"For the address /login#code=… of any manager"`
	Role    string    `json:"role" enum:"viewer,user,operator,admin"`
	Expires time.Time `json:"expires"`
}
