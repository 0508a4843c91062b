package network

import (
	"github.com/agentnet/netctl/netkit/internal/wire"
	"github.com/agentnet/netctl/netkit/rules"
)

// encodeText returns the content of a command as its private part holds it.
func encodeText(text rules.Content) []byte {
	c := wire.Writer(make([]byte, 0, 512))
	c.Begin()
	text.Fields(&c)
	c.End()
	return c.Bytes()
}

func readPrivate(b []byte) (*rules.Private, error) {
	p := new(rules.Private)
	return p, p.Decode(b)
}
