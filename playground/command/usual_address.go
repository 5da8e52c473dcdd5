package command

import (
	"errors"
	"fmt"
	"io"
	"net"
)

// UsualAddress is where a command listens unless a flag names another place.
type UsualAddress string

// Listen listens at the named address. Without one it listens at the usual address, or on a free port if another program uses that. It
// returns the address that it asked for. An error for an address in use names the flag and the fix.
func (u UsualAddress) Listen(named string, at func(address string) error) (address string, err error) {
	if named != "" {
		return named, taken(at(named))
	}
	err = at(string(u))
	if !isTaken(err) {
		return string(u), err
	}
	host, _, _ := net.SplitHostPort(string(u)) // ours
	address = net.JoinHostPort(host, "0")
	return address, taken(at(address))
}

// PrintMoved says why the command left its usual address; nothing if it did not.
func (u UsualAddress) PrintMoved(w io.Writer, named, address string) {
	if named == "" && address != string(u) {
		fmt.Fprintf(w, "\nAnother program listens at %s, so this one chose a free port. --address names one.\n", u)
	}
}

// isTaken reports whether listening failed.
func isTaken(err error) bool {
	listen := (*net.OpError)(nil)
	return errors.As(err, &listen) && listen.Op == "listen"
}

func taken(err error) error {
	if !isTaken(err) {
		return err
	}
	return UsageError(fmt.Sprintf("--address: %v; name another address, such as 127.0.0.1:0 for a free port", err))
}
