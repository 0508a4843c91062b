package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/agentnet/netctl/netkit"
)

// correspondent is an agent at work. What it has done, the network remembers;
// what it is about to do, its outbox.
type correspondent struct {
	slug             string
	niche            netkit.Niche
	minPay, minPrice netkit.Credits
	every            time.Duration
	once             bool

	net   netkit.Network
	model model
	web   *http.Client // reads sources
	box   outbox
	rests map[string]time.Time // what came to nothing, until when
}

// work looks around whenever something happens that may concern it.
func (c *correspondent) work(ctx context.Context) error {
	c.rests = map[string]time.Time{}
	seen, err := c.look(ctx)
	if err != nil || c.once {
		return err
	}
	heard := make(chan struct{}, 1)
	go c.listen(ctx, seen, heard)
	wait := c.every
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-heard:
		case <-time.After(wait):
		}
		wait = c.every
		_, err := c.look(ctx)
		if errors.Is(err, netkit.ErrUnauthenticated) {
			return err // the token was revoked
		}
		if err != nil && ctx.Err() == nil {
			fmt.Println(err)
			wait = min(wait, time.Minute)
		}
	}
}

// listen passes on that something happened behind what was seen. A connection
// that is lost is resumed behind the last event.
func (c *correspondent) listen(ctx context.Context, seen uint64, heard chan<- struct{}) {
	types := []string{netkit.EventCampaignOpened, netkit.EventCampaignFunded, netkit.EventCrisisResolved, netkit.EventNotice}
	for range c.net.Events(ctx, seen, netkit.EventFilter{Types: types}) {
		select {
		case heard <- struct{}{}:
		default: // it will look in a moment
		}
	}
}

// look does what there is to do now, up to a page of each, and says up to which
// entry it saw.
func (c *correspondent) look(ctx context.Context) (seen uint64, err error) {
	if err := c.box.each(func(key string, j job) error { return c.resume(ctx, key, j) }); err != nil {
		return 0, err
	}
	pending := netkit.Pending
	inbox, err := c.net.Inbox(ctx, netkit.AttentionQuery{State: &pending, Page: netkit.Page{Limit: 200}})
	if err != nil {
		return 0, err
	}
	for _, request := range inbox.Items {
		if err := c.settle(ctx, fmt.Sprint("attention-", request.ID), func() (job, error) { return c.answer(ctx, &request) }); err != nil {
			return 0, err
		}
	}
	market, err := c.net.Market(ctx, netkit.MarketQuery{Channel: c.niche, Matched: true, Page: netkit.Page{Limit: 200}})
	if err != nil {
		return 0, err
	}
	for _, contract := range market.Items {
		if contract.PaysYou == nil || contract.PaysYou.AgentShare < c.minPay {
			continue
		}
		if err := c.settle(ctx, fmt.Sprint("contract-", contract.ID), func() (job, error) { return c.execute(ctx, &contract) }); err != nil {
			return 0, err
		}
	}
	return inbox.AsOf.Seq, nil
}

// refusedRest is how long what the network refused for good is left alone: a
// stranger who brings that about does not use up the model's budget.
const refusedRest = 24 * time.Hour

// errNothing means that there is nothing to do.
var errNothing = errors.New("nothing to do")

// execute writes for a contract that matches, once.
func (c *correspondent) execute(ctx context.Context, contract *netkit.Campaign) (job, error) {
	if done, err := c.executed(ctx, contract.ID); err != nil || done {
		return job{}, cmp.Or(err, errNothing)
	}
	signal, err := c.write(ctx, contract)
	return job{Execute: &netkit.Execute{CampaignID: contract.ID, Signal: signal}}, err
}

// executed reports whether the agent has executed a contract: the network knows
// that for longer than it knows a key.
func (c *correspondent) executed(ctx context.Context, contract uint64) (bool, error) {
	before, err := c.net.Deliveries(ctx, netkit.ExecutionQuery{CampaignID: contract, Agent: c.slug, Page: netkit.Page{Limit: 1}})
	return len(before.Items) > 0, err
}

// answer answers a request that pays enough, and declines others.
func (c *correspondent) answer(ctx context.Context, r *netkit.Attention) (job, error) {
	if r.Price < c.minPrice {
		return job{Decline: &netkit.DeclineAttention{ID: r.ID, Reason: "The price is below what I answer for."}}, nil
	}
	text, err := c.reply(ctx, r)
	var no declined
	if errors.As(err, &no) {
		return job{Decline: &netkit.DeclineAttention{ID: r.ID, Reason: clip(string(no), 400)}}, nil
	}
	return job{Answer: &netkit.AnswerAttention{ID: r.ID, Body: text}}, err
}

// settle decides on a job and does it. The job is kept before it is sent:
// whatever happens then, it is sent with the same key and the same words until
// the network has said what became of it. What came to nothing rests a while.
func (c *correspondent) settle(ctx context.Context, key string, decide func() (job, error)) error {
	if ctx.Err() != nil || time.Now().Before(c.rests[key]) || c.box.has(key) {
		return ctx.Err()
	}
	j, err := decide()
	if err == nil {
		if err := c.box.keep(key, j); err != nil {
			return err
		}
		return c.deliver(ctx, key, j)
	}
	if err != errNothing {
		fmt.Printf("%s: %v\n", key, err)
		c.rests[key] = time.Now().Add(c.every)
	}
	return nil
}

// resume does a job that was begun before, and may have been sent.
func (c *correspondent) resume(ctx context.Context, key string, j job) error {
	if j.Execute != nil {
		if done, err := c.executed(ctx, j.Execute.CampaignID); err != nil || done {
			return cmp.Or(err, c.box.drop(key))
		}
	}
	return c.deliver(ctx, key, j)
}

// deliver sends a job, and forgets it once its outcome is known.
func (c *correspondent) deliver(ctx context.Context, key string, j job) (err error) {
	ctx = netkit.WithKey(ctx, key)
	told := "answered"
	switch {
	case j.Execute != nil:
		var done netkit.Execution
		done, err = c.net.Execute(ctx, *j.Execute)
		told = fmt.Sprintf("executed at %s, +%s, wallet %s", done.Tier, done.AgentShare, done.Balance)
	case j.Answer != nil:
		_, err = c.net.AnswerAttention(ctx, *j.Answer)
	case j.Decline != nil:
		_, err = c.net.DeclineAttention(ctx, *j.Decline)
		told = "declined"
	}
	if err != nil {
		told = err.Error()
	}
	fmt.Printf("%s: %s\n", key, told)
	if err != nil && !final(err) {
		return nil // it is kept
	}
	if err != nil { // what was refused is not written again at the next event
		c.rests[key] = time.Now().Add(refusedRest)
	}
	return c.box.drop(key)
}

// final reports whether an error says that a job was not done and never will be.
// What a crisis stops is done when it is over (L3).
func final(err error) bool {
	var r *netkit.Refusal
	if errors.As(err, &r) && r.Law == "L3" {
		return false
	}
	return errors.Is(err, netkit.ErrConflict) || errors.Is(err, netkit.ErrForbidden) || errors.Is(err, netkit.ErrInvalid) || errors.Is(err, netkit.ErrNotFound)
}
