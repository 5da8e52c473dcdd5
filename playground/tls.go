package playground

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"
)

// CAFile is the name of the certificate that StartTLS writes.
const CAFile = "ca.pem"

// StartTLS is Start over TLS, for clients that speak nothing else, such as gh. It makes a certificate authority of its
// own and writes its certificate into dir as CAFile: what a client has to trust (SSL_CERT_FILE, NODE_EXTRA_CA_CERTS). The
// keys stay in memory. The certificate is good for a year, for localhost, the loopback addresses and the host of address.
func (p *Playground) StartTLS(address, dir string) (baseURL string, err error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return "", fmt.Errorf("start the playground on %s: %w", address, err)
	}
	authority, leaf, err := certificates(host, p.authClock.Now())
	if err != nil {
		return "", fmt.Errorf("start the playground on %s: make certificates: %w", address, err)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", fmt.Errorf("start the playground on %s: keep the certificate: %w", address, err)
	}
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: authority})
	if err := os.WriteFile(filepath.Join(dir, CAFile), text, 0o600); err != nil {
		return "", fmt.Errorf("start the playground on %s: keep the certificate: %w", address, err)
	}
	return p.listen(address, &tls.Config{Certificates: []tls.Certificate{leaf}, MinVersion: tls.VersionTLS12})
}

const (
	certificateLife = 365 * 24 * time.Hour
	// certificateDrift lets clients in whose clocks are behind.
	certificateDrift = time.Hour
)

// certificates makes an authority, in DER, and a server's certificate signed by it, with its key.
func certificates(host string, now time.Time) (authority []byte, leaf tls.Certificate, err error) {
	authorityKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, leaf, fmt.Errorf("make the authority's key: %w", err)
	}
	parent := &x509.Certificate{
		SerialNumber: big.NewInt(now.UnixNano()), Subject: pkix.Name{CommonName: "Playground authority"},
		NotBefore: now.Add(-certificateDrift), NotAfter: now.Add(certificateLife),
		KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageCRLSign, BasicConstraintsValid: true, IsCA: true, MaxPathLenZero: true,
	}
	if authority, err = x509.CreateCertificate(rand.Reader, parent, parent, &authorityKey.PublicKey, authorityKey); err != nil {
		return nil, leaf, fmt.Errorf("make the authority's certificate: %w", err)
	}
	if parent, err = x509.ParseCertificate(authority); err != nil {
		return nil, leaf, fmt.Errorf("read the authority's certificate: %w", err)
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, leaf, fmt.Errorf("make the server's key: %w", err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(now.UnixNano() + 1), Subject: pkix.Name{CommonName: "Playground"},
		NotBefore: parent.NotBefore, NotAfter: parent.NotAfter, KeyUsage: x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		DNSNames:    []string{"localhost"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback},
	}
	if ip := net.ParseIP(host); ip != nil {
		template.IPAddresses = append(template.IPAddresses, ip)
	} else if host != "" {
		template.DNSNames = append(template.DNSNames, host)
	}
	signed, err := x509.CreateCertificate(rand.Reader, template, parent, &key.PublicKey, authorityKey)
	if err != nil {
		return nil, leaf, fmt.Errorf("make the server's certificate: %w", err)
	}
	return authority, tls.Certificate{Certificate: [][]byte{signed, authority}, PrivateKey: key}, nil
}
