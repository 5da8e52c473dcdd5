package config_test

import (
	"net/netip"
	"slices"
	"strings"
	"testing"

	"github.com/colony-app/colony/app/config"
)

func TestTrustedProxiesThatAreNetworks(t *testing.T) {
	t.Parallel()
	c, err := config.Load(file(t, "server: {trusted_proxies: [10.0.0.0/8, 192.0.2.7/32, '2001:db8::/32', '::1/128']}"), nil)
	if err != nil {
		t.Fatal(err)
	}
	ready := runnable()
	ready.Server.TrustedProxies = c.Server.TrustedProxies
	if err := ready.Validate(); err != nil {
		t.Errorf("networks are refused: %v", err)
	}
	want := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("192.0.2.7/32"), netip.MustParsePrefix("2001:db8::/32"), netip.MustParsePrefix("::1/128")}
	if got := ready.Server.Proxies(); !slices.Equal(got, want) {
		t.Errorf("the proxies are %v", got)
	}
	if got := runnable().Server.Proxies(); len(got) > 0 {
		t.Errorf("without the setting, Colony trusts %v", got)
	}
}

func TestTrustedProxiesThatAreNoNetworks(t *testing.T) {
	t.Parallel()
	const form = " -> write it like 10.0.0.0/8 or 2001:db8::/32"
	for network, want := range map[string]string{
		"":                    `"" is not a network` + form,
		"10.0.0.1":            `"10.0.0.1" is not a network` + form,
		"10.0.0.0/33":         `"10.0.0.0/33" is not a network` + form,
		"2001:db8::/129":      `"2001:db8::/129" is not a network` + form,
		"10.0.0.0 /8":         `"10.0.0.0 /8" is not a network` + form,
		"10.0.0.0/8,::1/8":    `"10.0.0.0/8,::1/8" is not a network` + form,
		"proxy.example/8":     `"proxy.example/8" is not a network` + form,
		"fe80::1%eth0/64":     `"fe80::1%eth0/64" is not a network` + form,
		"10.1.2.3/8":          `"10.1.2.3/8" is an address in 10.0.0.0/8 -> write 10.0.0.0/8 for the network, or 10.1.2.3/32 for the address`,
		"2001:db8::1/64":      `"2001:db8::1/64" is an address in 2001:db8::/64 -> write 2001:db8::/64 for the network, or 2001:db8::1/128 for the address`,
		"0.0.0.0/0":           `"0.0.0.0/0" trusts every caller -> name the networks of your proxies only`,
		"::/0":                `"::/0" trusts every caller -> name the networks of your proxies only`,
		"::ffff:10.0.0.0/104": `"::ffff:10.0.0.0/104" is an IPv4 network in IPv6 form -> write it like 10.0.0.0/8`,
	} {
		c := runnable()
		c.Server.TrustedProxies = []string{"192.0.2.0/24", network}
		if err := c.Validate(); err == nil || err.Error() != "server.trusted_proxies[1]: "+want {
			t.Errorf("%q: %v\nwant %s", network, err, want)
		}
	}
	problems := config.Lint("config.yml", []byte("server:\n  trusted_proxies: 10.0.0.0/8\n"))
	if len(problems) != 1 || problems[0].Line != 2 || !strings.Contains(problems[0].Message, "a list is expected") {
		t.Errorf("a network that is not in a list: %+v", problems)
	}
	problems = config.Lint("config.yml", []byte("server:\n  trusted_proxies:\n    - 10.0.0.0/8\n    - 10.0.0.1\n"))
	if len(problems) != 1 || problems[0].Line != 4 {
		t.Errorf("the second network of a file: %+v", problems)
	}
}
