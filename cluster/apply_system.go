package cluster

import (
	"slices"
	"strings"
)

func (a Claim) apply(t *transaction) Result {
	if a.Term <= t.Term {
		return reject(CodeStaleEpoch, "", "term %d is not above %d, the last one claimed", a.Term, t.Term)
	}
	t.Term, t.Leader, t.Epoch = a.Term, a.Replica, t.Revision
	t.emit(Event{Kind: LeaderClaimed, Task: -1, Cause: Because(WhyLeads, int64(a.Replica))})
	return Result{Epoch: t.Epoch}
}

func (a Checkpoint) apply(t *transaction) Result {
	return Result{}
}

// importGap is the number of job ids to skip after a backup was restored. VMs of jobs that were submitted after the
// backup was made may still run, and must not be taken for those of new jobs. The same number of move ids is skipped,
// so that a late report of an old move does not end a new one.
const importGap = 1_000_000

// importGrace is the time after a restore in which no known task is moved or started again. Until all nodes have
// reported their VMs, it is unknown which of them have moved since the backup.
const importGrace = 2 * Minute

func (a Import) apply(t *transaction) Result {
	if a.Generation <= t.Generation {
		return reject(CodeConflict, "", "generation %d is not above the current one, %d", a.Generation, t.Generation)
	}
	t.Generation, t.Term = a.Generation, 0
	t.Unheard = append(slices.Clone(t.Unheard), Gap{t.NextJob, t.NextJob + importGap})
	t.NextJob += importGap
	t.NextMove += importGap
	t.forgetOffers()
	t.skipStandings()
	for _, m := range slices.Collect(t.Moves()) {
		t.undo(t.edit(m.Task.Job), m)
	}
	for j := range t.Clone().Jobs() {
		for i := range j.Tasks {
			t.edit(j.ID).Tasks[i].RetryAt = t.Now + importGrace
		}
	}
	for j := range t.Clone().Jobs() {
		if j.Ending != nil && t.Format >= reaps {
			t.finishIdle(t.edit(j.ID)) // its move, which would have ended it, is undone
		}
	}
	for n := range t.Clone().nodes.all() { // those that are absent, too
		n := t.editNode(n.ID)
		n.Condemned = nil // it may be there again since
		t.awaitReport(n)
	}
	t.contests = newTree(contest.less)
	t.emit(Event{Kind: BackupImported, Task: -1, Cause: Because(WhyGeneration, int64(a.Generation))})
	return Result{}
}

// forgetOffers withdraws all offers after a backup was restored. Later ones may have been made that the backup does not
// know, so that their ids are skipped.
func (t *transaction) forgetOffers() {
	if !t.HoldsOffers() {
		return
	}
	for o := range t.offers.clone().all() {
		t.dropOffer(o.ID)
		t.tell(OfferWithdrawn, o)
	}
	t.NextOffer += importGap
}

func (a SetPolicy) apply(t *transaction) Result {
	if a.Name == "" {
		return reject(CodeInvalid, "name", "a policy has a name, such as GreedyPM */per/opt=min/minvt=600")
	}
	if a.Period < Second || a.Period > 24*Hour {
		return reject(CodeInvalid, "period", "must be from 1 s to 24 h, not %g s", a.Period.Seconds())
	}
	t.Policy = PolicyChoice(a)
	t.unbind()
	t.Agenda = NewAgenda(ticksAt(t.Now))
	t.emit(Event{Kind: PolicySet, Task: -1, Cause: Cause{Because(WhyPeriod, int64(a.Period)).Why, a.Name}})
	return Result{}
}

// unbind takes the processors from all placements: another policy may bind no tasks.
func (t *transaction) unbind() {
	for id, p := range t.TargetAll().Clone().All() {
		if p.Cores != nil {
			t.place(t.edit(id), &Placement{Grant: p.Grant, Nodes: p.Nodes})
		}
	}
}

