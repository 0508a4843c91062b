package vault

import (
	"context"
	"fmt"
	"os/exec"
	"runtime"
	"strings"
	"time"
)

// printed runs a command line and returns what it prints, without the end of
// the line. Its errors name neither the command nor its output.
func (v *Vault) printed(ctx context.Context, line string) (string, error) {
	shell, flag := "sh", "-c"
	if runtime.GOOS == "windows" {
		shell, flag = "cmd", "/C"
	}
	cmd := exec.CommandContext(ctx, shell, flag, line)
	cmd.Stderr, cmd.WaitDelay = v.Stderr, time.Second
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("the command failed: %w", err)
	}
	if len(out) > maxKey {
		return "", fmt.Errorf("the command printed more than %d bytes, which is not a key", maxKey)
	}
	return strings.TrimRight(string(out), "\r\n"), nil
}
