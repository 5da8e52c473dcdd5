package playground

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// deliveryRetention is how long GitHub keeps the log of deliveries and takes requests to redeliver
// (https://docs.github.com/en/webhooks/testing-and-troubleshooting-webhooks/redelivering-webhooks).
const deliveryRetention = 3 * 24 * time.Hour

// GET /app/hook/config
func getHookConfig(c *call) (any, error) {
	config := object{"content_type": "json", "insecure_ssl": "0", "url": c.actor.app.WebhookURL}
	if c.actor.app.WebhookSecret != "" {
		config["secret"] = "********"
	}
	return config, nil
}

// PATCH /app/hook/config
func updateHookConfig(c *call, in struct {
	URL         *string `json:"url"`
	Secret      *string `json:"secret"`
	ContentType *string `json:"content_type"`
},
) (any, error) {
	if in.ContentType != nil && *in.ContentType != "json" {
		return nil, refuse(http.StatusNotImplemented, "The playground sends webhooks as JSON only")
	}
	if in.URL != nil {
		if err := c.p.mayBeSentTo(*in.URL); err != nil {
			return nil, refuse(http.StatusUnprocessableEntity, err.Error())
		}
		c.actor.app.WebhookURL = *in.URL
	}
	if in.Secret != nil {
		c.actor.app.WebhookSecret = *in.Secret
	}
	return getHookConfig(c)
}

// loggedDeliveries are those of the App that were tried, and not too long ago, newest first.
func (c *call) loggedDeliveries() []*delivery {
	oldest := c.p.clock.Now().Add(-deliveryRetention)
	var logged []*delivery
	for _, d := range c.p.deliveries {
		if d.app == c.actor.app && d.done && d.deliveredAt.After(oldest) {
			logged = append(logged, d)
		}
	}
	slices.SortFunc(logged, func(a, b *delivery) int { return cmp.Compare(b.id, a.id) })
	return logged
}

// GET /app/hook/deliveries: newest first, paged by cursor.
func listHookDeliveries(c *call) (any, error) {
	logged := c.loggedDeliveries()
	switch outcome := c.query.Get("status"); outcome {
	case "":
	case "success", "failure":
		logged = slices.DeleteFunc(logged, func(d *delivery) bool { return (d.statusCode < 400) != (outcome == "success") })
	default:
		return nil, refuse(http.StatusBadRequest, "status has to be success or failure")
	}
	if text := c.query.Get("cursor"); text != "" {
		after, err := strconv.ParseInt(strings.TrimPrefix(text, "v1_"), 10, 64)
		if err != nil {
			return nil, refuse(http.StatusBadRequest, "The cursor is not valid")
		}
		logged = slices.DeleteFunc(logged, func(d *delivery) bool { return d.id >= after })
	}
	if size := perPage(c.query); len(logged) > size {
		logged = logged[:size]
		query := url.Values{}
		maps.Copy(query, c.query)
		query.Set("cursor", fmt.Sprintf("v1_%d", logged[size-1].id))
		c.header.Set("Link", fmt.Sprintf(`<%s?%s>; rel="next"`, c.self(), query.Encode()))
	}
	items := []object{}
	for _, d := range logged {
		items = append(items, deliveryItem(d))
	}
	return items, nil
}

func deliveryItem(d *delivery) object {
	item := object{
		"id": d.id, "guid": d.guid, "delivered_at": stamp(d.deliveredAt), "redelivery": d.redelivery,
		"duration": d.duration.Seconds(), "status": d.status, "status_code": d.statusCode, "event": d.event,
		"action": orNull(d.action), "installation_id": nil, "repository_id": nil, "throttled_at": nil,
	}
	if d.installationID != 0 {
		item["installation_id"] = d.installationID
	}
	if d.repositoryID != 0 {
		item["repository_id"] = d.repositoryID
	}
	return item
}

func (c *call) loggedDelivery() (*delivery, error) {
	for _, d := range c.loggedDeliveries() {
		if d.id == c.number("delivery_id") {
			return d, nil
		}
	}
	return nil, errNotFound
}

// GET /app/hook/deliveries/{delivery_id}
func getHookDelivery(c *call) (any, error) {
	d, err := c.loggedDelivery()
	if err != nil {
		return nil, err
	}
	item := deliveryItem(d)
	item["url"] = d.sentTo
	item["request"] = object{"headers": flatHeaders(d.requestHeader), "payload": json.RawMessage(d.payload)}
	item["response"] = object{"headers": flatHeaders(d.responseHeader), "payload": orNull(string(d.response))}
	return item, nil
}

func flatHeaders(h http.Header) object {
	flat := object{}
	for name := range h {
		flat[name] = h.Get(name)
	}
	return flat
}

// POST /app/hook/deliveries/{delivery_id}/attempts
func redeliverHook(c *call) (any, error) {
	d, err := c.loggedDelivery()
	if err != nil {
		return nil, err
	}
	c.p.redeliver(d)
	c.status = http.StatusAccepted
	return object{}, nil
}
