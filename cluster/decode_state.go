package cluster

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"google.golang.org/protobuf/proto"

	"aliquot/internal/schema"

	pb "aliquot/cluster/clusterpb"
)

// maxRecord bounds one record of a written state; the largest is a job with all its tasks.
const maxRecord = 64 << 20

// Decode decodes the output of State.Encode, to the end of r. It accepts only complete and undamaged states. Its error
// wraps ErrNewer if a newer program wrote the state. Decode does not check the state's invariants; see Check.
func Decode(r io.Reader) (*State, error) {
	d := &player{r: bufio.NewReaderSize(r, 1<<16)}
	s, err := d.state()
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return nil, fmt.Errorf("read a state, record %d: %w", d.records, err)
	}
	return s, nil
}

// player reads records and keeps the checksum of those before the last.
type player struct {
	schema.Reader
	r       *bufio.Reader
	buf     bytes.Buffer
	records uint64
	sum     uint32 // of all before the current record
	next    uint32 // …and with it
}

func (d *player) state() (*State, error) {
	magic := make([]byte, len(stateMagic))
	if _, err := io.ReadFull(d.r, magic); err != nil || string(magic) != stateMagic {
		return nil, errors.Join(errors.New("this is not a state of aliquot, or one of another version"), err)
	}
	d.next = crc32.Checksum(magic, castagnoli)
	m, err := d.record()
	if err != nil {
		return nil, err
	}
	head := m.GetHead()
	if head == nil {
		return nil, errors.New("the head is missing")
	}
	if head.Format > LatestFormat {
		return nil, fmt.Errorf("format %d, known up to %d: %w", head.Format, LatestFormat, ErrNewer)
	}
	s := d.head(head)
	for d.Err() == nil {
		m, err := d.record()
		if err != nil {
			return nil, err
		}
		if tail := m.GetTail(); tail != nil {
			s.reindex()
			return s, d.end(tail)
		}
		d.insert(s, m)
	}
	return nil, d.Err()
}

// record reads the next record. It takes memory only as data arrives, whatever length is claimed.
func (d *player) record() (*pb.Record, error) {
	n, err := binary.ReadUvarint(d.r)
	if err != nil {
		return nil, err
	}
	if n > maxRecord {
		return nil, fmt.Errorf("a record of %d bytes; the most are %d", n, maxRecord)
	}
	d.buf.Reset()
	if _, err := io.CopyN(&d.buf, d.r, int64(n)); err != nil {
		return nil, err
	}
	d.sum = d.next
	d.next = crc32.Update(d.next, castagnoli, binary.AppendUvarint(nil, n))
	d.next = crc32.Update(d.next, castagnoli, d.buf.Bytes())
	d.records++
	m := new(pb.Record)
	return m, proto.Unmarshal(d.buf.Bytes(), m)
}

func (d *player) end(tail *pb.Tail) error {
	if tail.Records != d.records-1 || tail.Checksum != d.sum {
		return fmt.Errorf("damaged: %d records with checksum %08x, written were %d with %08x",
			d.records-1, d.sum, tail.Records, tail.Checksum)
	}
	if _, err := d.r.ReadByte(); !errors.Is(err, io.EOF) {
		return errors.Join(errors.New("more data after the end"), err)
	}
	return nil
}

func (d *player) head(m *pb.Head) *State {
	r := &d.Reader
	s := New([16]byte{}, decodePolicyChoice(r, m.Policy))
	r.Exactly(s.Cluster[:], m.Cluster)
	s.Format, s.Generation, s.Epoch, s.Leader, s.Term = m.Format, m.Generation, m.Epoch, m.Leader, m.Term
	s.Now, s.Revision, s.Occasion, s.StoreFree = Time(m.Now), m.Revision, decodeOccasion(r, m.Occasion), Bytes(m.StoreFree)
	s.Agenda = schema.ReadList(r, m.Agenda, decodeAlarm)
	if tick := m.Occasion.GetNext(); m.Format < keepsAlarms && tick != 0 {
		s.Agenda = ticksAt(Time(tick))
	}
	s.NextJob, s.NextNode, s.NextMove = JobID(m.NextJob), NodeID(m.NextNode), MoveID(m.NextMove)
	s.Unheard = schema.ReadList(r, m.Unheard, decodeGap)
	s.reserved, s.overhead, s.ended, s.changed = Bytes(m.Reserved), Bytes(m.Overhead), m.Ended, m.Changed
	s.NextOffer, s.NextStanding = OfferID(m.NextOffer), StandingID(m.NextStanding)
	s.Theta = Theta(m.Theta)
	s.TimeSet, s.starts = m.TimeSet, schema.Numbers[Time](m.Starts)
	s.restores, s.losses = schema.Numbers[Time](m.Restores), schema.Numbers[Parts](m.Losses)
	if m.Subnet != nil {
		s.Subnet = decodeSubnet(r, m.Subnet)
	}
	s.author.at = s.Revision
	return s
}

func (d *player) insert(s *State, m *pb.Record) {
	r := &d.Reader
	switch m := m.Record.(type) {
	case *pb.Record_Job:
		d.once(s.jobs.put(schema.ReadOptional(r, m.Job, decodeJob)))
	case *pb.Record_Past:
		d.once(s.history.put(schema.ReadOptional(r, m.Past, decodeJob)))
	case *pb.Record_Node:
		d.once(s.nodes.put(schema.ReadOptional(r, m.Node, decodeNode)))
	case *pb.Record_Target:
		h := decodeHolding(r, m.Target)
		d.once(s.target.set(h.Job, &h.Placement))
	case *pb.Record_Move:
		put(d, s.moves, schema.ReadOptional(r, m.Move, decodeMove))
	case *pb.Record_Image:
		put(d, s.images, schema.ReadOptional(r, m.Image, decodeImage))
	case *pb.Record_Token:
		put(d, s.tokens, schema.ReadOptional(r, m.Token, decodeToken))
	case *pb.Record_Quota:
		put(d, s.quotas, schema.ReadOptional(r, m.Quota, decodeQuota))
	case *pb.Record_RunTimes:
		times := schema.ReadOptional(r, m.RunTimes, decodeRunTimes)
		if times != nil && times.On != "" {
			put(d, s.speeds, times)
			break
		}
		put(d, s.experience, times)
	case *pb.Record_Boots:
		put(d, s.boots, schema.ReadOptional(r, m.Boots, decodeBoots))
	case *pb.Record_Promise:
		d.once(s.promises.put(schema.ReadOptional(r, m.Promise, decodePromise)))
	case *pb.Record_Offer:
		d.once(s.offers.put(schema.ReadOptional(r, m.Offer, decodeJobOffer)))
	case *pb.Record_Standing:
		d.once(s.standings.put(schema.ReadOptional(r, m.Standing, decodeStanding)))
	case *pb.Record_Request:
		put(d, s.requests, decodeRequest(r, m.Request))
	case *pb.Record_Refused:
		put(d, s.refusals, decodeRefused(r, m.Refused))
	default:
		d.Check(fmt.Errorf("an entry of an unknown kind: %w", ErrNewer))
	}
}

// put adds an entry that must not be there yet.
func put[T any](d *player, to tree[T], entry T) {
	_, twice := to.ReplaceOrInsert(entry)
	d.once(twice)
}

// once fails if the entry just read was there already.
func (d *player) once(twice bool) {
	if twice {
		d.Check(fmt.Errorf("entry %d is there twice", d.records))
	}
}
