package handlers

// routePing routes "ping", which GitHub sends when a webhook is set up
// (https://docs.github.com/webhooks/webhook-events-and-payloads#ping).
func (publisher) routePing(envelope) routing { return ignore(onlyPing) }
