package cluster

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"

	"aliquot/internal/schema"

	pb "aliquot/cluster/clusterpb"
)

// stateMagic begins every written state. It changes with the framing, not with the fields.
const stateMagic = "aliquot state 1\n"

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Encode writes the state as a stream of records, the same bytes for the same state. It fails only if w does.
func (s *State) Encode(w io.Writer) error {
	e := &recorder{w: bufio.NewWriterSize(w, 1<<16)}
	e.write([]byte(stateMagic))
	e.record(&pb.Record{Record: &pb.Record_Head{Head: s.encodeHead()}})
	s.encodeTrees(e)
	e.record(&pb.Record{Record: &pb.Record_Tail{Tail: &pb.Tail{Records: e.records, Checksum: e.sum}}})
	if e.err == nil {
		e.err = e.w.Flush()
	}
	if e.err != nil {
		return fmt.Errorf("write the state at revision %d: %w", s.Revision, e.err)
	}
	return nil
}

// recorder writes records after their length and keeps the checksum and the first error.
type recorder struct {
	w       *bufio.Writer
	buf     []byte
	records uint64
	sum     uint32
	err     error
}

func (e *recorder) record(m *pb.Record) {
	e.buf = marshal(e.buf[:0], m)
	e.write(binary.AppendUvarint(nil, uint64(len(e.buf))))
	e.write(e.buf)
	e.records++
}

func (e *recorder) write(b []byte) {
	if e.err == nil {
		e.sum = crc32.Update(e.sum, castagnoli, b)
		_, e.err = e.w.Write(b)
	}
}

func (s *State) encodeHead() *pb.Head {
	tick, agenda := s.Agenda.Next(AlarmTick), []*pb.Alarm(nil)
	if s.Format >= keepsAlarms {
		tick, agenda = 0, schema.List(s.Agenda, encodeAlarm)
	}
	return &pb.Head{
		Format: s.Format, Cluster: s.Cluster[:], Generation: s.Generation, Epoch: s.Epoch, Leader: s.Leader, Term: s.Term,
		Now: int64(s.Now), Revision: s.Revision, Policy: encodePolicyChoice(&s.Policy),
		Occasion: encodeOccasion(s.Occasion, tick), Agenda: agenda,
		StoreFree: int64(s.StoreFree), NextJob: uint64(s.NextJob), NextNode: uint32(s.NextNode), NextMove: uint64(s.NextMove),
		Unheard:  schema.List(s.Unheard, encodeGap),
		Reserved: int64(s.reserved), Overhead: int64(s.overhead), Ended: s.ended, Changed: s.changed, TimeSet: s.TimeSet,
		Starts: schema.Numbers[int64](s.starts), Restores: schema.Numbers[int64](s.restores),
		Losses: schema.Numbers[int64](s.losses),
		Subnet: encodedSubnet(s.Subnet), NextOffer: uint64(s.NextOffer),
		NextStanding: uint64(s.NextStanding), Theta: int64(s.Theta),
	}
}

func (s *State) encodeTrees(e *recorder) {
	for j := range s.Jobs() {
		e.record(&pb.Record{Record: &pb.Record_Job{Job: encodeJob(j)}})
	}
	for j := range s.History() {
		e.record(&pb.Record{Record: &pb.Record_Past{Past: encodeJob(j)}})
	}
	for n := range s.nodes.all() {
		e.record(&pb.Record{Record: &pb.Record_Node{Node: encodeNode(n)}})
	}
	for id, p := range s.target.All() {
		e.record(&pb.Record{Record: &pb.Record_Target{Target: encodeHolding(&Holding{id, *p})}})
	}
	for m := range s.Moves() {
		e.record(&pb.Record{Record: &pb.Record_Move{Move: encodeMove(m)}})
	}
	for i := range s.Images() {
		e.record(&pb.Record{Record: &pb.Record_Image{Image: encodeImage(i)}})
	}
	for t := range s.Tokens() {
		e.record(&pb.Record{Record: &pb.Record_Token{Token: encodeToken(t)}})
	}
	for q := range s.quotas.all() {
		e.record(&pb.Record{Record: &pb.Record_Quota{Quota: encodeQuota(q)}})
	}
	for r := range s.experience.all() {
		e.record(&pb.Record{Record: &pb.Record_RunTimes{RunTimes: encodeRunTimes(r)}})
	}
	for r := range s.speeds.all() {
		e.record(&pb.Record{Record: &pb.Record_RunTimes{RunTimes: encodeRunTimes(r)}})
	}
	for b := range s.boots.all() {
		e.record(&pb.Record{Record: &pb.Record_Boots{Boots: encodeBoots(b)}})
	}
	for p := range s.promises.all() {
		e.record(&pb.Record{Record: &pb.Record_Promise{Promise: encodePromise(p)}})
	}
	for o := range s.offers.all() {
		e.record(&pb.Record{Record: &pb.Record_Offer{Offer: encodeJobOffer(o)}})
	}
	for o := range s.standings.all() {
		e.record(&pb.Record{Record: &pb.Record_Standing{Standing: encodeStanding(o)}})
	}
	for r := range s.requests.all() {
		e.record(&pb.Record{Record: &pb.Record_Request{Request: encodeRequest(&r)}})
	}
	for r := range s.refusals.all() {
		e.record(&pb.Record{Record: &pb.Record_Refused{Refused: encodeRefused(&r)}})
	}
}

// encodedSubnet leaves out the zero value, which earlier programs do not know.
func encodedSubnet(s Subnet) *pb.Subnet {
	if s == (Subnet{}) {
		return nil
	}
	return encodeSubnet(&s)
}
