package config

import (
	"encoding"
	"fmt"
	"iter"
	"reflect"
	"strconv"
	"strings"
	"time"
)

// Key is one value of a configuration as text, for the environment and for flags. It implements the
// interface that flag libraries require of a value.
type Key struct {
	Name  string // in YAML and as a flag
	Usage string
	value reflect.Value
}

// Keys yields the keys of a configuration, a pointer to one of this package's structs.
func Keys(target any) iter.Seq[Key] {
	return func(yield func(Key) bool) {
		v := reflect.ValueOf(target).Elem()
		for i := range v.NumField() {
			tag := v.Type().Field(i).Tag
			if !yield(Key{tag.Get("yaml"), tag.Get("usage"), v.Field(i)}) {
				return
			}
		}
	}
}

// Variable returns the key's name in the environment.
func (k Key) Variable() string {
	return "ALIQUOTD_" + strings.ToUpper(strings.ReplaceAll(k.Name, "-", "_"))
}

// String returns the value as text, a list separated by commas.
func (k Key) String() string {
	if !k.value.IsValid() {
		return ""
	}
	switch v := k.value.Interface().(type) {
	case encoding.TextMarshaler:
		text, _ := v.MarshalText()
		return string(text)
	case []string:
		return strings.Join(v, ",")
	default:
		return fmt.Sprint(v)
	}
}

// Type returns the kind of value for help texts.
func (k Key) Type() string {
	switch k.value.Interface().(type) {
	case CPU:
		return "cpu"
	case Memory:
		return "memory"
	case []string:
		return "list"
	}
	return k.value.Type().Name()
}

// IsBoolFlag tells flag libraries that the flag needs no value.
func (k Key) IsBoolFlag() bool { return k.value.Kind() == reflect.Bool }

// Set reads the value from text.
func (k Key) Set(text string) error {
	var err error
	advice := ""
	switch v := k.value.Addr().Interface().(type) {
	case encoding.TextUnmarshaler:
		if err := v.UnmarshalText([]byte(text)); err != nil {
			return fmt.Errorf("%s: %w", k.Name, err)
		}
	case *time.Duration:
		*v, err = time.ParseDuration(text)
		advice = "write a number with its unit, such as 2m or 30s"
	case *[]string:
		*v = strings.Split(text, ",")
		if text == "" {
			*v = nil
		}
	case *string:
		*v = text
	case *uint64:
		*v, err = strconv.ParseUint(text, 10, 64)
		advice = "write a whole number from 0"
	case *bool:
		*v, err = strconv.ParseBool(text)
		advice = "write true or false"
	default:
		panic(fmt.Sprintf("config: key %s has the type %T", k.Name, v))
	}
	if err != nil {
		return fmt.Errorf("%s: %q is not allowed: %s", k.Name, text, advice)
	}
	return nil
}
