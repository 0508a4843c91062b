package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// sentences is how many lines are made of each starting symbol of the grammars.
var sentences = []struct {
	symbol string
	count  int
}{{"en", 9000}, {"de", 2600}, {"fr", 1500}, {"es", 1500}, {"pt", 1200}, {"it", 1300}, {"nl", 1300}, {"pl", 1300}}

// grammar holds the choices of each symbol.
type grammar map[string][]string

// readGrammar reads the files "symbol = choice | choice".
func readGrammar(dir string) (grammar, error) {
	files, err := filepath.Glob(filepath.Join(dir, "grammar*.txt"))
	if err != nil {
		return nil, err
	}
	g := grammar{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		for row := range strings.Lines(string(data)) {
			if row = strings.TrimSpace(row); row == "" || row[0] == '#' {
				continue
			}
			symbol, choices, ok := strings.Cut(row, " = ")
			if !ok || g[symbol] != nil {
				return nil, fmt.Errorf("%s: %q has no choices or has them twice", file, symbol)
			}
			g[symbol] = strings.Split(choices, " | ")
		}
	}
	return g, nil
}

// expand replaces every symbol of a text by a choice of it.
func (p *pools) expand(g grammar, text string) (string, error) {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, "<")
		b.WriteString(before)
		if !found {
			return b.String(), nil
		}
		symbol, after, closed := strings.Cut(rest, ">")
		choices := g[symbol]
		if !closed || len(choices) == 0 {
			return "", fmt.Errorf("grammar: no choices for %q", symbol)
		}
		part, err := p.expand(g, choices[p.random.IntN(len(choices))])
		if err != nil {
			return "", err
		}
		b.WriteString(part)
		text = after
	}
}

// compose makes labelled lines of the grammars.
func (p *pools) compose(dir string) ([]line, error) {
	g, err := readGrammar(dir)
	if err != nil {
		return nil, err
	}
	p.wordNames = g["$W"]
	var all []line
	for _, s := range sentences {
		for range s.count {
			text, err := p.expand(g, "<"+s.symbol+">")
			if err != nil {
				return nil, err
			}
			l, err := parseLine(p.fill(text))
			if err != nil {
				return nil, fmt.Errorf("grammar: %q: %w", text, err)
			}
			all = append(all, l)
		}
	}
	return all, nil
}
