// Package command is the command line of the playground. Two programs have it: "colony playground", and cmd/playground, which has
// nothing of Colony.
package command

import (
	"cmp"
	"context"
	"crypto/rsa"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/golang-jwt/jwt/v4"
	"github.com/rs/zerolog"

	"github.com/colony-app/colony/bounded"
	"github.com/colony-app/colony/playground"
	"github.com/colony-app/colony/playground/page"
)

const address UsualAddress = "127.0.0.1:7700"

// Flags are those of the command. Each program gives kong the variables in ${}.
type Flags struct {
	Address       string            `placeholder:"HOST:PORT" help:"Where the playground listens (default: 127.0.0.1:7700, or a free port if that is in use)."`
	Host          []string          `sep:"none" placeholder:"NAME" help:"A further name by which clients call it, and to which it may send webhooks that clients set up over HTTP; may be repeated."`
	TLSDir        string            `name:"tls-dir" placeholder:"DIR" help:"Listen over TLS too, and write the certificate to trust into this folder, as ca.pem."`
	TLSAddress    string            `name:"tls-address" placeholder:"HOST:PORT" help:"Where it listens over TLS, with --tls-dir (default: 127.0.0.1:7743)."`
	WebhookURL    string            `placeholder:"URL" help:"Where the App receives its webhooks. Without it, the App gets none until it sets the address over HTTP."`
	WebhookSecret string            `placeholder:"SECRET" help:"The secret that signs the webhooks; required with --webhook-url and --app-id (default: a new one)."`
	AppID         int64             `placeholder:"ID" help:"The App's id, with --private-key (default: a new App with a new key and secret)."`
	PrivateKey    string            `placeholder:"FILE" help:"The App's private key in PEM form; - reads it from standard input. The playground keeps only its public half."`
	Slug          string            `default:"${playground_slug}" placeholder:"SLUG" help:"The App's slug: it acts as SLUG[bot] (default: ${default})."`
	Permission    map[string]string `mapsep:"none" placeholder:"NAME=LEVEL" help:"What the App may do: read, write or admin; may be repeated. Without it, ${playground_permissions}."`
	Event         []string          `sep:"none" placeholder:"NAME" help:"A webhook event that the App subscribes to; may be repeated. Without it, ${playground_events}."`
	Install       []string          `sep:"none" placeholder:"ACCOUNT[/REPO]" help:"Where the App is installed: on all repositories of an account, or on one; may be repeated. Without it, on acme."`
	Empty         bool              `help:"Make no organization, people and repository, and install nothing."`
	List          bool              `help:"Print the operations, webhooks, controls and deviations from GitHub's description, then end."`
}

// About is what "--help" says about the command; program is how it is called.
func About(program string) string {
	return `Starts an embedded GitHub, for any GitHub App: REST API, App authentication and signed webhooks, with the organization acme, people, bots and the repository acme/widgets, where the App is installed. It keeps nothing.

It answers 501 to what it does not have. Under /playground/ you can do what GitHub cannot: hold, lose, double and reorder webhooks, make calls fail, and add people. With --empty you fill it in this way.

Anyone who reaches it can act as anyone. So it listens on this machine only, unless --address says otherwise, and there it answers only to localhost, loopback addresses and the names of --host: it refuses a web page that makes its own name lead here.

For example, with the App as a second program:

    ` + program + ` --webhook-url http://127.0.0.1:8080/api/github/hook

It makes an App, prints its id, the file of its key and its secret, and deletes the file when it ends. Or with an App of your own, for clients that speak TLS only:

    ` + program + ` --app-id 8 --private-key key.pem --slug helper --permission issues=write --event issues --install acme/widgets --tls-dir trust
`
}

// Guest is the App for which a program starts a playground, unless flags say otherwise, and what else is there.
type Guest struct {
	App   playground.App // its slug, name, permissions and events
	Owner string         // on which it is installed
	// Seed puts people, repositories and issues into the playground.
	Seed func(ctx context.Context, p *playground.Playground) error
	// Tell says who is there.
	Tell func(w io.Writer, p *playground.Playground)
	// Environment says how to run the App of the guest, with the file of its key if the playground made that; nil: nothing is said.
	Environment func(w io.Writer, url, madeKey string, f *Flags)
	Page        page.Options
	Log         zerolog.Logger
}

// UsageError is a command line that is wrong, or an address that is taken.
type UsageError string

func (e UsageError) Error() string { return string(e) }

// ExitCode is what kong exits with.
func (UsageError) ExitCode() int { return 2 }

