// Package schema holds the few functions that generated conversions between our types and messages of protobuf call.
// internal/schema/generate writes those conversions. A message is data from outside: a Reader keeps the first thing
// that is wrong with it, so that a conversion is one expression per field.
//
// Reference: https://protobuf.dev/programming-guides/proto3/.
package schema

import "fmt"

// Reader keeps the first error met while messages are converted. The zero Reader has met none.
type Reader struct{ err error }

// Check keeps the error if it is the first.
func (r *Reader) Check(err error) {
	if r.err == nil {
		r.err = err
	}
}

// Err returns the first error, or nil.
func (r *Reader) Err() error { return r.err }

// Exactly copies src to dst; their lengths must be equal.
func (r *Reader) Exactly(dst, src []byte) {
	if len(src) != len(dst) {
		r.Check(fmt.Errorf("%d bytes where %d are expected", len(src), len(dst)))
		return
	}
	copy(dst, src)
}

// Enum returns the value of an enumeration that ends with last.
func Enum[E ~uint8](r *Reader, v uint32, last E) E {
	if v > uint32(last) {
		r.Check(fmt.Errorf("%d is no %T, the last is %d; perhaps a newer program wrote it", v, last, last))
		return 0
	}
	return E(v)
}

// Numbers converts a list of numbers; an empty one becomes nil.
func Numbers[B, A ~uint32 | ~uint64 | ~int64](list []A) []B {
	return List(list, func(a *A) B { return B(*a) })
}

// List converts a list; an empty one becomes nil.
func List[A, B any](list []A, convert func(*A) B) []B {
	if len(list) == 0 {
		return nil
	}
	out := make([]B, len(list))
	for i := range list {
		out[i] = convert(&list[i])
	}
	return out
}

// ReadList converts a list of messages up to the first error; an empty one becomes nil.
func ReadList[M, T any](r *Reader, list []*M, convert func(*Reader, *M) T) []T {
	if len(list) == 0 || r.err != nil {
		return nil
	}
	out := make([]T, len(list))
	for i, m := range list {
		if out[i] = convert(r, m); r.err != nil {
			return nil
		}
	}
	return out
}

// Optional converts a value that may be absent.
func Optional[T, M any](v *T, convert func(*T) *M) *M {
	if v == nil {
		return nil
	}
	return convert(v)
}

// ReadOptional converts a message that may be absent.
func ReadOptional[M, T any](r *Reader, m *M, convert func(*Reader, *M) T) *T {
	if m == nil {
		return nil
	}
	v := convert(r, m)
	return &v
}
