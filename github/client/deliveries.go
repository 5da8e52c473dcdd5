package client

import "github.com/google/go-github/v62/github"

// Delivered reports whether a delivery of a webhook was answered with success.
func Delivered(delivery *github.HookDelivery) bool {
	return delivery.GetStatusCode() >= 200 && delivery.GetStatusCode() < 300
}