// Serve runs a playground until ctx ends, and says on w what there is. With --list it only prints the list.
func (f *Flags) Serve(ctx context.Context, w io.Writer, g Guest) (err error) {
	if f.List {
		return writeList(w)
	}
	made, err := f.makeApp()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, made.remove()) }()
	app, err := f.app(g.App)
	if err != nil {
		return UsageError(err.Error())
	}
	p := playground.New(playground.Options{Hosts: f.Host, Log: g.Log})
	p.SetPage(page.New(p, g.Page))
	defer func() { err = errors.Join(err, p.Close()) }()
	at, err := f.listen(p)
	if err != nil {
		return err
	}
	if !f.Empty {
		if err := g.Seed(ctx, p); ctx.Err() != nil {
			return nil // being asked to end is no error
		} else if err != nil {
			return err
		}
	}
	if err := p.RegisterApp(app); err != nil {
		return UsageError(err.Error())
	}
	if err := f.install(p, g.Owner); err != nil {
		return UsageError(fmt.Sprintf("--install: %v", err))
	}
	if err := f.picture(w, at, p, g, made); err != nil {
		return err
	}
	<-ctx.Done()
	return nil
}

// addresses are where a playground listens.
type addresses struct {
	asked   string // the address that was asked for
	plain   string
	secured string // empty: not over TLS
}

func (f *Flags) listen(p *playground.Playground) (at addresses, err error) {
	if f.TLSAddress != "" && f.TLSDir == "" {
		return at, UsageError("--tls-address: --tls-dir has to say where the certificate goes")
	}
	if at.asked, err = address.Listen(f.Address, func(address string) (err error) {
		at.plain, err = p.Start(address)
		return err
	}); err != nil {
		return at, err
	}
	if f.TLSDir == "" {
		return at, nil
	}
	if at.secured, err = p.StartTLS(f.tlsAddress(), f.TLSDir); err != nil {
		return at, UsageError(fmt.Sprintf("--tls-dir, --tls-address: %v", err))
	}
	return at, nil
}

func (f *Flags) tlsAddress() string { return cmp.Or(f.TLSAddress, "127.0.0.1:7743") }

func (f *Flags) publicKey() (*rsa.PublicKey, error) {
	text, err := f.keyText()
	if _, tooLarge := errors.AsType[*bounded.TooLargeError](err); tooLarge {
		return nil, fmt.Errorf("--private-key: %w -> shorten it, or name another file", err)
	}
	if err != nil {
		return nil, fmt.Errorf("--private-key: %w", err)
	}
	key, err := jwt.ParseRSAPrivateKeyFromPEM(text)
	if err != nil {
		return nil, fmt.Errorf("--private-key: %s holds no RSA private key in PEM form", f.PrivateKey)
	}
	return &key.PublicKey, nil
}

// maxKey is the most that is read of a key, in bytes.
const maxKey = 1 << 16

// keyText reads the App's private key.
func (f *Flags) keyText() ([]byte, error) {
	if f.PrivateKey == "-" {
		return bounded.Read(os.Stdin, "standard input", maxKey)
	}
	return bounded.File(f.PrivateKey, maxKey)
}

func (f *Flags) picture(w io.Writer, at addresses, p *playground.Playground, g Guest, made madeApp) error {
	url := at.plain
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "The playground is a GitHub with the App %d on it:\n\n", f.AppID)
	fmt.Fprintf(t, "  page\t%s\n  REST API\t%s/api/v3\n  controls\t%s/playground/\n", url, url, url)
	if at.secured != "" {
		fmt.Fprintf(t, "  over TLS\t%s\n  to be trusted\t%s\n", at.secured, filepath.Join(f.TLSDir, playground.CAFile))
	}
	fmt.Fprintf(t, "  webhooks go to\t%s\n", cmp.Or(f.WebhookURL, "nowhere yet"))
	if made.file != "" {
		fmt.Fprintf(t, "\nThe playground made this App; its key goes when the playground ends:\n\n  id\t%d\n  private key\t%s\n  webhook secret\t%s\n", f.AppID, made.file, f.WebhookSecret)
	}
	if !f.Empty {
		g.Tell(t, p)
	}
	if g.Environment != nil && f.Slug == g.App.Slug {
		g.Environment(t, url, made.file, f)
	}
	address.PrintMoved(t, f.Address, at.asked)
	PrintReach(t, at.asked)
	if at.secured != "" {
		PrintReach(t, f.tlsAddress())
	}
	fmt.Fprintf(t, "\nCtrl-C ends it.\n")
	if err := t.Flush(); err != nil {
		return fmt.Errorf("print what there is: %w", err)
	}
	return nil
}

// PrintReach warns of an address that is not on this machine only.
func PrintReach(w io.Writer, address string) {
	if !IsLoopback(address) {
		fmt.Fprintf(w, "\nIt listens on %s: anyone who reaches that can act as anyone.\n", address)
	}
}

// IsLoopback reports whether only this machine reaches an address.
func IsLoopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	ip := net.ParseIP(host)
	return err == nil && (strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback())
}
