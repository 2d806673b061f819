package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"aliquot/cluster"
	"aliquot/internal/sheet"
	"aliquot/internal/terminal"
)

// show prints a value in the chosen format; table prints it as a table.
func (a *app) show(value any, table func(io.Writer)) error {
	switch a.format {
	case "json":
		encoder := json.NewEncoder(a.out)
		encoder.SetEscapeHTML(false)
		encoder.SetIndent("", "  ")
		return encoder.Encode(value)
	case "yaml":
		text, err := toYAML(value)
		if err != nil {
			return err
		}
		_, err = a.out.Write(text)
		return err
	case "csv":
		return sheet.Write(a.out, value)
	}
	table(a.out)
	return nil
}

// did says what a command has done. It leaves standard output to answers.
func (a *app) did(format string, args ...any) {
	fmt.Fprintln(a.err, oneLine(fmt.Sprintf(format, args...)))
}

// toYAML encodes a value with the names and the order of its JSON.
func toYAML(value any) ([]byte, error) {
	text, err := json.Marshal(value)
	if err != nil {
		return nil, fmt.Errorf("encode the answer: %w", err)
	}
	var node yaml.Node
	if err := yaml.Unmarshal(text, &node); err != nil {
		return nil, fmt.Errorf("encode the answer: %w", err)
	}
	unflow(&node)
	var out bytes.Buffer
	encoder := yaml.NewEncoder(&out)
	encoder.SetIndent(2)
	err = encoder.Encode(&node)
	return out.Bytes(), err
}

// unflow removes the braces and needless quotes of JSON.
func unflow(n *yaml.Node) {
	n.Style = 0
	for _, child := range n.Content {
		unflow(child)
	}
}

// table prints rows with aligned columns; the first row is the heading.
func table(w io.Writer, rows [][]string) {
	var page bytes.Buffer
	aligned := tabwriter.NewWriter(&page, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		for i, cell := range row {
			row[i] = oneLine(cell)
		}
		fmt.Fprintln(aligned, strings.Join(row, "\t"))
	}
	_ = aligned.Flush() // writing to a buffer never fails
	for line := range strings.Lines(page.String()) {
		fmt.Fprintln(w, strings.TrimRight(line, " \n"))
	}
}

// columns returns the width of the terminal that w is; 0: it is none.
func columns(w io.Writer) int {
	if window := terminal.Size(w); window != nil {
		return int(window.Col)
	}
	return 0
}

// narrow prints a table whose lines end where the terminal does.
func narrow(w io.Writer, columns int, table func(io.Writer)) {
	var page bytes.Buffer
	table(&page)
	for line := range strings.Lines(page.String()) {
		fmt.Fprintln(w, cut(strings.TrimSuffix(line, "\n"), columns))
	}
}

// cut shortens a line to the width of a terminal; 0: it is none.
func cut(line string, columns int) string {
	if columns > 1 && utf8.RuneCountInString(line) > columns {
		return string([]rune(line)[:columns-1]) + "…"
	}
	return line
}

// oneLine keeps user text from breaking the table or the terminal.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 {
			return '?'
		}
		return r
	}, s)
}

// milli formats millicores; "-" for none.
func milli(m int64) string {
	if m == 0 {
		return "-"
	}
	return strconv.FormatInt(m, 10) + "m"
}

// millicores formats millicores in a sentence.
func millicores(m int64) string { return strconv.FormatInt(m, 10) + "m" }

// used tells the measured CPU of all tasks in a sentence, and the part of those in the background. Only the leader
// knows it, as soon as it is measured.
func used(all, background *int64) string {
	if all == nil {
		return "use not known now"
	}
	text := millicores(*all) + " used"
	if background != nil && *background > 0 {
		text += ", " + millicores(*background) + " of it in the background"
	}
	return text
}

func milliOrUnknown(m *int64) string {
	if m == nil {
		return "-"
	}
	return strconv.FormatInt(*m, 10) + "m"
}

// size formats bytes for people, as reasons and the console do.
func size(b int64) string { return cluster.Bytes(b).Words() }

func yield(y *float64) string {
	if y == nil {
		return "-"
	}
	return strconv.FormatFloat(*y, 'f', 2, 64)
}

func dash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

// when formats a time in local time, with its zone.
func when(t time.Time) string { return t.Local().Format("2006-01-02 15:04:05 MST") }
