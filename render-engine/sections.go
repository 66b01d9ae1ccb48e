//go:build js && wasm

package main

import "strings"

// How many documents a text has, as kubectl and splitDocuments of the host count: whatever a line that begins with `---` opens, be it
// empty, and what is before the first such line unless it is only comments.
func countSections(text string) int {
	count := 0
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "---") {
			count++
		} else if trimmed := strings.TrimSpace(line); count == 0 && trimmed != "" && trimmed[0] != '#' {
			count++
		}
	}
	return count
}
