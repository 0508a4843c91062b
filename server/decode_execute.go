package server

import (
	"errors"
	"strconv"

	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/strictjson"
)

// decodeExecute is decode for the request that is sent most. It takes a body that
// has each field once and with its own type; any other goes to decode, which names
// the fault or knows better.
func decodeExecute(b []byte, in *netkit.Execute) error {
	if readExecute(b, in) {
		return nil
	}
	*in = netkit.Execute{}
	return decode(b, in)
}

// A plainReader reads bodies without a fault. It remembers that there was one.
type plainReader struct {
	strictjson.Reader
	failed bool
}

// readExecute reports whether it read all of b.
func readExecute(b []byte, in *netkit.Execute) bool {
	r := plainReader{Reader: strictjson.New(b)}
	r.object(0b11, func(name string) (bit uint8) { return r.execute(name, in) })
	return !r.failed && r.End() == nil
}

// execute reads a field of an execution.
func (r *plainReader) execute(name string, in *netkit.Execute) (bit uint8) {
	switch name {
	case "campaign_id":
		in.CampaignID = r.number()
		return 0b01
	case "signal":
		r.signal(&in.Signal)
		return 0b10
	}
	return 0
}

// decodeBulkExecute is decodeExecute for a line of a bulk request.
func decodeBulkExecute(_ *netkit.Principal, b []byte, in *netkit.BulkExecute) (key string, fingerprint *[32]byte, err error) {
	r := plainReader{Reader: strictjson.New(b)}
	r.object(0b11, func(name string) (bit uint8) {
		if name == "idempotency_key" {
			in.Key = r.text()
			return 0b100
		}
		return r.execute(name, &in.Execute)
	})
	if r.failed || r.End() != nil {
		*in = netkit.BulkExecute{}
		err = decode(b, in)
	}
	return in.Key, &in.Fingerprint, err
}

func (r *plainReader) signal(g *netkit.Signal) {
	r.object(0b111, func(name string) (bit uint8) {
		switch name {
		case "headline":
			g.Headline = r.text()
			return 0b001
		case "body":
			g.Body = r.text()
			return 0b010
		case "sources":
			g.Sources = r.texts()
			return 0b100
		case "data":
			raw, err := r.Skip()
			if r.note(err); err == nil {
				r.note(g.Data.UnmarshalJSON(raw))
			}
			return 0b1000
		}
		return 0
	})
}

// object reads the next object. Field reads a value and returns the bit of its
// name, 0 for one that it does not know; no bit may come twice, and those of all
// have to come.
func (r *plainReader) object(all uint8, field func(name string) (bit uint8)) {
	var seen uint8
	r.note(r.Object(func(name []byte, _ int) error {
		bit := field(string(name))
		if bit == 0 || seen&bit != 0 || r.failed {
			return errNotPlain
		}
		seen |= bit
		return nil
	}))
	r.failed = r.failed || seen&all != all
}

var errNotPlain = errors.New("server: a field is unknown, repeated or of another type")

func (r *plainReader) note(err error) { r.failed = r.failed || err != nil }

func (r *plainReader) text() string {
	s, err := r.Text()
	r.note(err)
	return string(s)
}

func (r *plainReader) texts() []string {
	list := make([]string, 0, 1)
	r.note(r.List(func() error {
		if len(list) == maxItems {
			return errNotPlain
		}
		s, err := r.Text()
		list = append(list, string(s))
		return err
	}))
	return list
}

func (r *plainReader) number() uint64 {
	raw, err := r.Literal()
	r.note(err)
	n, err := strconv.ParseUint(string(raw), 10, 64)
	r.note(err)
	return n
}
