package mcp

import (
	"context"
	"errors"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
)

// buyer is a party of a session that may spend three credits.
func buyer() *call {
	most := 3 * netkit.Credit
	p := &party{cfg: Config{Key: []byte("key"), MaxSpend: &most, Now: time.Now}}
	return &call{party: p, req: &sdk.CallToolRequest{Params: &sdk.CallToolParamsRaw{}}}
}

// A purchase that is refused while the same quote pays must not make the session
// forget what it paid.
func TestRefusedTwinLeavesSpending(t *testing.T) {
	c, what := buyer(), purchase{of: "attention to bob", price: 2 * netkit.Credit}
	q := c.quote(what)
	reused := &netkit.Refusal{Kind: netkit.ErrInvalid, Code: code.KeyReused}
	inside, paid := make(chan bool), make(chan error, 1)
	go func() {
		<-inside
		_, err := buy(t.Context(), c, what, q.ID, func(context.Context, quote) (bool, error) { return true, nil })
		paid <- err
	}()
	_, err := buy(t.Context(), c, what, q.ID, func(context.Context, quote) (bool, error) {
		close(inside)
		select { // the twin pays now, where nothing holds it up
		case err := <-paid:
			paid <- err
		case <-time.After(50 * time.Millisecond):
		}
		return false, reused
	})
	if !errors.Is(err, netkit.ErrInvalid) {
		t.Fatalf("got %v, want it refused", err)
	}
	if err := <-paid; err != nil {
		t.Fatalf("the twin: got %v, want it to pay", err)
	}
	next := c.quote(what)
	_, err = buy(t.Context(), c, what, next.ID, func(context.Context, quote) (bool, error) { return true, nil })
	if got := refusedOf(err).Code; err == nil || got != code.SessionSpend {
		t.Errorf("got %v, want %s: 2.00 of 3.00 are spent", err, code.SessionSpend)
	}
}

// A quote has one id: another spelling of it would be another idempotency key,
// and pay twice.
func TestQuoteHasOneSpelling(t *testing.T) {
	c, what := buyer(), purchase{of: "attention to bob", price: netkit.Credit}
	id := c.quote(what).ID
	others := []string{id + "\n", id[:9] + "\r\n" + id[9:]}
	for _, last := range "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_" {
		if other := id[:len(id)-1] + string(last); other != id {
			others = append(others, other)
		}
	}
	for _, other := range others {
		if _, err := c.quoted(what, other); err == nil {
			t.Errorf("%q: got no error, want it refused: the quote is %q", other, id)
		}
	}
	if _, err := c.quoted(what, id); err != nil {
		t.Errorf("got %v, want the quote", err)
	}
}
