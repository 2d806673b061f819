package api

import "time"

// Login asks for a session: with a login code, or with a token's secret.
type Login struct {
	Code  string `json:"code,omitempty" maxLength:"512" doc:"A login code; it works once"`
	Token string `json:"token,omitempty" maxLength:"256" doc:"A token's secret, instead of a code"`
}

// Session is who asks, and until when.
type Session struct {
	Actor     string     `json:"actor" doc:"As the log of who did what names it" example:"alice"`
	Role      string     `json:"role" enum:"viewer,user,operator,admin"`
	Owner     string     `json:"owner" doc:"Of the jobs submitted"`
	Project   string     `json:"project" doc:"Of the jobs submitted"`
	Token     string     `json:"token" doc:"Id of the token that this rests on; revoking it ends the session"`
	TokenName string     `json:"tokenName"`
	Cookie    bool       `json:"cookie" doc:"Whether a session's cookie was used, or the token itself"`
	Expires   *time.Time `json:"expires,omitempty" doc:"Left out: never, as some tokens"`
}

// NewLoginCode asks for a login code.
type NewLoginCode struct {
	Role string `json:"role,omitempty" enum:"viewer,user,operator,admin" doc:"The most that the session may do; left out: all that the token may"`
}

// LoginCode lets a browser in, once.
type LoginCode struct {
	Code    string    `json:"code" doc:"For the address /login#code=… of any manager"`
	Role    string    `json:"role" enum:"viewer,user,operator,admin"`
	Expires time.Time `json:"expires"`
}
