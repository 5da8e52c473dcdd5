package issues

import (
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"fmt"
	"strings"

	"github.com/colony-app/colony/commands/wording"
)

// Anyone with write access can edit Colony's comments, and Colony reads some of its own words back from there. It signs those words: so it
// knows them without a call, on servers without GraphQL, and within the second in which it wrote them. The key comes from the App's private
// key, which all replicas have, because anyone who has that key can write as Colony anyway. A stolen webhook secret signs nothing.

// Signer signs what Colony's comments say for programs. The zero value signs nothing and accepts no signature.
type Signer struct{ key []byte }

// NewSigner returns a signer whose key is derived from the App's private key.
func NewSigner(private *rsa.PrivateKey) (Signer, error) {
	key, err := hkdf.Key(sha256.New, x509.MarshalPKCS1PrivateKey(private), nil, "what Colony's comments say for programs", sha256.Size)
	if err != nil {
		return Signer{}, fmt.Errorf("derive the key that signs comments: %w", err)
	}
	return Signer{key}, nil
}

// sign returns a comment with the signature for an issue or pull request. A comment that says nothing for programs needs none.
func (s Signer) sign(on Ref, comment string) string {
	if len(s.key) == 0 || len(wording.Hidden(comment)) == 0 {
		return comment
	}
	return wording.WithSignature(comment, base64.RawURLEncoding.EncodeToString(s.sum(on, comment)))
}

// signed reports whether a comment says for programs what Colony said there, and nothing else.
func (s Signer) signed(on Ref, comment string) bool {
	if len(s.key) == 0 {
		return false
	}
	sum, err := base64.RawURLEncoding.DecodeString(wording.Signature(comment))
	return err == nil && hmac.Equal(sum, s.sum(on, comment))
}

// sum is about the issue too, so that a copy on another issue or in another repository does not count. It names the repository as its
// addresses do, because its id is not known everywhere.
func (s Signer) sum(on Ref, comment string) []byte {
	mac := hmac.New(sha256.New, s.key)
	fmt.Fprintf(mac, "%s#%d\n%s", NameKey(on.Owner, on.Name), on.Number, strings.Join(wording.Hidden(comment), "\n"))
	return mac.Sum(nil)
}
