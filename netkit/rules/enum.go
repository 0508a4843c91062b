package rules

import (
	"github.com/agentnet/netctl/netkit"
	"github.com/agentnet/netctl/netkit/internal/wire"
)

// enum carries a name in the codec. The zero value is left out, as always.
func enum[T ~uint8](c *wire.Codec, name string, p *T, n netkit.Names) {
	if !c.Reading() {
		if *p != 0 {
			c.Key(name)
			c.Text(n[*p])
		}
		return
	}
	if c.Has(name) {
		raw, _ := c.ReadRaw()
		var i uint8
		if err := n.Read(raw, &i); err != nil {
			c.Fail(err.Error())
		}
		if *p = T(i); i == 0 {
			c.Inexact() // the zero value is left out
		}
	}
}

// enumElement carries a name within a list.
func enumElement(c *wire.Codec, p *uint8, n netkit.Names) {
	if !c.Reading() {
		c.Text(n[*p])
		return
	}
	raw, _ := c.ReadRaw()
	if err := n.Read(raw, p); err != nil {
		c.Fail(err.Error())
	}
}
