package document

import (
	"bytes"
	"fmt"
	"testing"

	"aliquot/packing/study/instance"
)

// manyRows are distinct tasks as CSV, for a tenth as many nodes.
func manyRows(tasks int) []byte {
	p, _ := instance.Family{Nodes: tasks / 10, Tasks: tasks, PerJob: 1, Memory: 0.7, Need: 2}.Draw(1)
	var text bytes.Buffer
	text.WriteString("id,count,cpu,mem\n")
	for i := range p.Items {
		fmt.Fprintf(&text, "t%d,1,%.6f,%.6f\n", i, p.Items[i].Need/instance.Unit, p.Items[i].Rigid[0]/instance.Unit)
	}
	return text.Bytes()
}

func BenchmarkRead(b *testing.B) {
	text := manyRows(1_000_000)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Read("f", text, nil); err != nil {
			b.Fatal(err)
		}
	}
}
