package cli

import (
	"cmp"
	"context"
	"crypto/rsa"
	"errors"
	"fmt"
	"io"
	"net"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/alecthomas/kong"
	"github.com/golang-jwt/jwt/v4"

	"github.com/colony-app/colony/demo"
	"github.com/colony-app/colony/playground"
	"github.com/colony-app/colony/playground/page"
)

const playgroundAddress usualAddress = "127.0.0.1:7700"

type playgroundCommand struct {
	Address       string            `placeholder:"HOST:PORT" help:"Where the playground listens (default: 127.0.0.1:7700, or a free port if that is in use)."`
	Host          []string          `sep:"none" placeholder:"NAME" help:"A further name by which clients call it, and to which it may send webhooks that clients set up over HTTP; may be repeated."`
	TLSDir        string            `name:"tls-dir" placeholder:"DIR" help:"Listen over TLS too, and write the certificate to trust into this folder, as ca.pem."`
	TLSAddress    string            `name:"tls-address" placeholder:"HOST:PORT" help:"Where it listens over TLS, with --tls-dir (default: 127.0.0.1:7743)."`
	WebhookURL    string            `placeholder:"URL" help:"Where the App receives its webhooks. Without it, the App gets none until it sets the address over HTTP."`
	WebhookSecret string            `placeholder:"SECRET" help:"The secret that signs the webhooks; required with --webhook-url and --app-id (default: a new one)."`
	AppID         int64             `placeholder:"ID" help:"The App's id, with --private-key (default: a new App with a new key and secret)."`
	PrivateKey    string            `placeholder:"FILE" help:"The App's private key in PEM form; - reads it from standard input. The playground keeps only its public half."`
	Slug          string            `default:"colony" placeholder:"SLUG" help:"The App's slug: it acts as SLUG[bot] (default: ${default})."`
	Permission    map[string]string `mapsep:"none" placeholder:"NAME=LEVEL" help:"What the App may do: read, write or admin; may be repeated. Without it, what Colony needs."`
	Event         []string          `sep:"none" placeholder:"NAME" help:"A webhook event that the App subscribes to; may be repeated. Without it, Colony's."`
	Install       []string          `sep:"none" placeholder:"ACCOUNT[/REPO]" help:"Where the App is installed: on all repositories of an account, or on one; may be repeated. Without it, on acme."`
	Empty         bool              `help:"Make no organization, people and repository, and install nothing."`
}

// Help is what "colony playground --help" says beside the flags.
func (playgroundCommand) Help() string {
	return `Starts an embedded GitHub, for any GitHub App: REST API, App authentication and signed webhooks, with the organization acme, people, bots and the repository acme/widgets, where the App is installed. It keeps nothing.

It answers 501 to what it does not have. Under /playground/ you can do what GitHub cannot: hold, lose, double and reorder webhooks, make calls fail, and add people. With --empty you fill it in this way.

Anyone who reaches it can act as anyone. So it listens on this machine only, unless --address says otherwise, and there it answers only to localhost, loopback addresses and the names of --host: it refuses a web page that makes its own name lead here.

For example, with Colony as a second program:

    colony playground --webhook-url http://127.0.0.1:8080/api/github/hook

It makes an App, prints its id, the file of its key and its secret, and deletes the file when it ends. Or with an App of your own, for clients that speak TLS only:

    colony playground --app-id 8 --private-key key.pem --slug helper --permission issues=write --event issues --install acme/widgets --tls-dir trust

` + exitsOf("playground")
}

