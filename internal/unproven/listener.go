package unproven

import "net"

// Listener returns a listener whose connections count as unproven when they are accepted. They are of type *Conn.
func (s *Connections) Listener(l net.Listener) net.Listener { return &listener{l, s} }

type listener struct {
	net.Listener
	set *Connections
}

// Accept waits for a connection and counts it.
func (l *listener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return l.set.Admit(c), nil
}
