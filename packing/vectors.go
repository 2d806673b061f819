package packing

// vectors is a table of resource vectors, one row per node or item: CPU, then the rigid dimensions.
type vectors struct {
	width  int
	values []float64
}

func newVectors(rows, width int) vectors {
	return vectors{width, make([]float64, rows*width)}
}

func (v vectors) row(i int) []float64 { return v.values[i*v.width : (i+1)*v.width] }

// width is the number of resource dimensions, CPU included.
func (p *Problem) width() int {
	if len(p.Nodes) == 0 {
		return 1
	}
	return 1 + len(p.Nodes[0].Rigid)
}

func (p *Problem) capacities() vectors {
	v := newVectors(len(p.Nodes), p.width())
	for n, node := range p.Nodes {
		v.row(n)[0] = node.CPU
		copy(v.row(n)[1:], node.Rigid)
	}
	return v
}

// requirements are those of one task per item; its CPU is what demand says.
func (p *Problem) requirements(demand func(*Item) float64) vectors {
	v := newVectors(len(p.Items), p.width())
	for i := range p.Items {
		v.row(i)[0] = demand(&p.Items[i])
		copy(v.row(i)[1:], p.Items[i].Rigid)
	}
	return v
}

// sum adds up the rows.
func (v vectors) sum() []float64 {
	total := make([]float64, v.width)
	for i := 0; i < len(v.values); i += v.width {
		add(total, 1, v.values[i:i+v.width])
	}
	return total
}

// mean of the rows; exactly the common row if all are equal.
func (v vectors) mean() []float64 {
	mean := make([]float64, v.width)
	for i := 0; i < len(v.values); i += v.width {
		for d, x := range v.values[i : i+v.width] {
			mean[d] += (x - mean[d]) / float64(i/v.width+1)
		}
	}
	return mean
}

// add puts count times task into used.
func add(used []float64, count float64, task []float64) {
	for d, x := range task {
		used[d] += count * x
	}
}

// fits says whether one more task fits beside what is used.
func fits(used, task, capacity []float64) bool {
	for d, x := range task {
		if used[d]+x > capacity[d] {
			return false
		}
	}
	return true
}

// fraction of a capacity; nothing of nothing is 0.
func fraction(quantity, capacity float64) float64 {
	if quantity == 0 {
		return 0
	}
	return quantity / capacity
}

// largest is the largest of the rigid fractions of a capacity.
func largest(rigid, capacity []float64) float64 {
	most := 0.0
	for d, x := range rigid {
		most = max(most, fraction(x, capacity[d]))
	}
	return most
}
