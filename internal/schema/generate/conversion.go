package main

import (
	"fmt"
	"go/types"
	"slices"
	"strings"
)

// conversion is a Go type and the message that it becomes.
type conversion struct {
	of      string // the Go type
	message string
	fields  []field
}

// action is a type of actions, by the number of its field in the message.
type action struct {
	of     string
	slot   slot
	within string // name of the only field, of which the message is; "": the message is of the action itself
}

func (a action) message() string { return messageOf(a.slot.of) }

// collector finds what must be converted, beginning with the roots.
type collector struct {
	*target
	home, from, to *source
	found          []*conversion
	walked         []string // types of hashed, and all that is in them
	acts           []action
}

func (t *target) collect(root string) (*collector, error) {
	c := &collector{target: t}
	for _, part := range []struct {
		dir string
		as  **source
	}{{t.dir, &c.home}, {t.types, &c.from}, {t.messages, &c.to}} {
		var err error
		if *part.as, err = read(root + "/" + part.dir); err != nil {
			return nil, err
		}
	}
	for _, name := range t.roots {
		if err := c.add(name, exported(name)); err != nil {
			return nil, err
		}
	}
	if err := c.addActions(); err != nil {
		return nil, err
	}
	for _, name := range t.hashed {
		c.walk(name)
	}
	slices.SortFunc(c.found, func(a, b *conversion) int { return strings.Compare(exported(a.of), exported(b.of)) })
	return c, nil
}

// add notes that a type becomes a message, and the same of all that is in it.
func (c *collector) add(of, message string) error {
	for _, known := range c.found {
		if known.of == of && known.message != message {
			return fmt.Errorf("%s becomes both %s and %s", of, known.message, message)
		} else if known.of == of {
			return nil
		}
	}
	if c.home.declared[c.encode+exported(of)] && c.home.declared[c.decode+exported(of)] {
		return nil
	}
	from, err := c.from.structure(of)
	if err != nil {
		return err
	}
	to, err := c.to.structure(message)
	if err != nil {
		return err
	}
	fields, err := match(of, from, message, to, c.dir == c.types)
	if err != nil {
		return err
	}
	c.found = append(c.found, &conversion{of, message, fields})
	for _, f := range fields {
		if f.message != "" {
			if err := c.add(named(f.of), f.message); err != nil {
				return err
			}
		}
	}
	return nil
}

// walk notes that a type is hashed, and the same of all that is in it.
func (c *collector) walk(of string) {
	i := slices.IndexFunc(c.found, func(known *conversion) bool { return known.of == of })
	if i < 0 || slices.Contains(c.walked, of) {
		return
	}
	c.walked = append(c.walked, of)
	for _, f := range c.found[i].fields {
		c.walk(named(f.of))
	}
}

// addActions notes the actions that the message has a field for. An action is the message, or has it as its only field.
func (c *collector) addActions() error {
	for _, name := range c.to.Scope().Names() {
		of, is := strings.CutPrefix(name, c.actions+"_")
		if c.actions == "" || !is {
			continue
		}
		wrapper, err := c.to.structure(name)
		if err != nil {
			return err
		}
		from, err := c.from.structure(of)
		if err != nil {
			return err
		}
		a := action{of: of, slot: slots(wrapper)[0]}
		message, inner := a.message(), of
		if from.NumFields() == 1 && named(from.Field(0).Type()) == message {
			a.within, inner = from.Field(0).Name(), message
		}
		if err := c.add(inner, message); err != nil {
			return err
		}
		c.acts = append(c.acts, a)
	}
	slices.SortFunc(c.acts, func(a, b action) int { return a.slot.number - b.slot.number })
	return nil
}

// named returns the name of a type, or "".
func named(t types.Type) string {
	if n, is := t.(*types.Named); is {
		return n.Obj().Name()
	}
	return ""
}

// exported returns the name with a capital letter.
func exported(name string) string {
	if name == "" {
		return ""
	}
	return strings.ToUpper(name[:1]) + name[1:]
}
