package main

import "testing"

func TestLocate(t *testing.T) {
	data := []byte("{\"a\": \"x\\u00e9\\ud83d\\ude00\\\"y\",\n  \"n\": 3, \"l\": [\"one\",\n\t\"tw\u00f6!\"], \"z\": \"end\"}")
	p := locate(data)
	for _, c := range []struct {
		path         string
		point        int
		line, column int
	}{
		{"a", 0, 1, 8}, {"a", 1, 1, 9}, {"a", 2, 1, 15}, {"a", 3, 1, 27}, {"a", 4, 1, 29},
		{"l[0]", 2, 2, 20}, {"l[1]", 0, 3, 3}, {"l[1]", 3, 3, 6}, {"z", 0, 3, 17},
		{"a[0]", 0, 1, 8},  // one text counts as a list of one
		{"l[1]", 99, 3, 7}, // never beyond the text
		{"missing", 3, 1, 1},
	} {
		if line, column := p.of(c.path, c.point); line != c.line || column != c.column {
			t.Errorf("%s point %d: got %d:%d, want %d:%d", c.path, c.point, line, column, c.line, c.column)
		}
	}
}
