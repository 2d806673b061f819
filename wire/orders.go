package wire

import (
	"fmt"

	"aliquot/cluster"
	"aliquot/internal/schema"
	"aliquot/wire/wirepb"
)

// PackOrders translates orders into their message.
func PackOrders(o cluster.Orders) *wirepb.Orders { return packOrders(&o) }

// UnpackOrders translates the message back. It fails on a message that no leader would send.
func UnpackOrders(m *wirepb.Orders) (cluster.Orders, error) {
	var r schema.Reader
	o := unpackOrders(&r, m)
	if err := r.Err(); err != nil {
		return o, fmt.Errorf("orders: %w", err)
	}
	return o, nil
}
