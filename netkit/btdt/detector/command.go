package detector

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/agentnet/netctl/netkit/btdt"
)

// Command is a program that answers each line of its input with one of its output. It
// starts with the first text, and runs until Close.
type Command struct {
	memo
	line, name            string
	stderr                io.Writer
	startTime, answerTime time.Duration
	process               *exec.Cmd
	in                    io.WriteCloser
	answers               chan answered
	kill                  context.CancelFunc
	broken                error // once an answer is missing, the next lines would be of other texts
}

// answered is a line of a program, or why there is none.
type answered struct {
	line []byte
	err  error
}

// startTime is how much longer the first answer of a program may take.
const startTime = time.Minute

// NewCommand makes a detector of a command line for the shell. What it writes to
// standard error goes to stderr, which may be nil.
func NewCommand(line string, stderr io.Writer) *Command {
	name := "command"
	if words := strings.Fields(line); len(words) > 0 {
		name = filepath.Base(words[0])
	}
	return &Command{line: line, name: name, stderr: stderr, startTime: startTime, answerTime: answerTime}
}

// Detect implements [btdt.Detector].
func (d *Command) Detect(ctx context.Context, path, text, language string) ([]btdt.Finding, error) {
	found, err := d.ask(ctx, question{path, text, language}, d.name, d.exchange)
	if err != nil {
		return nil, fmt.Errorf("the detector %s failed on %s: %w", d.name, path, err)
	}
	return found, nil
}

// exchange writes a line and waits for the answer. A failure ends the program.
func (d *Command) exchange(ctx context.Context, q question) ([]byte, error) {
	if d.broken != nil {
		return nil, d.broken
	}
	limit := d.answerTime
	if d.process == nil {
		limit += d.startTime
		if err := d.start(); err != nil {
			return nil, err
		}
	}
	answer, err := d.await(ctx, q, limit)
	if err != nil {
		d.broken = err
		d.kill()
	}
	return answer, err
}

// start starts the program.
func (d *Command) start() error {
	shell, flag := "sh", "-c"
	if runtime.GOOS == "windows" {
		shell, flag = "cmd", "/C"
	}
	ctx, kill := context.WithCancel(context.Background())
	p := exec.CommandContext(ctx, shell, flag, d.line)
	p.Stderr, p.WaitDelay = d.stderr, time.Second
	killGroup(p)
	in, err := p.StdinPipe()
	if err != nil {
		kill()
		return err
	}
	out, err := p.StdoutPipe()
	if err == nil {
		err = p.Start()
	}
	if err != nil {
		kill()
		return err
	}
	d.process, d.in, d.kill, d.answers = p, in, kill, make(chan answered)
	go readAnswers(ctx, out, d.answers)
	return nil
}

// readAnswers sends every line of a program until it ends, a line is too long or ctx is
// done.
func readAnswers(ctx context.Context, out io.Reader, answers chan<- answered) {
	defer close(answers)
	lines := bufio.NewScanner(out)
	lines.Buffer(make([]byte, 0, 64<<10), maxAnswer)
	send := func(a answered) bool {
		select {
		case answers <- a:
			return a.err == nil
		case <-ctx.Done():
			return false
		}
	}
	for lines.Scan() {
		if !send(answered{line: append([]byte(nil), lines.Bytes()...)}) {
			return
		}
	}
	err := errors.New("it ended without an answer")
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		err = errLongAnswer
	}
	send(answered{err: err})
}

// await writes a text and waits for its answer.
func (d *Command) await(ctx context.Context, q question, limit time.Duration) ([]byte, error) {
	line, err := json.Marshal(struct {
		Path     string `json:"path"`
		Text     string `json:"text"`
		Language string `json:"language"`
	}{q.path, q.text, q.language})
	if err != nil {
		return nil, err
	}
	go func() { _, _ = d.in.Write(append(line, '\n')) }() // a program that does not read is waited for below, and one that ended has no answer
	late := time.NewTimer(limit)
	defer late.Stop()
	select {
	case a := <-d.answers:
		return a.line, a.err
	case <-late.C:
		return nil, fmt.Errorf("it did not answer within %s", limit)
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Close ends the program: it may end by itself within a second of the end of its input.
func (d *Command) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.process == nil {
		return nil
	}
	err := d.in.Close()
	late := time.AfterFunc(time.Second, d.kill)
	defer late.Stop()
	defer d.kill()
	_ = d.process.Wait() // how it ends no longer matters: every answer was read
	d.process, d.broken = nil, errors.New("it was closed")
	return err
}
