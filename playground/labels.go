package playground

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Bounds of labels (https://docs.github.com/en/rest/issues/labels).
const (
	maxLabelName        = 50
	maxLabelDescription = 100
	maxIssueLabels      = 100
	greyLabel           = "ededed"
)

var labelColor = regexp.MustCompile(`^[0-9a-fA-F]{6}$`)

// labelNames are the label names of a request: ["a"], [{"name": "a"}] or {"labels": either}.
type labelNames []string

// UnmarshalJSON reads any of the forms.
func (n *labelNames) UnmarshalJSON(data []byte) error {
	data = bytes.TrimSpace(data)
	*n = labelNames{}
	switch {
	case bytes.Equal(data, []byte("null")):
		return nil
	case bytes.HasPrefix(data, []byte("{")):
		var in struct {
			Labels json.RawMessage `json:"labels"`
		}
		if err := json.Unmarshal(data, &in); err != nil || in.Labels == nil {
			return missing("labels")
		}
		if bytes.HasPrefix(bytes.TrimSpace(in.Labels), []byte("{")) {
			return refuse(http.StatusUnprocessableEntity, "Invalid request.\n\nFor 'properties/labels', object is not an array.")
		}
		return n.UnmarshalJSON(in.Labels)
	}
	var items []json.RawMessage
	if err := json.Unmarshal(data, &items); err != nil {
		return refuse(http.StatusUnprocessableEntity, fmt.Sprintf("Invalid request.\n\nFor 'links/0/schema', %s is not an array.", data))
	}
	for _, item := range items {
		var name string
		var named struct {
			Name *string `json:"name"`
		}
		if json.Unmarshal(item, &name) != nil {
			if json.Unmarshal(item, &named) != nil || named.Name == nil {
				return refuse(http.StatusUnprocessableEntity, fmt.Sprintf("Invalid request.\n\nFor 'items', %s is not a string.", item))
			}
			name = *named.Name
		}
		*n = append(*n, name)
	}
	return nil
}

// labelsBody reads the labels of POST and PUT .../issues/{issue_number}/labels.
func (c *call) labelsBody() (labelNames, error) {
	if !json.Valid(c.body) {
		return nil, refuse(http.StatusBadRequest, "Problems parsing JSON")
	}
	var one string
	if json.Unmarshal(c.body, &one) == nil { // alone, a name is taken as well
		return labelNames{one}, nil
	}
	var names labelNames
	if err := mistyped(names.UnmarshalJSON(c.body)); err != nil {
		return nil, err
	}
	return names, nil
}

// findLabels resolves names to labels of the repository, each once. Labels that do not exist are made, grey and without a description; that needs the
// right to create labels.
func (c *call) findLabels(names labelNames) ([]*label, error) {
	var found []*label
	for _, name := range names {
		if badLabelName(name) != nil { // in other words than where a label is made alone
			wrong := invalid("Label", "name", "invalid", "")
			wrong.details[0]["value"] = name
			return nil, wrong
		}
		if c.repo.label(name) == nil && !c.allowed(roleWrite) {
			return nil, &refusal{status: http.StatusForbidden, message: "You do not have permission to create labels on this repository.", details: []object{{
				"resource": "Repository", "field": "label", "code": "unauthorized",
			}}}
		}
	}
	for _, name := range names {
		l := c.repo.label(name)
		if l == nil {
			l = c.p.createLabel(c.actor, c.repo, name, greyLabel, nil)
		}
		if !slices.Contains(found, l) {
			found = append(found, l)
		}
	}
	return found, nil
}

// badLabelName is what is wrong with the name of a label, or nil.
func badLabelName(name string) *refusal {
	switch {
	case strings.TrimSpace(name) == "":
		return invalid("Label", "name", "missing_field", "")
	case utf8.RuneCountInString(strings.TrimSpace(name)) > maxLabelName:
		return invalid("Label", "name", "custom", fmt.Sprintf("name is too long (maximum is %d characters)", maxLabelName))
	}
	return nil
}

func (p *Playground) createLabel(by actor, r *repository, name, color string, description *string) *label {
	l := &label{id: p.nextID(), name: strings.TrimSpace(name), color: color, description: description}
	r.labels = append(r.labels, l)
	p.emit("label", "created", by, r, object{"label": labelPayload(p, r, l)})
	return l
}

// addLabel puts a label on an issue: nothing if it is there.
func (p *Playground) addLabel(by actor, i *issue, l *label) {
	if i.has(l) {
		return
	}
	p.keepShown(i)
	i.labels = append(i.labels, l)
	p.labelChanged(by, i, l, "labeled")
}

// removeLabel takes a label off an issue: nothing if it is not there.
func (p *Playground) removeLabel(by actor, i *issue, l *label) {
	if !i.has(l) {
		return
	}
	p.keepShown(i)
	i.labels = slices.DeleteFunc(i.labels, func(other *label) bool { return other == l })
	p.labelChanged(by, i, l, "unlabeled")
}

// keepShown keeps what reads go on to show before the labels of an issue change.
func (p *Playground) keepShown(i *issue) {
	now := p.clock.Now()
	i.shown = slices.DeleteFunc(i.shown, func(before shownLabels) bool { return !before.until.After(now) })
	if p.labelLag > 0 {
		i.shown = append(i.shown, shownLabels{slices.Clone(i.labels), now.Add(p.labelLag)})
	}
}

// visibleLabels are the labels that reads show now: former labels can stay a while (Playground.LagLabels).
func (p *Playground) visibleLabels(i *issue) []*label {
	now := p.clock.Now()
	for _, before := range i.shown {
		if before.until.After(now) {
			return before.labels
		}
	}
	return i.labels
}

func (p *Playground) labelChanged(by actor, i *issue, l *label, what string) {
	e := p.addEvent(i, by, what)
	e.label = object{"name": l.name, "color": l.color}
	e.visible = p.clock.Now().Add(p.eventLag)
	p.emitIssue(what, by, i, object{"label": labelPayload(p, i.repo, l)})
}

// SwapLabelsAddingFirst chooses the order of events where one call both adds and removes labels (GitHub guarantees none): removals first unless set
// otherwise.
func (p *Playground) SwapLabelsAddingFirst(addingFirst bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.addingFirst = addingFirst
}

// setLabels makes the labels of an issue equal to wanted.
func (p *Playground) setLabels(by actor, i *issue, wanted []*label) {
	add := func() {
		for _, l := range wanted {
			p.addLabel(by, i, l)
		}
	}
	if p.addingFirst {
		add()
	}
	for _, l := range slices.Clone(i.labels) {
		if !slices.Contains(wanted, l) {
			p.removeLabel(by, i, l)
		}
	}
	add()
}

// deleteLabel deletes a label from the repository. GitHub takes it off every issue and sends issues.unlabeled
// without the label for each; the issues' logs keep no trace of it.
func (p *Playground) deleteLabel(by actor, r *repository, l *label) {
	r.labels = slices.DeleteFunc(r.labels, func(other *label) bool { return other == l })
	p.emit("label", "deleted", by, r, object{"label": labelPayload(p, r, l)})
	for _, i := range r.issues {
		if i.has(l) {
			p.keepShown(i)
			i.labels = slices.DeleteFunc(i.labels, func(other *label) bool { return other == l })
			p.emitIssue("unlabeled", by, i, nil)
		}
	}
}

// GET /repos/{owner}/{repo}/issues/{issue_number}/labels
func listIssueLabels(c *call) (any, error) {
	return c.p.labelPayloads(c.repo, page(c, c.p.visibleLabels(c.issue))), nil
}

// POST /repos/{owner}/{repo}/issues/{issue_number}/labels
func addIssueLabels(c *call) (any, error) {
	names, err := c.labelsBody()
	if err != nil {
		return nil, err
	}
	labels, err := c.findLabels(names)
	if err != nil {
		return nil, err
	}
	if len(names) == 0 { // described as at least one; only PUT is documented to take none
		return nil, refuse(http.StatusUnprocessableEntity, "Invalid request.\n\nFor 'properties/labels', [] is too short.")
	}
	isThere := func(l *label) bool { return c.issue.has(l) }
	if len(c.issue.labels)+len(slices.DeleteFunc(slices.Clone(labels), isThere)) > maxIssueLabels {
		return nil, invalid("Issue", "labels", "custom", fmt.Sprintf("Issue cannot have more than %d labels", maxIssueLabels))
	}
	for _, l := range labels {
		c.p.addLabel(c.actor, c.issue, l)
	}
	return c.p.labelPayloads(c.repo, c.issue.labels), nil
}

// PUT /repos/{owner}/{repo}/issues/{issue_number}/labels
func setIssueLabels(c *call) (any, error) {
	names, err := c.labelsBody()
	if err != nil {
		return nil, err
	}
	labels, err := c.findLabels(names)
	if err != nil {
		return nil, err
	}
	c.p.setLabels(c.actor, c.issue, labels)
	return c.p.labelPayloads(c.repo, c.issue.labels), nil
}

// DELETE /repos/{owner}/{repo}/issues/{issue_number}/labels
func removeIssueLabels(c *call) (any, error) {
	c.p.setLabels(c.actor, c.issue, nil)
	return nil, nil
}

// DELETE /repos/{owner}/{repo}/issues/{issue_number}/labels/{name}
func removeIssueLabel(c *call) (any, error) {
	l := c.repo.label(c.vars["name"])
	if l == nil || !c.issue.has(l) {
		return nil, refuse(http.StatusNotFound, "Label does not exist")
	}
	c.p.removeLabel(c.actor, c.issue, l)
	return c.p.labelPayloads(c.repo, c.issue.labels), nil
}

// GET /repos/{owner}/{repo}/labels
func listLabels(c *call) (any, error) {
	sorted := slices.Clone(c.repo.labels)
	slices.SortStableFunc(sorted, func(a, b *label) int { return strings.Compare(strings.ToLower(a.name), strings.ToLower(b.name)) })
	return c.p.labelPayloads(c.repo, page(c, sorted)), nil
}

// GET /repos/{owner}/{repo}/labels/{name}
func getLabel(c *call) (any, error) {
	l := c.repo.label(c.vars["name"])
	if l == nil {
		return nil, errNotFound
	}
	return labelPayload(c.p, c.repo, l), nil
}

type labelBody struct {
	Name        *string `json:"name"`
	NewName     *string `json:"new_name"`
	Color       *string `json:"color"`
	Description *string `json:"description"`
}

func (b labelBody) check() error {
	if b.Color != nil && !labelColor.MatchString(*b.Color) {
		return invalid("Label", "color", "invalid", "")
	}
	if b.Description != nil && utf8.RuneCountInString(*b.Description) > maxLabelDescription {
		return invalid("Label", "description", "custom", fmt.Sprintf("description is too long (maximum is %d characters)", maxLabelDescription))
	}
	return nil
}

// POST /repos/{owner}/{repo}/labels
func createLabel(c *call, in labelBody) (any, error) {
	if in.Name == nil {
		return nil, missing("name")
	}
	if wrong := badLabelName(*in.Name); wrong != nil {
		return nil, wrong
	}
	if err := in.check(); err != nil {
		return nil, err
	}
	if c.repo.label(*in.Name) != nil {
		return nil, invalid("Label", "name", "already_exists", "")
	}
	color := greyLabel
	if in.Color != nil {
		color = *in.Color
	}
	l := c.p.createLabel(c.actor, c.repo, *in.Name, color, in.Description)
	payload := labelPayload(c.p, c.repo, l)
	c.header.Set("Location", payload["url"].(string))
	return payload, nil
}

// PATCH /repos/{owner}/{repo}/labels/{name}
func updateLabel(c *call) (any, error) {
	l := c.repo.label(c.vars["name"])
	if l == nil {
		return nil, errNotFound
	}
	var in labelBody
	if err := c.decode(&in); err != nil {
		return nil, err
	}
	if in.NewName == nil {
		in.NewName = in.Name // the older name of the field, which GitHub still reads
	}
	if err := in.check(); err != nil {
		return nil, err
	}
	changes := object{}
	if in.NewName != nil && *in.NewName != l.name {
		if wrong := badLabelName(*in.NewName); wrong != nil {
			return nil, wrong
		}
		if other := c.repo.label(*in.NewName); other != nil && other != l {
			return nil, invalid("Label", "name", "already_exists", "")
		}
		changes["name"] = object{"from": l.name}
		l.name = strings.TrimSpace(*in.NewName)
	}
	if in.Color != nil && *in.Color != l.color {
		changes["color"] = object{"from": l.color}
		l.color = *in.Color
	}
	if in.Description != nil && (l.description == nil || *l.description != *in.Description) {
		from := ""
		if l.description != nil {
			from = *l.description
		}
		changes["description"] = object{"from": from}
		l.description = in.Description
	}
	payload := labelPayload(c.p, c.repo, l)
	if len(changes) > 0 {
		c.p.emit("label", "edited", c.actor, c.repo, object{"label": payload, "changes": changes})
	}
	return payload, nil
}

// DELETE /repos/{owner}/{repo}/labels/{name}
func deleteLabel(c *call) (any, error) {
	l := c.repo.label(c.vars["name"])
	if l == nil {
		return nil, errNotFound
	}
	c.p.deleteLabel(c.actor, c.repo, l)
	return nil, nil
}
