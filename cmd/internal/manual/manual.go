package manual

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

// Command returns the hidden command man, which writes a page for each command of its root. The notes go to the first.
func Command(section, notes string) *cobra.Command {
	return &cobra.Command{
		Use: "man FOLDER", Short: "Write the manual pages", Hidden: true, Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			root := c.Root()
			root.Long = strings.TrimSpace(root.Long) + "\n\n" + indented(notes)
			if err := os.MkdirAll(args[0], 0o777); err != nil {
				return fmt.Errorf("make the folder of manual pages: %w", err)
			}
			prepare(root)
			header := &doc.GenManHeader{Section: section, Source: root.Name(), Manual: root.Name() + " manual"}
			return doc.GenManTree(root, header, args[0])
		},
	}
}

// prepare makes the help of a command and those below it Markdown, which the pages are made of.
func prepare(c *cobra.Command) {
	c.DisableAutoGenTag = true // pages of the same program are the same
	c.Long = escaped(c.Long)
	for _, sub := range c.Commands() {
		prepare(sub)
	}
}

// escaped keeps the signs of the text from being read as Markdown. Indented lines stay as they are.
func escaped(text string) string {
	signs := strings.NewReplacer("*", `\*`, "_", `\_`, "<", `\<`, "[", `\[`)
	var out strings.Builder
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "  ") {
			out.WriteString("  " + line) // Markdown keeps lines from four spaces on
		} else {
			out.WriteString(signs.Replace(line))
		}
	}
	return out.String()
}

// indented returns a paragraph that keeps its lines.
func indented(text string) string {
	return "  " + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n  ") + "\n"
}
