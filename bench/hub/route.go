package hub

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// route answers a call about issues. The caller holds the lock.
func (h *Hub) route(c call) answer {
	if len(c.path) == 0 {
		if c.method == http.MethodGet {
			return h.list(c)
		}
		return unknown(c)
	}
	if c.path[0] == "comments" {
		return h.routeComments(c)
	}
	n, err := strconv.Atoi(c.path[0])
	if err != nil {
		return unknown(c)
	}
	if n < 1 || n > len(h.issues) {
		return refusal(http.StatusNotFound, "Not Found")
	}
	i := h.issues[n-1]
	switch what := c.method + " " + strings.Join(c.path[1:min(2, len(c.path))], ""); what {
	case "GET ":
		var v values
		h.fill(&v, i)
		return answer{status: http.StatusOK, body: h.objects.issue.render(nil, &v)}
	case "GET events":
		return h.paged(c, len(i.events), func(n int, dst []byte) []byte { return h.renderEvent(dst, i.events[n]) })
	case "GET labels":
		return h.labelsOf(i)
	case "POST labels":
		return h.addLabels(c, i)
	case "DELETE labels":
		return h.removeLabel(c, i)
	case "GET comments":
		since, _ := time.Parse(time.RFC3339, c.query.Get("since")) // zero: all
		listed := slices.Clone(i.comments)
		listed = slices.DeleteFunc(listed, func(c comment) bool { return c.at.Before(since) })
		return h.paged(c, len(listed), func(n int, dst []byte) []byte { return h.renderComment(dst, i, listed[n]) })
	case "POST comments":
		return h.addComment(c, i)
	}
	return unknown(c)
}

// routeComments answers a call about comments of any issue.
func (h *Hub) routeComments(c call) answer {
	switch {
	case c.method == http.MethodGet && len(c.path) == 1:
		since, _ := time.Parse(time.RFC3339, c.query.Get("since"))
		var of []*issue
		var listed []comment
		for _, i := range h.issues {
			for _, each := range i.comments {
				if !each.at.Before(since) {
					of, listed = append(of, i), append(listed, each)
				}
			}
		}
		return h.paged(c, len(listed), func(n int, dst []byte) []byte { return h.renderComment(dst, of[n], listed[n]) })
	case len(c.path) == 3 && c.path[2] == "reactions":
		id, _ := strconv.ParseInt(c.path[1], 10, 64)
		i := h.commented[id]
		if i == nil {
			return refusal(http.StatusNotFound, "Not Found")
		}
		at := slices.IndexFunc(i.comments, func(c comment) bool { return c.id == id })
		return h.react(c, &i.comments[at])
	}
	return unknown(c)
}

func (h *Hub) react(c call, on *comment) answer {
	reaction := func(n int, dst []byte) []byte {
		return fmt.Appendf(dst, `{"id":%d,"node_id":"REA_%d","user":%s,"content":%q,"created_at":%q}`, on.id+int64(n), on.id, h.objects.people[Login], on.reactions[n], stamp(on.at))
	}
	switch c.method {
	case http.MethodGet:
		return h.paged(c, len(on.reactions), reaction)
	case http.MethodPost:
		var in struct {
			Content string `json:"content"`
		}
		if json.Unmarshal(c.body, &in) != nil || in.Content == "" {
			return refusal(http.StatusUnprocessableEntity, "Validation Failed")
		}
		if at := slices.Index(on.reactions, in.Content); at >= 0 {
			h.stats.Repeated++
			return answer{status: http.StatusOK, body: reaction(at, nil)}
		}
		on.reactions = append(on.reactions, in.Content)
		return answer{status: http.StatusCreated, body: reaction(len(on.reactions)-1, nil)}
	}
	return unknown(c)
}

func unknown(c call) answer {
	return refusal(http.StatusNotImplemented, fmt.Sprintf("The hub does not know %s of issues%s", c.method, strings.Join(append([]string{""}, c.path...), "/")))
}

