package fence

import (
	"context"
	"errors"
	"io/fs"
	"time"

	"aliquot/monitor"
)

// knowledge is what the fence knows of the lease.
type knowledge struct {
	lease    monitor.Lease // the last one that could be read
	known    bool
	blind    bool // the lease cannot be read now
	recalled bool // lease was noted beside the sign of life: it may have been renewed while no fence was alive

	mark     [16]byte // the node's cluster, read while the fence is blind and knows no lease
	unmarked error    // the reason why mark is unknown
}

// learn reads the lease until ctx ends. While the disk hangs, the fence acts on what it knows.
func (f *Fence) learn(ctx context.Context) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	var k knowledge
	for {
		k = f.read(k)
		now := k
		f.knowledge.Store(&now)
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// read reads the lease. If the file has become unreadable, the last lease is kept.
func (f *Fence) read(k knowledge) knowledge {
	lease, err := monitor.ReadLease(f.config.Data)
	blind := err != nil && !errors.Is(err, fs.ErrNotExist)
	if blind && !k.known {
		if sign, err := monitor.ReadSign(f.config.Data); err == nil && sign.Lease != nil {
			k.lease, k.known, k.recalled = *sign.Lease, true, true
		}
	}
	if blind && !k.known {
		k.mark, k.unmarked = monitor.ReadMark(f.config.Data)
	}
	if blind && !k.blind {
		f.config.Log.Error().Err(err).Bool("remembered", k.known).
			Msg("the lease file is unreadable; the lease counts as not renewed")
	}
	k.blind = blind
	if err == nil {
		k.lease, k.known, k.recalled = lease, true, false
	}
	return k
}

// sign shows the monitor that the fence is alive.
func (f *Fence) sign(k knowledge) {
	sign := monitor.FenceSign{At: f.config.Boottime(), Boot: f.config.Boot}
	if k.known {
		sign.Lease = &k.lease
	}
	select {
	case <-f.signs: // an older one that nobody has begun to write
	default:
	}
	f.signs <- sign
}

// keepSigns writes signs of life until ctx ends.
func (f *Fence) keepSigns(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case sign := <-f.signs:
			f.config.BeforeWrite()
			if err := monitor.WriteSign(f.config.Data, sign); err != nil {
				f.config.Log.Error().Err(err).
					Msg("cannot write the sign of life; the leader will treat the node as unfenced; check the data folder")
			}
		}
	}
}
