// Command board checks a board for Grafana: it conforms to the schema of Grafana's Foundation SDK, without unknown
// fields, every expression is PromQL, and every panel says what it shows.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/grafana/grafana-foundation-sdk/go/cog/plugins"
	"github.com/grafana/grafana-foundation-sdk/go/dashboard"
	"github.com/grafana/grafana-foundation-sdk/go/prometheus"
	"github.com/prometheus/prometheus/promql/parser"
)

func main() {
	queries, err := check(os.Args[1])
	if err != nil {
		fmt.Fprintf(os.Stderr, "board: %s: %v\n", os.Args[1], err)
		os.Exit(1)
	}
	fmt.Printf("board: %s: %d queries are fine\n", os.Args[1], queries)
}

func check(path string) (queries int, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0, err
	}
	plugins.RegisterDefaultPlugins()
	var board dashboard.Dashboard
	if err := json.Unmarshal(text, &board); err != nil {
		return 0, err
	}
	var strict dashboard.Dashboard
	failed := []error{told(strict.UnmarshalJSONStrict(text)), told(board.Validate())}
	for _, p := range board.Panels {
		if p.Panel == nil {
			continue // a row
		}
		count, err := checkPanel(p.Panel)
		queries += count
		failed = append(failed, err)
	}
	return queries, errors.Join(failed...)
}

// told returns the error if there is one: the SDK also returns empty lists of errors.
func told(err error) error {
	if err == nil || err.Error() == "" {
		return nil
	}
	return err
}

func checkPanel(p *dashboard.Panel) (queries int, err error) {
	if p.Title == nil || p.Description == nil {
		return 0, fmt.Errorf("panel %v lacks a title or a description", p.Id)
	}
	var failed []error
	for _, target := range p.Targets {
		query, ok := target.(*prometheus.Dataquery)
		if !ok {
			failed = append(failed, fmt.Errorf("%s: a query is %T, not one of Prometheus", *p.Title, target))
			continue
		}
		queries++
		if _, err := parser.NewParser(parser.Options{}).ParseExpr(query.Expr); err != nil {
			failed = append(failed, fmt.Errorf("%s: %s: %w", *p.Title, query.Expr, err))
		}
	}
	if queries == 0 {
		failed = append(failed, fmt.Errorf("%s: no query", *p.Title))
	}
	return queries, errors.Join(failed...)
}
