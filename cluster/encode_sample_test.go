package cluster

import (
	"fmt"
	"reflect"
	"slices"
	"unsafe"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// everyAction has one value of every type of action, for reflection to fill.
var everyAction = []Action{
	Submit{}, Cancel{}, Hold{}, Release{}, SetNode{}, SettleStray{}, SetPolicy{}, PutImage{}, RemoveImage{}, PutToken{},
	Claim{}, Adopt{}, StartMoves{}, AbortMove{}, Report{}, Join{}, SetHealth{}, SetLink{}, Checkpoint{}, Enact{}, Import{},
	Raise{}, SetTime{}, SetQuota{}, SetSubnet{}, Invite{}, Admit{}, RemoveNode{}, Maintain{}, Reopen{},
	SubmitWorkflow{}, AcceptOffer{}, DeclineOffer{}, Reschedule{}, Stand{}, CancelStanding{}, SetTheta{},
}

// lastOf is the highest value of each enumeration.
var lastOf = map[reflect.Type]uint8{
	reflect.TypeFor[Role](): uint8(System), reflect.TypeFor[NodeWish](): uint8(ConfirmDown),
	reflect.TypeFor[Sight](): uint8(SeenStray),
	reflect.TypeFor[Phase](): uint8(Done), reflect.TypeFor[Tier](): uint8(Background),
	reflect.TypeFor[Health](): uint8(Down), reflect.TypeFor[Class](): uint8(EitherClass),
	reflect.TypeFor[Network]():  uint8(Isolated),
	reflect.TypeFor[MoveKind](): uint8(Resize), reflect.TypeFor[Outcome](): uint8(Cancelled), reflect.TypeFor[byte](): 255,
	reflect.TypeFor[AlarmKind](): uint8(AlarmStanding), reflect.TypeFor[deedKind](): uint8(deedSetTheta),
	reflect.TypeFor[Outcomes](): uint8(OnEnd),
}

// filler chooses the values that fields are filled with.
type filler struct {
	number func() int64          // for signed fields
	length func() int            // of lists
	text   func() string         //
	below  func(n uint64) uint64 // for enumerations and unsigned fields
	yes    func() bool           // for flags, and whether what is optional is there
}

// counting fills every field with another value.
func counting() *filler {
	n := int64(0)
	next := func() int64 { n++; return n }
	return &filler{
		number: next, length: func() int { return 2 }, text: func() string { return fmt.Sprintf("text %d", next()) },
		below: func(limit uint64) uint64 { return 1 + uint64(next())%(limit-1) }, yes: func() bool { return true },
	}
}

// drawing fills fields at random, mostly with small numbers.
func drawing(t *rapid.T) *filler {
	number := rapid.OneOf(rapid.Int64Range(0, 4), rapid.Int64())
	return &filler{
		number: func() int64 { return number.Draw(t, "number") },
		length: func() int { return rapid.IntRange(0, 3).Draw(t, "length") },
		text:   func() string { return rapid.StringN(0, 4, 8).Draw(t, "text") },
		below: func(limit uint64) uint64 {
			return rapid.OneOf(rapid.Uint64Range(0, min(4, limit-1)), rapid.Uint64Range(0, limit-1)).Draw(t, "below")
		},
		yes: func() bool { return rapid.Bool().Draw(t, "yes") },
	}
}

// fill sets all fields of v, unexported ones too, but leaves trees empty.
func (f *filler) fill(v reflect.Value) {
	if v.CanAddr() && !v.CanSet() {
		v = reflect.NewAt(v.Type(), unsafe.Pointer(v.UnsafeAddr())).Elem()
	}
	switch v.Kind() {
	case reflect.Int, reflect.Int64:
		v.SetInt(f.number())
	case reflect.Uint32:
		v.SetUint(f.below(1 << 32))
	case reflect.Uint64:
		v.SetUint(f.below(1 << 63))
	case reflect.Uint8:
		v.SetUint(f.below(uint64(lastOf[v.Type()]) + 1))
	case reflect.Bool:
		v.SetBool(f.yes())
	case reflect.String:
		v.SetString(f.text())
	case reflect.Array:
		for i := range v.Len() {
			f.fill(v.Index(i))
		}
	case reflect.Slice:
		v.SetZero()
		for range f.length() {
			v.Set(reflect.Append(v, reflect.Zero(v.Type().Elem())))
			f.fill(v.Index(v.Len() - 1))
		}
	case reflect.Pointer:
		if v.SetZero(); v.Type().Elem() == reflect.TypeFor[Spec]() || f.yes() {
			v.Set(reflect.New(v.Type().Elem()))
			f.fill(v.Elem())
		}
	case reflect.Interface: // Enact.Wish
		if v.SetZero(); f.yes() {
			v.Set(reflect.ValueOf(filled[Submit](f)))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if field := v.Type().Field(i); !isTree(field.Type) {
				f.fill(v.Field(i))
			}
			if name := v.Type().Field(i).Name; name == "Index" || name == "Number" {
				v.Field(i).SetInt(int64(f.below(1 << 31)))
			}
		}
	default:
		panic("no way to fill " + v.Type().String())
	}
}

// isTree reports whether the field is a tree, or is not stored.
func isTree(t reflect.Type) bool {
	return t == reflect.TypeFor[Allocation]() || t == reflect.TypeFor[Vacancies]() || t == reflect.TypeFor[author]() ||
		t == reflect.TypeFor[*calendar]() || t == reflect.TypeFor[*Offer]() ||
		t.Kind() == reflect.Struct && t.NumField() > 0 && (t.Field(0).Name == "BTreeG" || t.Field(0).Name == "trie")
}

func filled[T any](f *filler) T {
	v := new(T)
	f.fill(reflect.ValueOf(v).Elem())
	return *v
}

// action returns a filled action of the same type.
func (f *filler) action(like Action) Action {
	v := reflect.New(reflect.TypeOf(like)).Elem()
	f.fill(v)
	if _, is := like.(Raise); is { // of one that is known, or it cannot be read
		return Raise{1 + uint32(f.below(LatestFormat))}
	}
	return v.Interface().(Action)
}

func (f *filler) command(like Action) Command {
	return Command{
		At: Time(f.number()), TimeSet: f.below(1 << 63), Actor: filled[Actor](f), Request: f.text(), Epoch: f.below(1 << 63),
		Action: f.action(like),
	}
}

// state returns a state with all fields and trees filled, which makes no sense otherwise.
func (f *filler) state() *State {
	s := New([16]byte{}, PolicyChoice{})
	f.fill(reflect.ValueOf(s).Elem())
	s.Format = LatestFormat
	for i := range f.length() {
		id := uint64(i + 1)
		job, past, node, move, image, token, q := filled[Job](f), filled[Job](f), filled[Node](f), filled[Move](f),
			filled[Image](f), filled[Token](f), filled[request](f)
		job.ID, past.ID, node.ID, move.Task.Index, q.revision = JobID(id), JobID(id), NodeID(id), i, id
		image.Digest, token.ID, q.name = fmt.Sprint("digest ", i), fmt.Sprint("token ", i), fmt.Sprint("request ", i)
		move.Task.Job = 1
		s.jobs.put(&job)
		s.history.put(&past)
		s.nodes.put(&node)
		s.moves.ReplaceOrInsert(&move)
		s.images.ReplaceOrInsert(&image)
		s.tokens.ReplaceOrInsert(&token)
		quota := filled[Quota](f)
		quota.Project = fmt.Sprint("project ", i)
		s.quotas.ReplaceOrInsert(&quota)
		promise := filled[Promise](f)
		promise.Job = JobID(id)
		s.promises.put(&promise)
		standing := filled[Standing](f)
		standing.ID = StandingID(id)
		s.standings.put(&standing)
		s.requests.ReplaceOrInsert(q)
		s.ages.ReplaceOrInsert(q)
		r := filled[refused](f)
		r.name, r.revision = fmt.Sprint("refused ", i), id
		s.refusals.ReplaceOrInsert(r)
		s.latest.ReplaceOrInsert(r)
		p := filled[Placement](f)
		s.target.Set(JobID(id), &p)
	}
	return s
}

// plain shows a state as nested plain values, for comparison.
func plain(s *State) map[string]any {
	out, v := map[string]any{}, reflect.ValueOf(s.Clone()).Elem()
	for i := range v.NumField() {
		if field := v.Type().Field(i); !isTree(field.Type) {
			out[field.Name] = reflect.NewAt(field.Type, unsafe.Pointer(v.Field(i).UnsafeAddr())).Elem().Interface()
		}
	}
	target := map[JobID]*Placement{}
	for id, p := range s.target.All() {
		target[id] = p
	}
	out["target"], out["jobs"], out["history"] = target, slices.Collect(s.Jobs()), slices.Collect(s.History())
	out["nodes"], out["moves"], out["images"] = slices.Collect(s.Nodes()), slices.Collect(s.Moves()),
		slices.Collect(s.Images())
	out["tokens"], out["requests"], out["ages"] = slices.Collect(s.Tokens()), slices.Collect(s.requests.all()),
		slices.Collect(s.ages.all())
	out["promises"] = slices.Collect(s.promises.all())
	out["standings"] = slices.Collect(s.standings.all())
	out["refusals"], out["latest"] = slices.Collect(s.refusals.all()), slices.Collect(s.latest.all())
	out["quotas"] = slices.Collect(s.quotas.all())
	return out
}

func differ(want, got *State) string {
	return cmp.Diff(plain(want), plain(got), cmp.AllowUnexported(request{}, deed{}, refused{}))
}

// changes calls visit after each single change that can be made to what v reaches, with the change's path, and undoes
// it.
func changes(v reflect.Value, path string, visit func(path string)) {
	if v.CanAddr() && !v.CanSet() {
		v = reflect.NewAt(v.Type(), unsafe.Pointer(v.UnsafeAddr())).Elem()
	}
	try := func(path string, to reflect.Value) {
		old := reflect.New(v.Type()).Elem()
		old.Set(v)
		v.Set(to)
		visit(path)
		v.Set(old)
	}
	switch v.Kind() {
	case reflect.Int, reflect.Int64:
		try(path, reflect.ValueOf(v.Int()+1).Convert(v.Type()))
	case reflect.Uint8, reflect.Uint32, reflect.Uint64:
		try(path, reflect.ValueOf(v.Uint()-1).Convert(v.Type()))
	case reflect.Bool:
		try(path, reflect.ValueOf(!v.Bool()).Convert(v.Type()))
	case reflect.String:
		try(path, reflect.ValueOf(v.String()+"x").Convert(v.Type()))
	case reflect.Array, reflect.Slice:
		if v.Kind() == reflect.Slice {
			try(path+" shorter", v.Slice(0, v.Len()-1))
		}
		for i := range v.Len() {
			changes(v.Index(i), fmt.Sprintf("%s[%d]", path, i), visit)
		}
	case reflect.Pointer:
		if v.Type().Elem() != reflect.TypeFor[Spec]() {
			try(path+" absent", reflect.Zero(v.Type()))
		}
		changes(v.Elem(), path, visit)
	case reflect.Interface:
		try(path+" absent", reflect.Zero(v.Type()))
		try(path+" other", reflect.ValueOf(Submit{Spec: filled[Submit](counting()).Spec}))
	case reflect.Struct:
		for i := range v.NumField() {
			if field := v.Type().Field(i); !isTree(field.Type) {
				changes(v.Field(i), path+"."+field.Name, visit)
			}
		}
	default:
		panic("no way to change " + v.Type().String())
	}
}

// stateChanges does the same to a state and all that is in its trees.
func stateChanges(s *State, visit func(path string)) {
	changes(reflect.ValueOf(s).Elem(), "State", visit)
	each := func(v any, path string) { changes(reflect.ValueOf(v).Elem(), path, visit) }
	for j := range s.Jobs() {
		each(j, "jobs")
	}
	for j := range s.History() {
		each(j, "history")
	}
	for n := range s.Nodes() {
		each(n, "nodes")
	}
	for m := range s.Moves() {
		each(m, "moves")
	}
	for i := range s.Images() {
		each(i, "images")
	}
	for t := range s.Tokens() {
		each(t, "tokens")
	}
	for q := range s.quotas.all() {
		each(q, "quotas")
	}
	for _, p := range s.target.All() {
		each(p, "target")
	}
	for p := range s.promises.all() {
		each(p, "promises")
	}
	for o := range s.standings.all() {
		each(o, "standings")
	}
	eachOf(s.requests, "requests", visit)
	eachOf(s.refusals, "refusals", visit)
}

// eachOf changes the entries of a tree that holds values.
func eachOf[T any](of tree[T], name string, visit func(path string)) {
	for entry := range of.clone().all() {
		changed := entry
		changes(reflect.ValueOf(&changed).Elem(), name, func(path string) {
			of.Delete(entry)
			of.ReplaceOrInsert(changed)
			visit(path)
			of.Delete(changed)
			of.ReplaceOrInsert(entry)
		})
	}
}
