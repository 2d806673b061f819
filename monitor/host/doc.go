// Package host measures the whole machine of a node, whatever runs on it: its CPU, its memory, and
// the disk with the monitor's data.
//
// It is a thin shell around /proc and statfs. It knows nothing of VMs and decides nothing. People see
// its samples, and no policy uses them. Its figure of the processors' speed counts where the node's
// settings ask for it.
package host