// Run runs the playground until ctx ends.
func (c playgroundCommand) Run(ctx context.Context, k *kong.Kong) (err error) {
	made, err := makeApp(&c)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, made.remove()) }()
	app, err := c.app()
	if err != nil {
		return wrongUsage{err.Error()}
	}
	p := playground.New(playground.Options{Hosts: c.Host, Log: newConsole(k.Stderr)})
	p.SetPage(page.New(p, page.Options{ActAs: demo.Maintainer, Glyphs: glyphs(shipped()...)}))
	defer func() { err = errors.Join(err, p.Close()) }()
	addresses, err := c.listen(p)
	if err != nil {
		return err
	}
	if !c.Empty {
		if err := demo.Productions()[0].Seed(ctx, p); ctx.Err() != nil {
			return nil // being asked to end is no error
		} else if err != nil {
			return err
		}
	}
	if err := p.RegisterApp(app); err != nil {
		return wrongUsage{err.Error()}
	}
	if err := c.install(p); err != nil {
		return wrongUsage{fmt.Sprintf("--install: %v", err)}
	}
	if err := c.picture(k.Stdout, addresses, p, made); err != nil {
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

func (c playgroundCommand) listen(p *playground.Playground) (at addresses, err error) {
	if c.TLSAddress != "" && c.TLSDir == "" {
		return at, wrongUsage{"--tls-address: --tls-dir has to say where the certificate goes"}
	}
	if at.asked, err = playgroundAddress.listen(c.Address, func(address string) (err error) {
		at.plain, err = p.Start(address)
		return err
	}); err != nil {
		return at, takenAddress("--address", err)
	}
	if c.TLSDir == "" {
		return at, nil
	}
	if at.secured, err = p.StartTLS(c.tlsAddress(), c.TLSDir); err != nil {
		return at, wrongUsage{fmt.Sprintf("--tls-dir, --tls-address: %v", err)}
	}
	return at, nil
}

func (c playgroundCommand) tlsAddress() string { return cmp.Or(c.TLSAddress, "127.0.0.1:7743") }

func (c playgroundCommand) publicKey() (*rsa.PublicKey, error) {
	_, text, err := fileText(c.PrivateKey)
	if err != nil {
		return nil, notRead("--private-key", err)
	}
	key, err := jwt.ParseRSAPrivateKeyFromPEM(text)
	if err != nil {
		return nil, fmt.Errorf("--private-key: %s holds no RSA private key in PEM form", c.PrivateKey)
	}
	return &key.PublicKey, nil
}

func (c playgroundCommand) picture(w io.Writer, at addresses, p *playground.Playground, made madeApp) error {
	url := at.plain
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "The playground is a GitHub with the App %d on it:\n\n", c.AppID)
	fmt.Fprintf(t, "  page\t%s\n  REST API\t%s/api/v3\n  controls\t%s/playground/\n", url, url, url)
	if at.secured != "" {
		fmt.Fprintf(t, "  over TLS\t%s\n  to be trusted\t%s\n", at.secured, filepath.Join(c.TLSDir, playground.CAFile))
	}
	fmt.Fprintf(t, "  webhooks go to\t%s\n", cmp.Or(c.WebhookURL, "nowhere yet"))
	made.print(t, c)
	if !c.Empty {
		printPeople(t, p, demo.Productions()[0].People)
	}
	if c.Slug == "colony" {
		c.printEnvironment(t, url, made)
	}
	playgroundAddress.printMoved(t, c.Address, at.asked)
	printReach(t, at.asked)
	if at.secured != "" {
		printReach(t, c.tlsAddress())
	}
	fmt.Fprintf(t, "\nCtrl-C ends it.\n")
	if err := t.Flush(); err != nil {
		return fmt.Errorf("print what there is: %w", err)
	}
	return nil
}

// printEnvironment says how to run a Colony on this playground.
func (c playgroundCommand) printEnvironment(t io.Writer, url string, made madeApp) {
	fmt.Fprintf(t, "\nTo run Colony on it, set:\n\n  COLONY_GITHUB_WEB_URL=%s\n  COLONY_GITHUB_V3_API_URL=%s/api/v3/\n  COLONY_GITHUB_APP_INTEGRATION_ID=%d\n", url, url, c.AppID)
	if made.file == "" {
		fmt.Fprintf(t, "  COLONY_GITHUB_APP_WEBHOOK_SECRET and COLONY_GITHUB_APP_PRIVATE_KEY_FILE, as given here\n")
		return
	}
	fmt.Fprintf(t, "  COLONY_GITHUB_APP_WEBHOOK_SECRET=%s\n  COLONY_GITHUB_APP_PRIVATE_KEY_FILE=%s\n", c.WebhookSecret, made.file)
}

// printReach warns of an address that is not on this machine only.
func printReach(w io.Writer, address string) {
	if !isLoopback(address) {
		fmt.Fprintf(w, "\nIt listens on %s: anyone who reaches that can act as anyone.\n", address)
	}
}

func isLoopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	ip := net.ParseIP(host)
	return err == nil && (strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback())
}
