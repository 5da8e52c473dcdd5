package cli

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// madeAppID is the id of the App that the playground makes.
const madeAppID = 1

// madeApp is an App that the playground makes because no flag names one. Its zero value says that a flag does.
type madeApp struct {
	folder string // of the key; removed in the end
	file   string // its private key
}

// makeApp gives the command an App of its own, with a new key and a new secret, unless flags name one.
func makeApp(c *playgroundCommand) (made madeApp, err error) {
	switch {
	case c.AppID != 0 && c.PrivateKey != "":
		return made, nil
	case c.AppID != 0:
		return made, wrongUsage{"--app-id: --private-key has to name the App's key; without both, the playground makes an App"}
	case c.PrivateKey != "":
		return made, wrongUsage{"--private-key: --app-id has to name the App's id; without both, the playground makes an App"}
	}
	if made.folder, err = os.MkdirTemp("", "colony-playground-"); err != nil {
		return made, fmt.Errorf("make a folder for the App's key: %w", err)
	}
	made.file = filepath.Join(made.folder, "key.pem")
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		return made, fmt.Errorf("make the App's key: %w", err)
	}
	text := pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)})
	if err := os.WriteFile(made.file, text, 0o600); err != nil {
		return made, fmt.Errorf("write the App's key: %w", err)
	}
	c.AppID, c.PrivateKey = madeAppID, made.file
	if c.WebhookSecret == "" {
		c.WebhookSecret = rand.Text()
	}
	return made, nil
}

func (m madeApp) remove() error {
	if m.folder == "" {
		return nil
	}
	if err := os.RemoveAll(m.folder); err != nil {
		return fmt.Errorf("remove the App's key: %w", err)
	}
	return nil
}

// print shows what a client needs to act as the App.
func (m madeApp) print(w io.Writer, c playgroundCommand) {
	if m.file != "" {
		fmt.Fprintf(w, "\nThe playground made this App; its key goes when the playground ends:\n\n  id\t%d\n  private key\t%s\n  webhook secret\t%s\n", c.AppID, m.file, c.WebhookSecret)
	}
}
