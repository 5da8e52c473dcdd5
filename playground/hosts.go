package playground

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// OnlyHosts protects what listens on this machine only: it answers requests whose Host header is localhost, a loopback address or
// one of the names, and refuses all others with 421. A web page can make its own name lead to this machine (DNS rebinding), and
// would then count as of the same origin as what it reaches here; but its requests still carry that name.
func OnlyHosts(next http.Handler, names ...string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if host := calledHost(r.Host); onThisMachine(host) || isNamed(host, names) {
			next.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.WriteHeader(http.StatusMisdirectedRequest)
		_, _ = io.WriteString(w, "This listens on this machine only, and answers to localhost and loopback addresses. "+
			"To reach it by another name, start it with --host NAME.\n") // the client might be gone
	})
}

// calledHost is a Host header without its port and the brackets of an IPv6 address.
func calledHost(header string) string {
	if host, _, err := net.SplitHostPort(header); err == nil {
		return host
	}
	return strings.TrimSuffix(strings.TrimPrefix(header, "["), "]")
}

// onThisMachine is whether a host can mean nothing else, no matter what DNS says.
func onThisMachine(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}

func isNamed(host string, names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return name != "" && strings.EqualFold(name, host) })
}

// guarded protects a listener, unless others than this machine are meant to reach it.
func (p *Playground) guarded(next http.Handler, address string, at net.Addr) http.Handler {
	tcp, ok := at.(*net.TCPAddr)
	if !ok || !tcp.IP.IsLoopback() {
		if len(p.hosts) > 0 {
			return OnlyHosts(next, append([]string{calledHost(address), calledHost(at.String())}, p.hosts...)...)
		}
		p.exposed.Store(true)
		return next
	}
	return OnlyHosts(next, append([]string{calledHost(address)}, p.hosts...)...)
}

// errWebhookAbroad refuses a webhook URL.
var errWebhookAbroad = errors.New("the playground listens on this machine only, and so sends webhooks whose URL it learns over HTTP to " +
	"this machine only; name other hosts when you start it")

// mayBeSentTo checks a webhook URL that came over the wire: who can use a playground on this machine must not use it to reach what else this machine
// reaches. A name is refused even if it leads here now, as it can lead elsewhere at the next webhook.
func (p *Playground) mayBeSentTo(address string) error {
	if address == "" || p.exposed.Load() {
		return nil
	}
	u, err := url.Parse(address)
	if err != nil {
		return fmt.Errorf("the webhook URL: %w", err)
	}
	if host := u.Hostname(); !onThisMachine(host) && !isNamed(host, p.hosts) {
		return errWebhookAbroad
	}
	return nil
}
