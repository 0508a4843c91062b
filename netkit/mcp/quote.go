package mcp

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"time"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/code"
)

// purchase is something that costs credits.
type purchase struct {
	of    string // what is bought, exactly: a quote fits this and nothing else
	about string // the same for people
	price netkit.Credits
	// unopened counts the dispatches that the buyer of a read has not opened.
	unopened string
}

// quote is a price that was named to a party. Its id carries the price, signed
// for that party and purchase, so that nothing need be remembered; the id is the
// idempotency key of the purchase.
type quote struct {
	ID        string
	Price     netkit.Credits
	ExpiresAt netkit.Millis
}

// quoteLife is how long a quote holds.
const quoteLife = 15 * time.Minute

// Sizes of the parts of an id: price, end, nonce, signature.
const (
	priceSize, endSize, nonceSize, signSize = 8, 8, 12, 16
	quoteSize                               = priceSize + endSize + nonceSize + signSize
)

// quote names the price of a purchase to the caller.
func (c *call) quote(what purchase) quote {
	q := quote{Price: what.price, ExpiresAt: netkit.Millis(c.cfg.Now().Add(quoteLife).UnixMilli())}
	b := binary.BigEndian.AppendUint64(nil, uint64(q.Price))
	b = binary.BigEndian.AppendUint64(b, uint64(q.ExpiresAt))
	nonce := make([]byte, nonceSize)
	_, _ = rand.Read(nonce) // which never fails
	b = append(b, nonce...)
	q.ID = base64.RawURLEncoding.EncodeToString(append(b, c.sign(what, b)...))
	return q
}

// quoted reads the quote of a purchase from its id.
func (c *call) quoted(what purchase, id string) (quote, error) {
	b, err := base64.RawURLEncoding.DecodeString(id)
	spelled := base64.RawURLEncoding.EncodeToString(b) == id // an id of another spelling would be another key, and pay again
	if err != nil || !spelled || len(b) != quoteSize || !hmac.Equal(b[quoteSize-signSize:], c.sign(what, b[:quoteSize-signSize])) {
		return quote{}, refuse(netkit.Refusal{Kind: netkit.ErrInvalid, Code: code.QuoteUnknown, Field: "quote_id", What: "is not a quote that you got for this purchase",
			Next: "call quote for exactly what you buy, and use its quote_id"})
	}
	q := quote{ID: id, Price: netkit.Credits(binary.BigEndian.Uint64(b)), ExpiresAt: netkit.Millis(binary.BigEndian.Uint64(b[priceSize:]))}
	if c.cfg.Now().UnixMilli() >= int64(q.ExpiresAt) {
		return quote{}, refuse(netkit.Refusal{Kind: netkit.ErrConflict, Code: code.QuoteExpired, Field: "quote_id", What: "is of a quote that has expired", Next: "call quote again"})
	}
	return q, nil
}

// sign binds the parts of an id to the caller and to what is bought.
func (c *call) sign(what purchase, parts []byte) []byte {
	h := hmac.New(sha256.New, c.cfg.Key)
	h.Write(bytes.Join([][]byte{[]byte("quote"), parts, []byte(c.Party), []byte(what.of)}, []byte{0}))
	return h.Sum(nil)[:signSize]
}
