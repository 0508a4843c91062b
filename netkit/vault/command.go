package vault

import (
	"context"
	"fmt"
	"os/exec"
	"runtime"
	"strings"
	"time"
)

// errLongKey ends a command that prints more than a key.
var errLongKey = fmt.Errorf("the command printed more than %d bytes, which is not a key", maxKey)

// printed runs a command line and returns what it prints, without the end of
// the line. A command that prints more than maxKey bytes is killed; what it
// started ends at its next write, since the pipe is closed. It shares the
// terminal's process group, so that it can ask for a passphrase. Errors name
// neither the command nor its output.
func (v *Vault) printed(ctx context.Context, line string) (string, error) {
	shell, flag := "sh", "-c"
	if runtime.GOOS == "windows" {
		shell, flag = "cmd", "/C"
	}
	ctx, end := context.WithCancel(ctx)
	defer end()
	cmd := exec.CommandContext(ctx, shell, flag, line)
	out := &keyBuffer{full: end}
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = out, v.Stderr, time.Second
	err := cmd.Run()
	if out.over {
		return "", errLongKey
	}
	if err != nil {
		return "", fmt.Errorf("the command failed: %w", err)
	}
	return strings.TrimRight(out.String(), "\r\n"), nil
}

// keyBuffer keeps the first maxKey bytes and calls full at the next one.
type keyBuffer struct {
	strings.Builder
	full func()
	over bool
}

// Write implements io.Writer.
func (b *keyBuffer) Write(p []byte) (int, error) {
	if b.Len()+len(p) > maxKey {
		b.over = true
		b.full()
		return 0, errLongKey
	}
	return b.Builder.Write(p)
}
