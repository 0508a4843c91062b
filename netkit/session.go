package netkit

import (
	"context"
)

// keyKey marks the idempotency key within a context.
type keyKey struct{}

// WithKey returns a context whose commands carry that idempotency key: one key
// per purchase, used again on every retry. A program that may be restarted
// between a command and its answer keeps the key and asks again with it.
func WithKey(ctx context.Context, key string) context.Context {
	return context.WithValue(ctx, keyKey{}, key)
}

// KeyOf returns the idempotency key of a context, "" without one.
func KeyOf(ctx context.Context) string {
	key, _ := ctx.Value(keyKey{}).(string)
	return key
}
