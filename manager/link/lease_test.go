package link

import (
	"testing"
	"time"
)

func TestNoLeaseIsRenewedWhileTheNodeIsBeingDeclaredDown(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		h, _ := w.manager("m1")
		h.Claimed(time.Now())
		c := w.client(w.enroll("n1"), "m1")
		const margin = 15 * time.Second
		time.Sleep(lease + margin)
		if h.BlockRenewal(1, time.Now(), margin) {
			t.Error("blocked within the margin")
		}
		time.Sleep(time.Second)
		if !h.BlockRenewal(1, time.Now(), margin) {
			t.Fatal("not blocked although lease and margin are over")
		}
		s := w.connect(c)
		<-s.Orders()
		time.Sleep(lease / 5) // the node looks for another leader later
		if h.Renewed(1, time.Now()) || !h.BlockRenewal(1, time.Now(), margin) {
			t.Error("the lease was renewed, so that the node goes on while its tasks start elsewhere")
		}
		h.AllowRenewal(1)
		<-s.Leases()
		if !h.Renewed(1, time.Now()) || h.BlockRenewal(1, time.Now(), margin) {
			t.Error("the node's lease stays over, although it was not declared down")
		}
	})
}
