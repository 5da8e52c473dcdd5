package access

import (
	"context"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

type addressKey struct{}

// WithAddresses lets a handler know the address of each caller. Proxies are the networks whose X-Forwarded-For counts. Colony reads that header
// from the right and passes trusted proxies, because a caller can write everything to the left of them.
func WithAddresses(proxies []netip.Prefix, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(w, r.WithContext(From(r.Context(), callerOf(r, proxies))))
	})
}

// From returns a context of a caller at an address.
func From(ctx context.Context, address netip.Addr) context.Context {
	return context.WithValue(ctx, addressKey{}, networkOf(address))
}

// addressOf returns the network of the caller; zero for a context without one.
func addressOf(ctx context.Context) netip.Prefix {
	network, _ := ctx.Value(addressKey{}).(netip.Prefix)
	return network
}

// callerOf returns the address of a request's caller; the proxy's own if the header holds no address where the caller's should be.
func callerOf(r *http.Request, proxies []netip.Prefix) netip.Addr {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return netip.Addr{}
	}
	caller := peer.Addr().Unmap()
	trusted := func() bool {
		return slices.ContainsFunc(proxies, func(network netip.Prefix) bool { return network.Contains(caller) })
	}
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for i := len(hops) - 1; i >= 0 && trusted(); i-- {
		hop, err := addressIn(hops[i])
		if err != nil {
			break
		}
		caller = hop
	}
	return caller
}

// addressIn reads one entry of X-Forwarded-For; some proxies add the port.
func addressIn(entry string) (netip.Addr, error) {
	entry = strings.TrimSpace(entry)
	if withPort, err := netip.ParseAddrPort(entry); err == nil {
		return withPort.Addr().Unmap(), nil
	}
	address, err := netip.ParseAddr(entry)
	return address.Unmap(), err
}

// networkOf returns what one caller usually has: one IPv4 address, or the 64 bits of an IPv6 network.
func networkOf(address netip.Addr) netip.Prefix {
	bits := address.BitLen()
	if address.Is6() {
		bits = 64
	}
	network, _ := address.WithZone("").Prefix(bits) // fails for the zero address only, which has the zero network
	return network
}
