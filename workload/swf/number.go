package swf

// number parses one number of a line without the standard library, for speed: a log has millions of
// them.
type number struct {
	text []byte
	at   int
}

// limits keep every value, in its unit, within 64 bits.
var limits = [...]int64{count: 1e15, seconds: 1e12, kilobytes: 1e15}

func (k kind) String() string {
	if k == count {
		return "a whole number up to 10^15, or -1"
	}
	if k == seconds {
		return "a number up to 10^12, or -1"
	}
	return "a number up to 10^15, or -1"
}

// read returns the number at n in the unit of its kind (microseconds for seconds). A negative number
// is returned as written, without decimals and at most Unknown. A number must end with a blank or the
// end of the line.
func (n *number) read(k kind) (int64, bool) {
	negative := n.text[n.at] == '-'
	if negative {
		n.at++
	}
	v, ok := n.digits(limits[k])
	if !ok {
		return 0, false
	}
	places := 0
	if k == seconds {
		places = decimals
	}
	if n.at < len(n.text) && n.text[n.at] == '.' && k != count {
		v, ok = n.decimals(v, places)
	} else {
		v *= powers[places]
	}
	if negative && v > 0 {
		v = min(Unknown, -v/powers[places])
	}
	return v, ok && (n.at == len(n.text) || blank(n.text[n.at]))
}

var powers = [...]int64{1, 10, 100, 1e3, 1e4, 1e5, 1e6}

// digits reads at least one digit and fails above limit.
func (n *number) digits(limit int64) (v int64, ok bool) {
	start := n.at
	for ; n.at < len(n.text); n.at++ {
		c := n.text[n.at] - '0'
		if c > 9 || v > limit {
			break
		}
		v = v*10 + int64(c)
	}
	return v, n.at > start && v <= limit
}

// decimals reads a point and the digits after it. It returns whole extended by the given number of
// decimal places, rounded, halves up.
func (n *number) decimals(whole int64, places int) (v int64, ok bool) {
	n.at++ // the point
	start, v, up := n.at, whole, int64(0)
	for ; n.at < len(n.text) && n.text[n.at]-'0' <= 9; n.at++ {
		switch place := n.at - start; {
		case place < places:
			v = v*10 + int64(n.text[n.at]-'0')
		case place == places && n.text[n.at] >= '5':
			up = 1
		}
	}
	read := min(places, n.at-start)
	return v*powers[places-read] + up, n.at > start
}