func (a PutImage) apply(t *transaction) Result {
	i := a.Image
	if !nameForm.MatchString(i.Name) || len(i.Name) > MaxName || len(i.Digest) != 64 ||
		strings.Trim(i.Digest, "0123456789abcdef") != "" || i.Kind != KernelImage && i.Kind != DiskImage {
		return reject(CodeInvalid, "image",
			"an image has a name, a SHA-256 digest of 64 hex digits and the kind kernel or disk")
	}
	if r := t.Unready(a); r != nil {
		return Result{Rejection: r}
	}
	if t.images.Len() >= maxImages && t.Image(i.Digest) == nil {
		return reject(CodeLimit, "image", "%d images are stored, which is the most; remove some first", maxImages)
	}
	if old := t.Image(i.Digest); old != nil && t.Measures() && t.command.Actor.Role == System {
		measured := *old
		measured.Least = i.Least
		measured.Builtin = old.Builtin || i.Builtin && t.Format >= guards // it was pushed before a manager had it
		t.images.ReplaceOrInsert(&measured)
		return Result{}
	}
	i.Added = t.Now
	if old := t.Image(i.Digest); old != nil && old.Builtin && t.Format >= guards {
		i.Builtin, i.Added = true, old.Added // the newest one is the one that jobs boot
	}
	t.images.ReplaceOrInsert(&i)
	t.emit(Event{Kind: ImagePut, Task: -1, Cause: Cause{Text: i.Reference()}})
	return Result{}
}

func (a RemoveImage) apply(t *transaction) Result {
	i := t.Image(a.Digest)
	if i == nil {
		return reject(CodeNotFound, "image", "there is no image with the digest %q", a.Digest)
	}
	if i == t.Builtin() && t.Format >= guards {
		return reject(CodeConflict, "image",
			"%s is the built-in image and stays, because jobs that name none boot it: name another one in your jobs", i.Reference())
	}
	for j := range t.Jobs() {
		if strings.HasSuffix(j.Spec.Image, i.Digest) {
			return reject(CodeImageInUse, "image", "%s is used by %v", i.Reference(), j.ID)
		}
	}
	for o := range t.Offers() {
		if strings.HasSuffix(o.Spec.Image, i.Digest) {
			return reject(CodeImageInUse, "image", "%s is used by the offer %v", i.Reference(), o.ID)
		}
	}
	for o := range t.Standings() {
		if strings.HasSuffix(o.Spec.Image, i.Digest) {
			return reject(CodeImageInUse, "image", "%s is used by the standing reservation %v", i.Reference(), o.ID)
		}
	}
	t.images.Delete(i)
	t.boots.Delete(&Boots{Digest: i.Digest})
	t.emit(Event{Kind: ImageRemoved, Task: -1, Cause: Cause{Text: i.Reference()}})
	return Result{}
}

func (a PutToken) apply(t *transaction) Result {
	token := a.Token
	if token.ID == "" || token.Actor.Role < Viewer || token.Actor.Role > Admin || !nameForm.MatchString(token.Name) ||
		len(token.Name) > MaxName {
		return reject(CodeInvalid, "token", "a token has an id, a name and a role: viewer, user, operator or admin")
	}
	old, exists := t.tokens.Get(&token)
	switch {
	case token.Revoked && !exists:
		return reject(CodeNotFound, "token", "there is no token %q", token.ID)
	case token.Revoked:
		revoked := *old
		revoked.Revoked = true
		token = revoked
	case exists:
		return reject(CodeConflict, "token", "token %q exists", token.ID)
	case t.tokens.Len() >= maxTokens:
		return reject(CodeLimit, "token", "%d tokens exist, which is the most", maxTokens)
	default:
		token.Created = t.Now
	}
	t.tokens.ReplaceOrInsert(&token)
	kind := TokenCreated
	if token.Revoked {
		kind = TokenRevoked
	}
	t.emit(Event{Kind: kind, Task: -1, Cause: Cause{Text: token.Name}})
	return Result{}
}
