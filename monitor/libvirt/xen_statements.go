package libvirt

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"aliquot/monitor"
)

// addedXen matches what libvirt adds to the description of a VM on Xen. It names nothing outside of the VM but a
// terminal, which is made anew, and a program that no PVH guest has.
var addedXen = regexp.MustCompile(`^/domain(` + strings.Join([]string{
	`@id=\d+`,
	`/currentMemory(@unit=KiB|=\d+)?`,
	`/vcpu@placement=static`,
	`/clock(@offset=utc|@adjustment=reset)?`,
	`/devices/emulator(=/usr/(bin|(lib|libexec)/xen(-[0-9.]+)?/bin)/qemu-system-(i386|x86_64))?`,
	`/devices/controller(@type=xenbus|@index=0)?`,
	`/devices/console(@type=pty|@tty=/dev/pts/\d+)`,
	`/devices/console/source(@path=/dev/pts/\d+)?`,
	`/devices/console/target@port=0`,
	`/devices/input(#2)?(@type=(mouse|keyboard)|@bus=xen)?`,
	`/devices/memballoon(@model=xen)?`,
}, "|") + `)$`)

// mismatchXen returns an error unless the description in an image is that of the machine, but for what libvirt adds.
// libxl makes the VM by it, and opens what it names.
func mismatchXen(m monitor.Machine, image string) error {
	text, err := marshal(describeXen(m))
	if err != nil {
		return err
	}
	want, err := statements(text)
	if err != nil {
		return err
	}
	saved, err := statements(image)
	if err != nil {
		return fmt.Errorf("read its description: %w", err)
	}
	for _, s := range saved {
		if !slices.Contains(want, s) && !addedXen.MatchString(s) {
			return fmt.Errorf("its description has %.200q, which is not of %s", s, m.VM.Name())
		}
	}
	for _, s := range want {
		if !slices.Contains(saved, s) {
			return fmt.Errorf("its description lacks %.200q, which is of %s", s, m.VM.Name())
		}
	}
	return nil
}

// statements returns what a description says, one by one: elements, their attributes, and what is in them, as in
// /domain/devices/disk#2/target@dev=xvdb. It refuses what no hypervisor writes, because libvirt reads a description
// with another library, which may take that for something else.
func statements(text string) ([]string, error) {
	d := xml.NewDecoder(strings.NewReader(text))
	r := statementReader{seen: map[string]int{}}
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return r.all, nil
		}
		if err == nil {
			err = r.read(token)
		}
		if err != nil {
			return nil, err
		}
	}
}

// deepest is how deep elements may be nested.
const deepest = 16

type statementReader struct {
	all  []string
	open []string       // paths of the elements that are open
	seen map[string]int // how many elements there are with a path before its number
}

func (r *statementReader) read(token xml.Token) error {
	switch t := token.(type) {
	case xml.StartElement:
		if len(r.open) == deepest {
			return errors.New("it is nested too deep")
		}
		r.begin(t)
	case xml.EndElement:
		r.open = r.open[:len(r.open)-1]
	case xml.CharData:
		if strings.TrimSpace(string(t)) != "" {
			r.all = append(r.all, r.path()+"="+string(t))
		}
	default:
		return errors.New("there is more in it than elements")
	}
	return nil
}

// begin numbers elements with the same name from the second on.
func (r *statementReader) begin(e xml.StartElement) {
	at := r.path() + "/" + plainName(e.Name)
	r.seen[at]++
	if n := r.seen[at]; n > 1 {
		at += "#" + strconv.Itoa(n)
	}
	r.open, r.all = append(r.open, at), append(r.all, at)
	for _, a := range e.Attr {
		r.all = append(r.all, at+"@"+plainName(a.Name)+"="+a.Value)
	}
}

func (r *statementReader) path() string {
	if len(r.open) == 0 {
		return ""
	}
	return r.open[len(r.open)-1]
}

func plainName(n xml.Name) string {
	if n.Space == "" {
		return n.Local
	}
	return strconv.Quote(n.Space) + n.Local
}
