package monitor

import "time"

// tellEvery is the least time between two lines of the log about one thing that keeps failing.
const tellEvery = time.Minute

// outage decides which failures in a row are logged: the first one, and others once a minute at most.
type outage struct {
	since  time.Time // of its first failure; zero: there is none
	told   time.Time // when a failure was last logged, of this outage or an earlier one
	logged bool      // a failure of this outage was logged
}

// fails records a failure and reports whether it is to be logged.
func (o *outage) fails(now time.Time) bool {
	if o.since.IsZero() {
		o.since = now
	}
	if !o.told.IsZero() && now.Sub(o.told) < tellEvery {
		return false
	}
	o.tell(now)
	return true
}

// tell records that the outage is logged.
func (o *outage) tell(now time.Time) { o.told, o.logged = now, true }

// ends records a success. It returns how long the outage lasted, and whether its end is to be logged.
func (o *outage) ends(now time.Time) (lasted time.Duration, tell bool) {
	if o.since.IsZero() {
		return 0, false
	}
	lasted, tell = now.Sub(o.since), o.logged
	o.since, o.logged = time.Time{}, false
	return lasted, tell
}
