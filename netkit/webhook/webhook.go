// Package webhook is what the two sides of a webhook share: the signature of a
// delivery as Standard Webhooks 1.0.0 defines it, and the forms in which a
// server tells an agent or a sponsor how its deliveries fare.
//
// The body of a delivery is an event as the stream tells it, with id, type and
// data. Whoever receives one recomputes the signature from the headers and the
// bytes of the body; any library for Standard Webhooks does that.
package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/agentnet/netctl/netkit"
)

// The headers of a delivery.
const (
	HeaderID        = "webhook-id"        // the same in every attempt at one event
	HeaderTimestamp = "webhook-timestamp" // of the attempt, in seconds since 1970
	HeaderSignature = "webhook-signature"
)

const (
	secretPrefix = "whsec_"
	secretBytes  = 32
)

// Secret is the key by which deliveries are signed: whsec_ and base64.
type Secret struct{ key []byte }

// NewSecret makes a secret.
func NewSecret(rand io.Reader) (Secret, error) {
	key := make([]byte, secretBytes)
	_, err := io.ReadFull(rand, key)
	return Secret{key}, err
}

// ParseSecret reads a secret. The error does not repeat it.
func ParseSecret(text string) (Secret, error) {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(text, secretPrefix))
	if err != nil || len(key) < 24 || len(key) > 64 {
		return Secret{}, errors.New("webhook: a secret is whsec_ and 24 to 64 bytes in base64")
	}
	return Secret{key}, nil
}

// String returns the text of the secret: show it to its owner alone.
func (s Secret) String() string { return secretPrefix + base64.StdEncoding.EncodeToString(s.key) }

// Sign returns the signature of a delivery, without those of other secrets.
func (s Secret) Sign(id string, at time.Time, body []byte) string {
	m := hmac.New(sha256.New, s.key)
	m.Write([]byte(id + "." + strconv.FormatInt(at.Unix(), 10) + "."))
	m.Write(body)
	return "v1," + base64.StdEncoding.EncodeToString(m.Sum(nil))
}

// Headers returns the headers of an attempt, signed with each of the secrets:
// while one replaces another, receivers know either.
func Headers(id string, at time.Time, body []byte, secrets ...Secret) map[string]string {
	var signatures []string
	for _, s := range secrets {
		signatures = append(signatures, s.Sign(id, at, body))
	}
	return map[string]string{"Content-Type": "application/json", HeaderID: id,
		HeaderTimestamp: strconv.FormatInt(at.Unix(), 10), HeaderSignature: strings.Join(signatures, " ")}
}

// ID names the delivery of an event to the owner of a webhook. An entry tells an
// owner one event of a type at most.
func ID(owner string, e *netkit.Event) string {
	return owner + "_" + strconv.FormatUint(e.ID, 10) + "_" + strings.ReplaceAll(e.Type, ".", "-")
}

// State says whether a webhook delivers.
type State string

// The states.
const (
	None    State = "none"    // no address is set
	On      State = "on"      // what happens is delivered
	Failing State = "failing" // the receiver failed; the next attempt is to come
	Off     State = "off"     // the network switched it off
	Keyless State = "keyless" // it has no secret: set it again
)

// View is the webhook of an agent or a sponsor. It shows of the address only the host, since the
// rest may hold a secret.
type View struct {
	State        State         `json:"state" enum:"none,on,failing,off,keyless" doc:"keyless: nothing is sent before a secret was shown; set the address again"`
	Host         string        `json:"host,omitempty"`
	Types        []string      `json:"types,omitempty" doc:"types of event that are sent; left out for all"`
	Next         uint64        `json:"next" doc:"entry from which events are still to be sent"`
	Entries      uint64        `json:"entries" doc:"entries that the journal has: nothing waits once next is that"`
	Skipped      uint64        `json:"skipped,omitempty" doc:"latest entry that was not sent, since this server could not read it"`
	FailingSince netkit.Millis `json:"failing_since,omitempty"`
	RetryAt      netkit.Millis `json:"retry_at,omitempty"`
	// FormerUntil is when deliveries are no longer signed with the secret before.
	FormerUntil netkit.Millis `json:"former_until,omitempty" doc:"until then each delivery is signed with the former secret too"`
}

// Rotated is a new secret.
type Rotated struct {
	Secret      string        `json:"secret" doc:"shown this once"`
	FormerUntil netkit.Millis `json:"former_until" doc:"until then each delivery is signed with the former secret too"`
}

// Failure says why an attempt failed; "" means that it did not.
type Failure string

// The failures. What they do not say, such as an address that a name led to,
// is not for those who chose the name.
const (
	FailedStatus     Failure = "status"     // an answer other than 2xx
	FailedRedirect   Failure = "redirect"   // an answer 3xx; redirects are not followed
	FailedTimeout    Failure = "timeout"    // no answer in time
	FailedName       Failure = "name"       // the host's name was not found
	FailedAddress    Failure = "address"    // the address is not one of the public internet
	FailedConnection Failure = "connection" // nobody answers, or the connection was lost
	FailedTLS        Failure = "tls"        // the certificate was not accepted
)

// words say to people what a failure is.
var words = map[Failure]string{
	FailedStatus: "the answer was not 2xx", FailedRedirect: "the answer was a redirect, which is not followed",
	FailedTimeout: "no answer came in time", FailedName: "the host name was not found",
	FailedAddress: "the address is not one of the public internet", FailedConnection: "nobody answered, or the connection was lost",
	FailedTLS: "the certificate was not accepted",
}

// String returns what failed in words, "" if nothing did.
func (f Failure) String() string { return words[f] }

// Attempt is one try to deliver an event.
type Attempt struct {
	ID         uint64        `json:"id"`
	Event      uint64        `json:"event,omitempty" doc:"entry that the event tells of; left out for a test"`
	Type       string        `json:"type" doc:"of the event"`
	At         netkit.Millis `json:"at"`
	Status     int           `json:"status,omitempty" doc:"of the answer"`
	DurationMS int64         `json:"duration_ms"`
	Failure    Failure       `json:"failure,omitempty" enum:"status,redirect,timeout,name,address,connection,tls" doc:"left out when the event was delivered"`
	NextAt     netkit.Millis `json:"next_at,omitempty" doc:"when it is tried again"`
}

// Delivered reports whether the receiver took the event.
func (a *Attempt) Delivered() bool { return a.Failure == "" }

// Replay asks to send again what events tell from an entry on.
type Replay struct {
	From uint64 `json:"from" doc:"the first entry whose events are sent again"`
}
