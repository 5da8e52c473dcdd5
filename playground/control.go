package playground

import (
	"bytes"
	"context"
	"crypto/rsa"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Control is one operation of the control API: the methods of Playground, for those who are not in this process. The request's body is JSON with
// exactly these fields; answers are JSON; a mistake is answered 400 with {"message": …}. No one has to sign in: a playground is not for the open net.
// What a browser sends for a page of another origin is refused with 403.
type Control struct {
	Method  string
	Pattern string
	Does    string   // what it does, for the documentation; a result is named in braces
	Fields  []string // of the body: the parameters of the method, in their order
	run     reflect.Value
}

// control makes a row for a method of Playground. A parameter of another type than those of JSON is read by argument.
func control(method, pattern string, run any, does string, fields ...string) Control {
	return Control{method, "/playground" + pattern, does, fields, reflect.ValueOf(run)}
}

// Controls lists the control API.
func Controls() []Control { return slices.Clone(controls) }

var controls = []Control{
	control(post, "/users", (*Playground).AddUser, "AddUser", "login"),
	control(remove, "/users", (*Playground).DeleteUser, "DeleteUser: the user becomes a ghost", "login"),
	control(post, "/organizations", (*Playground).AddOrganization, "AddOrganization", "login"),
	control(post, "/bots", (*Playground).AddBot, "AddBot: login is the App's slug", "login"),
	control(post, "/tokens", (*Playground).Token, "Token: {token} that acts as the login", "login"),
	control(post, "/repositories", (*Playground).AddRepository, "AddRepository: {id}", "owner", "name"),
	control(remove, "/repositories", (*Playground).DeleteRepository, "DeleteRepository", "owner", "name"),
	control(post, "/repositories/rename", (*Playground).RenameRepository, "RenameRepository", "owner", "name", "to"),
	control(post, "/repositories/private", (*Playground).SetPrivate, "SetPrivate", "owner", "name", "private"),
	control(put, "/files", (*Playground).SetFile, "SetFile on the default branch", "owner", "name", "path", "content"),
	control(put, "/permissions", (*Playground).SetPermission, "SetPermission: role is none, read, triage, write, maintain or admin", "owner", "name", "login", "role"),
	control(post, "/teams", (*Playground).AddTeam, "AddTeam of an organization, with members", "organization", "name", "members"),
	control(remove, "/teams", (*Playground).DeleteTeam, "DeleteTeam: team is its slug", "organization", "team"),
	control(post, "/teams/rename", (*Playground).RenameTeam, "RenameTeam: to is the new name, of which GitHub makes a new slug", "organization", "team", "to"),
	control(post, "/teams/nest", (*Playground).NestTeam, "NestTeam: parent is the slug of the team above", "organization", "team", "parent"),
	control(put, "/teams/members", (*Playground).AddTeamMember, "AddTeamMember: pending is one who has not accepted yet", "organization", "team", "login", "pending"),
	control(remove, "/teams/members", (*Playground).RemoveTeamMember, "RemoveTeamMember", "organization", "team", "login"),
	control(post, "/apps", (*Playground).registerAppFrom, "RegisterApp: public_key is PEM (PKIX or PKCS#1)", "id", "slug", "name", "public_key", "webhook_url", "webhook_secret", "permissions", "events"),
	control(put, "/apps/webhook-url", (*Playground).setWebhookURL, "SetWebhookURL", "app_id", "url"),
	control(post, "/installations", (*Playground).Install, "Install: {id}; no repositories means all", "app_id", "account", "repositories"),
	control(remove, "/installations", (*Playground).Uninstall, "Uninstall", "id"),
	control(post, "/installations/repositories", (*Playground).AddToInstallation, "AddToInstallation", "id", "repositories"),
	control(remove, "/installations/repositories", (*Playground).RemoveFromInstallation, "RemoveFromInstallation", "id", "repositories"),
	control(put, "/installations/permissions", (*Playground).SetInstallationPermissions, "SetInstallationPermissions", "id", "permissions"),
	control(post, "/installations/suspend", (*Playground).Suspend, "Suspend", "id"),
	control(post, "/installations/unsuspend", (*Playground).Unsuspend, "Unsuspend", "id"),
	control(post, "/issues/form", (*Playground).OpenWithForm, "OpenWithForm: {number} of an issue with the labels of a form, even if a reader opens it", "owner", "name", "title", "body", "labels", "by"),
	control(post, "/issues/transfer", (*Playground).TransferIssue, "TransferIssue: {number} in the new repository", "owner", "name", "number", "to", "by"),
	control(put, "/issues/milestone", (*Playground).SetMilestone, "SetMilestone: the title of one, or nothing", "owner", "name", "number", "milestone", "by"),
	control(put, "/issues/type", (*Playground).SetIssueType, "SetIssueType: the name of one, or nothing", "owner", "name", "number", "type", "by"),
	control(post, "/issues/delete", (*Playground).DeleteIssue, "DeleteIssue", "owner", "name", "number", "by"),
	control(post, "/issues/convert-to-discussion", (*Playground).ConvertToDiscussion, "ConvertToDiscussion", "owner", "name", "number", "by"),
	control(put, "/pulls/draft", (*Playground).SetDraft, "SetDraft: a draft, or ready for review", "owner", "name", "number", "draft", "by"),
	control(put, "/pulls/link", (*Playground).LinkPullRequest, "LinkPullRequest: number is the issue's, pull the pull request's; it is of the repository pull_name, or the same", "owner", "name", "number", "pull_name", "pull", "linked", "by"),
	control(put, "/checks", (*Playground).SetCheck, "SetCheck: {id}; app is the slug, no conclusion means in progress", "owner", "name", "ref", "app", "check", "conclusion"),
	control(post, "/pulls/conflict", (*Playground).MakeConflict, "MakeConflict with the base branch", "owner", "name", "number", "by"),
	control(put, "/lacks", (*Playground).Lack, "Lack: features are those that this GitHub does not have, of issue-dependencies, sub-issues and graphql", "features"),
	control(post, "/deliveries/hold", (*Playground).HoldDeliveries, "HoldDeliveries"),
	control(post, "/deliveries/release", (*Playground).ReleaseDeliveries, "ReleaseDeliveries: order is in-order (or nothing), reversed, or a list of indices", "order"),
	control(post, "/deliveries/drop", (*Playground).DropNext, "DropNext", "n"),
	control(post, "/deliveries/double", (*Playground).DoubleNext, "DoubleNext", "n"),
	control(post, "/deliveries/redeliver", (*Playground).Redeliver, "Redeliver, with the same GUID", "id"),
	control(post, "/ping", (*Playground).Ping, "Ping the App id", "id"),
	control(get, "/deliveries", (*Playground).Deliveries, "Deliveries"),
	control(post, "/quiet", (*Playground).Quiet, "Quiet: answers when every delivery has been answered"),
	control(post, "/faults", (*Playground).addFaultFrom, "Fault: {id}; path is a regular expression, durations are like 1m30s", "kind", "method", "path", "actor", "installation", "times", "after", "status", "header", "body", "delay", "retry_after", "reset"),
	control(remove, "/faults/{fault_id}", (*Playground).cancelFault, "cancels a fault"),
	control(put, "/lag", (*Playground).LagEvents, "LagEvents: for is like 2s", "for"),
	control(put, "/lag/labels", (*Playground).LagLabels, "LagLabels: for is like 2s", "for"),
	control(put, "/late-stamps", (*Playground).StampLate, "StampLate: by is like 1s", "by"),
	control(put, "/lag/mergeability", (*Playground).LagMergeability, "LagMergeability: for is like 2s", "for"),
	control(put, "/swap-order", (*Playground).SwapLabelsAddingFirst, "SwapLabelsAddingFirst", "adding_first"),
	control(put, "/rate-limit", (*Playground).SetRateLimit, "SetRateLimit: n calls an hour", "n"),
	control(put, "/point-limit", (*Playground).SetPointLimit, "SetPointLimit: n points a minute, 0 is no bound", "n"),
	control(get, "/calls", (*Playground).Calls, "Calls"),
	control(remove, "/calls", (*Playground).ResetCalls, "ResetCalls"),
	control(get, "/unimplemented", (*Playground).Unimplemented, "Unimplemented"),
	control(get, "/state", (*Playground).state, "users and repositories"),
}

var (
	resultName  = regexp.MustCompile(`\{(\w+)\}`)
	typeOfError = reflect.TypeFor[error]()
)

// handle runs the method with the fields of a request's body. Methods panic on mistakes of a caller in Go: that is an error here.
func (c *Control) handle(p *Playground, r *http.Request) (answer any, err error) {
	defer func() {
		switch mistake := recover().(type) {
		case nil:
		case string:
			err = errors.New(strings.TrimPrefix(mistake, "playground: "))
		default:
			panic(mistake)
		}
	}()
	body, err := io.ReadAll(io.LimitReader(r.Body, maxRequestBody))
	if err != nil {
		return nil, fmt.Errorf("read the body: %w", err)
	}
	given := map[string]json.RawMessage{}
	if len(bytes.TrimSpace(body)) > 0 {
		if err := json.Unmarshal(body, &given); err != nil {
			return nil, fmt.Errorf("read the body: %w", err)
		}
	}
	for name := range given {
		if !slices.Contains(c.Fields, name) {
			return nil, fmt.Errorf("read the body: unknown field %q", name)
		}
	}
	kind := c.run.Type()
	fails := kind.NumOut() > 0 && kind.Out(kind.NumOut()-1) == typeOfError
	arguments := []reflect.Value{reflect.ValueOf(p)}
	for at := 1; at < kind.NumIn(); at++ {
		value := reflect.New(kind.In(at))
		switch to := value.Interface().(type) {
		case *context.Context:
			*to = r.Context()
		case **http.Request:
			*to = r
		case *map[string]json.RawMessage:
			*to = given
		default:
			name := c.Fields[at-1]
			if err := argument(given[name], to); err != nil {
				return nil, fmt.Errorf("read %s: %w", name, err)
			}
			if text, is := to.(*string); is && *text == "" && !fails {
				return nil, fmt.Errorf("%s is needed", name)
			}
		}
		arguments = append(arguments, value.Elem())
	}
	call := c.run.Call
	if kind.IsVariadic() {
		call = c.run.CallSlice
	}
	for _, result := range call(arguments) {
		switch name := resultName.FindStringSubmatch(c.Does); {
		case result.Type() == typeOfError:
			err, _ = reflect.TypeAssert[error](result)
		case name != nil:
			answer = object{name[1]: result.Interface()}
		case result.Kind() == reflect.Slice && result.IsNil():
			answer = []any{}
		default:
			answer = result.Interface()
		}
	}
	return answer, err
}

// argument reads a field of a body; the zero value is what is not given.
func argument(text json.RawMessage, to any) (err error) {
	if order, is := to.(*ReleaseOrder); is {
		*order, err = parseOrder(text)
		return err
	}
	if len(text) == 0 {
		return nil
	}
	duration, is := to.(*time.Duration)
	if !is {
		return json.Unmarshal(text, to) //nolint:wrapcheck // handle names the field
	}
	var words string
	if err := json.Unmarshal(text, &words); err != nil {
		return err //nolint:wrapcheck // handle names the field
	}
	*duration, err = time.ParseDuration(words)
	return err //nolint:wrapcheck // handle names the field
}

// from decodes the fields of a body that one value has.
func from[T any](given map[string]json.RawMessage) (in T, err error) {
	text, err := json.Marshal(given)
	if err != nil {
		return in, fmt.Errorf("read the body: %w", err)
	}
	if err := json.Unmarshal(text, &in); err != nil {
		return in, fmt.Errorf("read the body: %w", err)
	}
	return in, nil
}

func (p *Playground) registerAppFrom(given map[string]json.RawMessage) error {
	type app struct {
		App
		PublicKey     string `json:"public_key"`
		WebhookURL    string `json:"webhook_url"`
		WebhookSecret string `json:"webhook_secret"`
	}
	in, err := from[app](given)
	if err != nil {
		return err
	}
	a := in.App
	a.WebhookURL, a.WebhookSecret = in.WebhookURL, in.WebhookSecret
	if a.PublicKey, err = parsePublicKey(in.PublicKey); err != nil {
		return err
	}
	if err := p.mayBeSentTo(a.WebhookURL); err != nil {
		return err
	}
	return p.RegisterApp(a)
}

func (p *Playground) setWebhookURL(appID int64, url string) error {
	if err := p.mayBeSentTo(url); err != nil {
		return err
	}
	p.SetWebhookURL(appID, url)
	return nil
}

func (p *Playground) addFaultFrom(given map[string]json.RawMessage) (id int64, err error) {
	in, err := from[faultIn](given)
	if err != nil {
		return 0, err
	}
	f, err := in.fault()
	if err != nil {
		return 0, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.addFault(f)
}

func (p *Playground) cancelFault(r *http.Request) error {
	id, err := strconv.ParseInt(r.PathValue("fault_id"), 10, 64)
	if err != nil {
		return fmt.Errorf("read the fault's id: %w", err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.removeFault(id) {
		return fmt.Errorf("there is no fault %d", id)
	}
	return nil
}

func (p *Playground) state() any {
	return object{"users": p.Users(), "repositories": append([]string{}, p.Repositories()...)}
}

// faultIn is a Fault in JSON.
type faultIn struct {
	Kind         FaultKind         `json:"kind"`
	Method       string            `json:"method"`
	Path         string            `json:"path"`
	Actor        string            `json:"actor"`
	Installation int64             `json:"installation"`
	Times        int               `json:"times"`
	After        bool              `json:"after"`
	Status       int               `json:"status"`
	Header       map[string]string `json:"header"`
	Body         string            `json:"body"`
	Delay        string            `json:"delay"`
	RetryAfter   string            `json:"retry_after"`
	Reset        string            `json:"reset"`
}

func (in faultIn) fault() (Fault, error) {
	f := Fault{
		Kind: in.Kind, Method: in.Method, Actor: in.Actor, Installation: in.Installation, Times: in.Times, After: in.After,
		Status: in.Status, Header: maps.Clone(in.Header), Body: in.Body,
	}
	if in.Path != "" {
		path, err := regexp.Compile(in.Path)
		if err != nil {
			return Fault{}, fmt.Errorf("read the fault's path: %w", err)
		}
		f.Path = path
	}
	for text, target := range map[*string]*time.Duration{&in.Delay: &f.Delay, &in.RetryAfter: &f.RetryAfter, &in.Reset: &f.Reset} {
		if *text == "" {
			continue
		}
		d, err := time.ParseDuration(*text)
		if err != nil {
			return Fault{}, fmt.Errorf("read the fault's durations: %w", err)
		}
		*target = d
	}
	return f, nil
}

func parseOrder(text json.RawMessage) (ReleaseOrder, error) {
	var word string
	var indices []int
	switch {
	case len(text) == 0:
		return InOrder, nil
	case json.Unmarshal(text, &indices) == nil:
		return Permutation(indices...), nil
	case json.Unmarshal(text, &word) == nil && word == "in-order":
		return InOrder, nil
	case word == "reversed":
		return Reversed, nil
	default:
		return nil, fmt.Errorf("the order %s is neither in-order nor reversed nor a list of indices", text)
	}
}

func parsePublicKey(text string) (*rsa.PublicKey, error) {
	block, _ := pem.Decode([]byte(text))
	if block == nil {
		return nil, errors.New("the public key is not PEM")
	}
	if key, err := x509.ParsePKCS1PublicKey(block.Bytes); err == nil {
		return key, nil
	}
	parsed, err := x509.ParsePKIXPublicKey(block.Bytes)
	if err != nil {
		return nil, fmt.Errorf("read the public key: %w", err)
	}
	key, ok := parsed.(*rsa.PublicKey)
	if !ok {
		return nil, fmt.Errorf("the public key is a %T, not RSA", parsed)
	}
	return key, nil
}

func findControl(r *http.Request) (*Control, map[string]string) {
	rows := make([]Route, len(controls))
	for i, c := range controls {
		rows[i] = Route{Method: c.Method, Pattern: c.Pattern}
	}
	row, vars := findRoute(buildRoutes(rows), r.Method, r.URL.EscapedPath())
	if row == nil {
		return nil, nil
	}
	at := slices.IndexFunc(controls, func(c Control) bool { return c.Method == row.Method && c.Pattern == row.Pattern })
	return &controls[at], vars
}

// refuseForeign answers a control that a page of another origin wanted to use.
func refuseForeign(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(http.StatusForbidden)
	_, _ = io.WriteString(w, `{"message":"The controls are not for pages of other origins"}`+"\n")
}

// serveControl answers the control API.
func (p *Playground) serveControl(w http.ResponseWriter, r *http.Request) {
	status := http.StatusOK
	var value any
	row, vars := findControl(r)
	for name, value := range vars {
		r.SetPathValue(name, value)
	}
	if row == nil {
		status, value = http.StatusNotFound, object{"message": "There is no control " + r.Method + " " + r.URL.Path}
	} else if answer, err := row.handle(p, r); err != nil {
		status, value = http.StatusBadRequest, object{"message": err.Error()}
	} else if answer == nil {
		w.WriteHeader(http.StatusNoContent)
		return
	} else {
		value = answer
	}
	body, err := json.Marshal(value)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(append(body, '\n')) // the client might be gone; no one is left to tell
}
