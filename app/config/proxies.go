package config

import (
	"fmt"
	"net/netip"
)

// validateProxies checks the networks of the trusted proxies. A network that holds every caller, or none, makes the bounds by address void.
func (c Config) validateProxies(say complaint) {
	for i, text := range c.Server.TrustedProxies {
		wrong := func(says, do string) {
			say(SettingError{Path: []any{"server", "trusted_proxies", i}, Says: fmt.Sprintf("%q %s", text, says), Do: do})
		}
		network, err := netip.ParsePrefix(text)
		switch address := network.Addr(); {
		case err != nil:
			wrong("is not a network", "write it like 10.0.0.0/8 or 2001:db8::/32")
		case address.Is4In6():
			wrong("is an IPv4 network in IPv6 form", "write it like 10.0.0.0/8")
		case network.Bits() == 0:
			wrong("trusts every caller", "name the networks of your proxies only")
		case network != network.Masked():
			wrong("is an address in "+network.Masked().String(), fmt.Sprintf("write %s for the network, or %s/%d for the address", network.Masked(), address, address.BitLen()))
		}
	}
}
