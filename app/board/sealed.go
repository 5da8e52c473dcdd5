package board

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
)

// seal keeps what a browser holds for Colony: the browser can neither read nor change it. Every process that has the same secret opens it,
// and nothing is stored; another secret ends all sessions.
type seal struct{ aead cipher.AEAD }

// newSeal derives a key from a secret, for this one use of it.
func newSeal(secret string) (seal, error) {
	key, err := hkdf.Key(sha256.New, []byte(secret), nil, "colony: cookies of the board, 1", 32)
	if err != nil {
		return seal{}, fmt.Errorf("derive the key of the cookies: %w", err)
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return seal{}, fmt.Errorf("use the key of the cookies: %w", err)
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		return seal{}, fmt.Errorf("use the key of the cookies: %w", err)
	}
	return seal{aead}, nil
}

// close seals a value for a purpose.
func (s seal) close(purpose string, value any) (string, error) {
	text, err := json.Marshal(value)
	if err != nil {
		return "", fmt.Errorf("write a cookie: %w", err)
	}
	return base64.RawURLEncoding.EncodeToString(s.aead.Seal(nil, nil, text, []byte(purpose))), nil //nolint:gosec // the nonce is random, and in front of the text
}

// open opens what was sealed for the purpose, and reports whether it was.
func (s seal) open(purpose, sealed string, value any) bool {
	text, err := base64.RawURLEncoding.DecodeString(sealed)
	if err != nil {
		return false
	}
	text, err = s.aead.Open(nil, nil, text, []byte(purpose))
	return err == nil && json.Unmarshal(text, value) == nil
}
