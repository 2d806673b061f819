package sim

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"aliquot/cluster"
	"aliquot/workload"
)

// Limits of a file of nodes.
const (
	MaxNodes   = 100_000
	mostOfUnit = 1000 // CPU and memory of a node
)

var nodeColumns = []string{"node", "cpu", "memory", "speed"}

// ReadNodes reads a CSV file of unlike nodes: their names, their processors and memory as multiples of those of a unit
// node, and the speed of their processors, where 1 is the reference. Columns but the name may be left out, and count as
// 1. Errors name the line.
func ReadNodes(r io.Reader) (nodes []Node, err error) {
	reader := csv.NewReader(r)
	header, err := reader.Read()
	if err != nil {
		return nil, fmt.Errorf("read the nodes: %w", err)
	}
	for i, name := range header {
		if !slices.Contains(nodeColumns, name) || slices.Contains(header[:i], name) {
			return nil, fmt.Errorf("line 1: column %q is unknown or twice there: the header is %s", name,
				strings.Join(nodeColumns, ","))
		}
	}
	names := map[string]bool{}
	for {
		fields, err := reader.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("read the nodes: %w", err)
		}
		n, err := readNode(header, fields)
		if err == nil && names[n.Name] {
			err = fmt.Errorf("node: %s is there twice", n.Name)
		}
		if line, _ := reader.FieldPos(0); err != nil {
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
		names[n.Name], nodes = true, append(nodes, n)
	}
	if len(nodes) == 0 || len(nodes) > MaxNodes {
		return nil, fmt.Errorf("there are %d nodes, must be from 1 to %d", len(nodes), MaxNodes)
	}
	return nodes, nil
}

// readNode reads a line.
func readNode(header, fields []string) (n Node, err error) {
	size := map[string]float64{"cpu": 1, "memory": 1}
	for i, name := range header {
		switch name {
		case "node":
			if err := cluster.CheckNodeName(fields[i]); err != nil {
				return n, fmt.Errorf("node: %w", err)
			}
			n.Name = fields[i]
		case "speed":
			if n.Speed, err = cluster.ParseSpeed(fields[i]); err != nil {
				return n, fmt.Errorf("speed: %w", err)
			}
		default:
			x, err := strconv.ParseFloat(fields[i], 64)
			if err != nil || !(x >= 0.001 && x <= mostOfUnit) {
				return n, fmt.Errorf("%s: %q is not a number from 0.001 to %d, where 1 is a unit node", name, fields[i], mostOfUnit)
			}
			size[name] = x
		}
	}
	if n.Name == "" {
		return n, errors.New("node: the name is missing")
	}
	n.CPU = n.Speed.Reference(cluster.CPU(size["cpu"]*float64(workload.UnitCPU) + 0.5))
	n.Memory = cluster.Bytes(size["memory"]*float64(workload.UnitMemory) + 0.5)
	return n, nil
}
