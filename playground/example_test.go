package playground_test

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"fmt"

	"github.com/colony-app/colony/playground"
)

// A test of an App gives it the address that Start returns.
func Example() {
	p := playground.New(playground.Options{}) // with a Clock, a test decides what time it is
	_, err := p.Start("127.0.0.1:0")          // or p.StartTLS("127.0.0.1:0", dir)
	check(err)
	defer func() { check(p.Close()) }()

	key, err := rsa.GenerateKey(rand.Reader, 2048)
	check(err)
	p.AddUser("alice")
	p.AddUser("bob")
	p.AddRepository("acme", "shop")
	check(p.RegisterApp(playground.App{ID: 7, Slug: "mine", PublicKey: &key.PublicKey, Permissions: map[string]string{"issues": "write"}}))
	p.Install(7, "acme")

	n, err := p.OpenPullRequest(playground.PullRequest{Owner: "acme", Name: "shop", By: "bob", Branch: "fix", Title: "Fix it"})
	check(err)
	check(p.MergePullRequest("acme", "shop", n, "alice"))
	check(p.Quiet(context.Background())) // every webhook has been answered
	fmt.Println(n, len(p.Calls()), len(p.Unimplemented()))
	// Output: 1 0 0
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