func (h *Hub) renderEvent(dst []byte, e labelEvent) []byte {
	id := strconv.FormatInt(e.id, 10)
	v := values{rawID: id, title: id, event: e.kind(), body: escaped(e.label), rawUser: h.objects.people[e.by], created: stamp(e.at)}
	return h.objects.labelEvent.render(dst, &v)
}

func (h *Hub) renderComment(dst []byte, i *issue, c comment) []byte {
	var v values
	h.fillComment(&v, i, c)
	return h.objects.comment.render(dst, &v)
}

// paged is one page of a list of so many.
func (h *Hub) paged(c call, count int, render func(n int, dst []byte) []byte) answer {
	size, _ := strconv.Atoi(c.query.Get("per_page"))
	if size <= 0 || size > 100 {
		size = 30
	}
	page, _ := strconv.Atoi(c.query.Get("page"))
	page = max(page, 1)
	from, to := min((page-1)*size, count), min(page*size, count)
	text := []byte{'['}
	for n := from; n < to; n++ {
		if n > from {
			text = append(text, ',')
		}
		text = render(n, text)
	}
	a := answer{status: http.StatusOK, body: append(text, ']')}
	if to < count {
		a.link = h.link(c, page+1, (count+size-1)/size)
	}
	return a
}

func (h *Hub) link(c call, next, last int) string {
	at := h.URL + issuesPath + strings.Join(append([]string{""}, c.path...), "/")
	c.query.Set("page", strconv.Itoa(next))
	first := fmt.Sprintf(`<%s?%s>; rel="next"`, at, c.query.Encode())
	c.query.Set("page", strconv.Itoa(last))
	return first + fmt.Sprintf(`, <%s?%s>; rel="last"`, at, c.query.Encode())
}

// list lists issues as GET /repos/{owner}/{repo}/issues does.
func (h *Hub) list(c call) answer {
	since, _ := time.Parse(time.RFC3339, c.query.Get("since"))
	var listed []*issue
	for _, i := range h.issues {
		wanted := !i.updated.Before(since) && c.query.Get("state") != "closed"
		for label := range strings.SplitSeq(c.query.Get("labels"), ",") {
			wanted = wanted && (label == "" || slices.Contains(i.labels, label))
		}
		if wanted {
			listed = append(listed, i)
		}
	}
	if c.query.Get("sort") == "updated" {
		slices.SortStableFunc(listed, func(a, b *issue) int { return a.updated.Compare(b.updated) })
	}
	if c.query.Get("direction") != "asc" {
		slices.Reverse(listed)
	}
	return h.paged(c, len(listed), func(n int, dst []byte) []byte {
		var v values
		h.fill(&v, listed[n])
		return h.objects.issue.render(dst, &v)
	})
}

func (h *Hub) labelsOf(i *issue) answer {
	var v values
	h.fill(&v, i)
	return answer{status: http.StatusOK, body: []byte(v[rawLabels])}
}

func (h *Hub) addLabels(c call, i *issue) answer {
	var names []string
	var in struct {
		Labels []string `json:"labels"`
	}
	if json.Unmarshal(c.body, &names) != nil {
		if json.Unmarshal(c.body, &in) != nil {
			return refusal(http.StatusUnprocessableEntity, "Validation Failed")
		}
		names = in.Labels
	}
	for _, name := range names {
		if !h.change(i, name, true, Login) {
			h.stats.Repeated++
		}
	}
	return h.labelsOf(i)
}

func (h *Hub) removeLabel(c call, i *issue) answer {
	if len(c.path) != 3 {
		return unknown(c)
	}
	if !h.change(i, c.path[2], false, Login) {
		h.stats.Repeated++
		return refusal(http.StatusNotFound, "Label does not exist")
	}
	return h.labelsOf(i)
}

func (h *Hub) addComment(c call, i *issue) answer {
	var in struct {
		Body string `json:"body"`
	}
	if json.Unmarshal(c.body, &in) != nil || in.Body == "" {
		return refusal(http.StatusUnprocessableEntity, "Validation Failed")
	}
	said := h.say(i, in.Body, Login)
	return answer{status: http.StatusCreated, body: h.renderComment(nil, i, said)}
}
