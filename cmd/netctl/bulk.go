package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/catalog"
	"github.com/agentnet/netctl/netkit/code"
	"github.com/agentnet/netctl/netkit/plural"
)

// fromLong describes --from.
const fromLong = `With --from, each line of a file is a command of its own, in JSON. Each gets one
line on standard output, in the same order: {"line":1,"receipt":{…}} or
{"line":2,"problem":{…}}. A line that is refused undoes none of the others, and the
exit code is not 0 if there is one. A line may have its own "idempotency_key"; one
without gets a key made of its text, so the same file can be given again and is
carried out once.`

// orFrom lets --from replace the arguments and the required flags.
func orFrom(args cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, given []string) (err error) {
		if !cmd.Flags().Changed("from") {
			return args(cmd, given)
		}
		if len(given) > 0 || cmd.Flags().Changed("key") {
			return usage(errors.New("--from takes no arguments and no --key: each line has its own"))
		}
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if f.Annotations[cobra.BashCompOneRequiredFlag] == nil {
				return
			}
			if f.Changed {
				err = usage(fmt.Errorf("--from and --%s exclude each other", f.Name))
			}
			delete(f.Annotations, cobra.BashCompOneRequiredFlag)
		})
		return err
	}
}

// stepLines is how many lines are sent at a time, so that their answers and the
// progress show soon.
const stepLines = 100

// runBulk sends each line of a file as a command and prints the outcomes.
func runBulk[I, R any](c *call, path string, keyOf func(*I) *string, send func(context.Context, []I) []netkit.Outcome[R]) error {
	lines, err := c.linesOf(path)
	if err != nil {
		return err
	}
	refused, first, firstLine := 0, error(nil), 0
	progress := c.progress()
	for from := 0; from < len(lines); from += stepLines {
		step := lines[from:min(from+stepLines, len(lines))]
		for i, o := range sendLines(c.ctx, step, keyOf, send) {
			var p *plan
			if errors.As(o.Err, &p) {
				return o.Err
			}
			if o.Err != nil {
				if refused++; first == nil {
					first, firstLine = o.Err, step[i].number
				}
			}
			if err := printOutcome(c, step[i].number, o); err != nil {
				return err
			}
		}
		if progress != nil {
			progress(uint64(from+len(step)), uint64(len(lines)))
		}
	}
	if refused == 0 {
		return nil
	}
	return because(first, "%d of %s refused; the first is line %d of the file", refused, plural.Count(len(lines), "line was", "lines were"), firstLine)
}

// numberedLine is a line that is not empty.
type numberedLine struct {
	number int
	text   []byte
}

// linesOf reads the lines of a file, or of standard input for -.
func (c *call) linesOf(path string) (lines []numberedLine, err error) {
	var all []byte
	if path == "-" {
		all, err = io.ReadAll(c.in)
	} else {
		all, err = os.ReadFile(path)
	}
	number := 0
	for text := range bytes.SplitSeq(all, []byte{'\n'}) {
		number++
		if text = bytes.TrimSpace(text); len(text) > 0 {
			lines = append(lines, numberedLine{number, text})
		}
	}
	if err == nil && len(lines) == 0 {
		err = usage(errors.New("there is no line to send: give one JSON object a line"))
	}
	return lines, err
}

// sendLines decodes lines, sends those that are commands and returns an outcome for
// each line.
func sendLines[I, R any](ctx context.Context, lines []numberedLine, keyOf func(*I) *string, send func(context.Context, []I) []netkit.Outcome[R]) []netkit.Outcome[R] {
	all := make([]netkit.Outcome[R], len(lines))
	var items []I
	var places []int
	for i, line := range lines {
		var item I
		d := json.NewDecoder(bytes.NewReader(line.text))
		d.DisallowUnknownFields()
		if err := d.Decode(&item); err != nil || d.More() {
			all[i].Err = netkit.Refuse(netkit.ErrInvalid, code.JSONMalformed, "the line is not the JSON object that is expected", "correct it; --help shows an example")
			continue
		}
		if key := keyOf(&item); *key == "" {
			sum := sha256.Sum256(line.text)
			*key = hex.EncodeToString(sum[:])
		}
		items, places = append(items, item), append(places, i)
	}
	if len(items) > 0 {
		for n, o := range send(ctx, items) {
			all[places[n]] = o
		}
	}
	return all
}

// printOutcome prints how a line ended, as the network spells it.
func printOutcome[R any](c *call, number int, o netkit.Outcome[R]) error {
	line := netkit.BulkLine[R]{Line: number, Receipt: &o.Receipt}
	if o.Err != nil {
		p := netkit.NewProblem(503, code.OutcomeUnknown, o.Err.Error(), "give the same file again")
		if _, ok := errors.AsType[*netkit.Refusal](o.Err); ok {
			p = netkit.ProblemOf(o.Err)
		}
		p = catalog.Render(p, catalog.CommandLine)
		line.Receipt, line.Problem = nil, &p
	}
	doc, err := encode(line)
	if err != nil {
		return err
	}
	if c.jq != "" {
		return c.filter(doc)
	}
	_, err = c.out.Write(doc)
	return err
}
