package playground

import (
	"bytes"
	"crypto/rsa"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"time"
)

// Control is one operation of the control API: the methods of Playground, for those who are not in this process. The
// request's body is JSON with exactly the fields of Body; answers are JSON; a mistake is answered 400 with
// {"message": …}. Nobody has to sign in: a playground is not for the open net. What a browser sends for a page of another
// origin is refused with 403.
type Control struct {
	Method  string
	Pattern string
	Does    string // what it does, for the documentation
	Body    any    // an example of the body: its fields and their types; nil: none
	handle  func(p *Playground, r *http.Request) (any, error)
}

// control makes a row whose body is decoded into a T.
func control[T any](method, pattern, does string, run func(p *Playground, in T) (any, error)) Control {
	var example T
	return Control{method, "/playground" + pattern, does, example, func(p *Playground, r *http.Request) (any, error) {
		var in T
		body, err := io.ReadAll(io.LimitReader(r.Body, maxRequestBody))
		if err != nil {
			return nil, fmt.Errorf("read the body: %w", err)
		}
		if len(bytes.TrimSpace(body)) > 0 {
			decoder := json.NewDecoder(bytes.NewReader(body))
			decoder.DisallowUnknownFields()
			if err := decoder.Decode(&in); err != nil {
				return nil, fmt.Errorf("read the body: %w", err)
			}
		}
		return run(p, in)
	}}
}

func reading(pattern, does string, run func(p *Playground) any) Control {
	return Control{get, "/playground" + pattern, does, nil, func(p *Playground, _ *http.Request) (any, error) { return run(p), nil }}
}

type (
	loginIn      = struct{ Login string }
	countIn      = struct{ N int }
	repositoryIn = struct{ Owner, Name string }
	issueIn      = struct {
		Owner, Name string
		Number      int
		By          string // who does it; the owner if empty
	}
	installationIn = struct {
		ID           int64
		Repositories []string
	}
	teamIn  = struct{ Organization, Team string }
	nothing = struct{}
)

// Controls lists the control API.
func Controls() []Control { return slices.Clone(controls) }

var controls = []Control{
	control(post, "/users", "AddUser", func(p *Playground, in loginIn) (any, error) {
		return nil, named(in.Login, func() { p.AddUser(in.Login) })
	}),
	control(remove, "/users", "DeleteUser: the user becomes a ghost", func(p *Playground, in loginIn) (any, error) {
		return nil, p.DeleteUser(in.Login)
	}),
	control(post, "/organizations", "AddOrganization", func(p *Playground, in loginIn) (any, error) {
		return nil, named(in.Login, func() { p.AddOrganization(in.Login) })
	}),
	control(post, "/bots", "AddBot: login is the App's slug", func(p *Playground, in loginIn) (any, error) {
		return nil, named(in.Login, func() { p.AddBot(in.Login) })
	}),
	control(post, "/tokens", "Token: {token} that acts as the login", func(p *Playground, in loginIn) (any, error) {
		p.mu.Lock()
		defer p.mu.Unlock()
		value, err := p.tokenFor(in.Login)
		return object{"token": value}, err
	}),
	control(post, "/repositories", "AddRepository: {id}", func(p *Playground, in repositoryIn) (any, error) {
		if in.Owner == "" || in.Name == "" {
			return nil, errors.New("owner and name are needed")
		}
		return object{"id": p.AddRepository(in.Owner, in.Name)}, nil
	}),
	control(remove, "/repositories", "DeleteRepository", func(p *Playground, in repositoryIn) (any, error) {
		return nil, p.DeleteRepository(in.Owner, in.Name)
	}),
	control(post, "/repositories/rename", "RenameRepository", func(p *Playground, in struct{ Owner, Name, To string }) (any, error) {
		return nil, p.RenameRepository(in.Owner, in.Name, in.To)
	}),
	control(post, "/repositories/private", "SetPrivate", func(p *Playground, in struct {
		Owner, Name string
		Private     bool
	},
	) (any, error) {
		return nil, p.SetPrivate(in.Owner, in.Name, in.Private)
	}),
	control(put, "/files", "SetFile on the default branch", func(p *Playground, in struct{ Owner, Name, Path, Content string }) (any, error) {
		return nil, p.SetFile(in.Owner, in.Name, in.Path, in.Content)
	}),
	control(put, "/permissions", "SetPermission: role is none, read, triage, write, maintain or admin", func(p *Playground, in struct{ Owner, Name, Login, Role string }) (any, error) {
		p.mu.Lock()
		defer p.mu.Unlock()
		return nil, p.setPermission(in.Owner, in.Name, in.Login, in.Role)
	}),
	control(post, "/teams", "AddTeam of an organization, with members", func(p *Playground, in struct {
		Organization, Name string
		Members            []string
	},
	) (any, error) {
		return nil, p.AddTeam(in.Organization, in.Name, in.Members...)
	}),
	control(remove, "/teams", "DeleteTeam: team is its slug", func(p *Playground, in teamIn) (any, error) {
		return nil, p.DeleteTeam(in.Organization, in.Team)
	}),
	control(post, "/teams/rename", "RenameTeam: to is the new name, of which GitHub makes a new slug", func(p *Playground, in struct{ Organization, Team, To string }) (any, error) {
		return nil, p.RenameTeam(in.Organization, in.Team, in.To)
	}),
	control(post, "/teams/nest", "NestTeam: parent is the slug of the team above", func(p *Playground, in struct{ Organization, Team, Parent string }) (any, error) {
		return nil, p.NestTeam(in.Organization, in.Team, in.Parent)
	}),
	control(put, "/teams/members", "AddTeamMember: pending is one who has not accepted yet", func(p *Playground, in struct {
		Organization, Team, Login string
		Pending                   bool
	},
	) (any, error) {
		return nil, p.AddTeamMember(in.Organization, in.Team, in.Login, in.Pending)
	}),
	control(remove, "/teams/members", "RemoveTeamMember", func(p *Playground, in struct{ Organization, Team, Login string }) (any, error) {
		return nil, p.RemoveTeamMember(in.Organization, in.Team, in.Login)
	}),
	control(post, "/apps", "RegisterApp: public_key is PEM (PKIX or PKCS#1)", func(p *Playground, in struct {
		ID            int64             `json:"id"`
		Slug          string            `json:"slug"`
		Name          string            `json:"name"`
		PublicKey     string            `json:"public_key"`
		WebhookURL    string            `json:"webhook_url"`
		WebhookSecret string            `json:"webhook_secret"`
		Permissions   map[string]string `json:"permissions"`
		Events        []string          `json:"events"`
	},
	) (any, error) {
		key, err := parsePublicKey(in.PublicKey)
		if err != nil {
			return nil, err
		}
		if err := p.mayBeSentTo(in.WebhookURL); err != nil {
			return nil, err
		}
		return nil, p.RegisterApp(App{
			ID: in.ID, Slug: in.Slug, Name: in.Name, PublicKey: key, WebhookURL: in.WebhookURL,
			WebhookSecret: in.WebhookSecret, Permissions: in.Permissions, Events: in.Events,
		})
	}),
	control(put, "/apps/webhook-url", "SetWebhookURL", func(p *Playground, in struct {
		AppID int64 `json:"app_id"`
		URL   string
	},
	) (any, error) {
		p.mu.Lock()
		defer p.mu.Unlock()
		a, err := p.findApp(in.AppID)
		if err != nil {
			return nil, err
		}
		if err := p.mayBeSentTo(in.URL); err != nil {
			return nil, err
		}
		a.WebhookURL = in.URL
		return nil, nil
	}),
	control(post, "/installations", "Install: {id}; no repositories means all", func(p *Playground, in struct {
		AppID        int64 `json:"app_id"`
		Account      string
		Repositories []string
	},
	) (any, error) {
		p.mu.Lock()
		defer p.mu.Unlock()
		i, err := p.install(in.AppID, in.Account, in.Repositories)
		if err != nil {
			return nil, err
		}
		return object{"id": i.id}, nil
	}),
	control(remove, "/installations", "Uninstall", func(p *Playground, in struct{ ID int64 }) (any, error) { return nil, p.Uninstall(in.ID) }),
	control(post, "/installations/repositories", "AddToInstallation", func(p *Playground, in installationIn) (any, error) {
		return nil, p.AddToInstallation(in.ID, in.Repositories...)
	}),
	control(remove, "/installations/repositories", "RemoveFromInstallation", func(p *Playground, in installationIn) (any, error) {
		return nil, p.RemoveFromInstallation(in.ID, in.Repositories...)
	}),
	control(put, "/installations/permissions", "SetInstallationPermissions", func(p *Playground, in struct {
		ID          int64
		Permissions map[string]string
	},
	) (any, error) {
		return nil, p.SetInstallationPermissions(in.ID, in.Permissions)
	}),
	control(post, "/installations/suspend", "Suspend", func(p *Playground, in struct{ ID int64 }) (any, error) { return nil, p.Suspend(in.ID) }),
	control(post, "/installations/unsuspend", "Unsuspend", func(p *Playground, in struct{ ID int64 }) (any, error) { return nil, p.Unsuspend(in.ID) }),
	control(post, "/issues/form", "OpenWithForm: {number} of an issue with the labels of a form, even if a reader opens it", func(p *Playground, in struct {
		Owner, Name, Title, Body string
		Labels                   []string
		By                       string
	},
	) (any, error) {
		number, err := p.OpenWithForm(in.Owner, in.Name, in.Title, in.Body, in.Labels, in.By)
		return object{"number": number}, err
	}),
	control(post, "/issues/transfer", "TransferIssue: {number} in the new repository", func(p *Playground, in struct {
		Owner, Name string
		Number      int
		To          string
		By          string
	},
	) (any, error) {
		number, err := p.TransferIssue(in.Owner, in.Name, in.Number, in.To, in.By)
		return object{"number": number}, err
	}),
	control(put, "/issues/milestone", "SetMilestone: the title of one, or nothing", func(p *Playground, in struct {
		Owner, Name string
		Number      int
		Milestone   string
		By          string
	},
	) (any, error) {
		return nil, p.SetMilestone(in.Owner, in.Name, in.Number, in.Milestone, in.By)
	}),
	control(put, "/issues/type", "SetIssueType: the name of one, or nothing", func(p *Playground, in struct {
		Owner, Name string
		Number      int
		Type        string
		By          string
	},
	) (any, error) {
		return nil, p.SetIssueType(in.Owner, in.Name, in.Number, in.Type, in.By)
	}),
	control(post, "/issues/delete", "DeleteIssue", func(p *Playground, in issueIn) (any, error) {
		return nil, p.DeleteIssue(in.Owner, in.Name, in.Number, in.By)
	}),
	control(post, "/issues/convert-to-discussion", "ConvertToDiscussion", func(p *Playground, in issueIn) (any, error) {
		return nil, p.ConvertToDiscussion(in.Owner, in.Name, in.Number, in.By)
	}),
	control(put, "/pulls/draft", "SetDraft: a draft, or ready for review", func(p *Playground, in struct {
		Owner, Name string
		Number      int
		Draft       bool
		By          string
	},
	) (any, error) {
		return nil, p.SetDraft(in.Owner, in.Name, in.Number, in.Draft, in.By)
	}),
	control(put, "/pulls/link", "LinkPullRequest: number is the issue's, pull the pull request's; it is of the repository pull_name, or the same", func(p *Playground, in struct {
		Owner, Name string
		Number      int
		PullName    string `json:"pull_name"`
		Pull        int
		Linked      bool
		By          string
	},
	) (any, error) {
		return nil, p.LinkPullRequest(in.Owner, in.Name, in.Number, in.PullName, in.Pull, in.Linked, in.By)
	}),
	control(put, "/checks", "SetCheck: {id}; app is the slug, no conclusion means in progress", func(p *Playground, in struct{ Owner, Name, Ref, App, Check, Conclusion string }) (any, error) {
		id, err := p.SetCheck(in.Owner, in.Name, in.Ref, in.App, in.Check, in.Conclusion)
		return object{"id": id}, err
	}),
	control(post, "/pulls/conflict", "MakeConflict with the base branch", func(p *Playground, in issueIn) (any, error) {
		return nil, p.MakeConflict(in.Owner, in.Name, in.Number, in.By)
	}),

	control(put, "/lacks", "Lack: features are those that this GitHub does not have, of issue-dependencies, sub-issues and graphql", func(p *Playground, in struct{ Features []Feature }) (any, error) {
		return nil, p.Lack(in.Features...)
	}),

	control(post, "/deliveries/hold", "HoldDeliveries", func(p *Playground, _ nothing) (any, error) { p.HoldDeliveries(); return nil, nil }),
	control(post, "/deliveries/release", "ReleaseDeliveries: order is in-order (or nothing), reversed, or a list of indices", func(p *Playground, in struct{ Order json.RawMessage }) (any, error) {
		order, err := parseOrder(in.Order)
		if err != nil {
			return nil, err
		}
		p.mu.Lock()
		defer p.mu.Unlock()
		return nil, p.release(order)
	}),
	control(post, "/deliveries/drop", "DropNext", func(p *Playground, in countIn) (any, error) { p.DropNext(in.N); return nil, nil }),
	control(post, "/deliveries/double", "DoubleNext", func(p *Playground, in countIn) (any, error) { p.DoubleNext(in.N); return nil, nil }),
	control(post, "/deliveries/redeliver", "Redeliver, with the same GUID", func(p *Playground, in struct{ ID int64 }) (any, error) { return nil, p.Redeliver(in.ID) }),
	control(post, "/ping", "Ping the App id", func(p *Playground, in struct{ ID int64 }) (any, error) { return nil, p.Ping(in.ID) }),
	reading("/deliveries", "Deliveries", func(p *Playground) any { return p.Deliveries() }),
	{post, "/playground/quiet", "Quiet: answers when every delivery has been answered", nil, func(p *Playground, r *http.Request) (any, error) {
		return nil, p.Quiet(r.Context())
	}},

	control(post, "/faults", "Fault: {id}; path is a regular expression, durations are like 1m30s", func(p *Playground, in faultIn) (any, error) {
		f, err := in.fault()
		if err != nil {
			return nil, err
		}
		p.mu.Lock()
		defer p.mu.Unlock()
		id, err := p.addFault(f)
		return object{"id": id}, err
	}),
	{remove, "/playground/faults/{fault_id}", "cancels a fault", nil, func(p *Playground, r *http.Request) (any, error) {
		id, err := strconv.ParseInt(r.PathValue("fault_id"), 10, 64)
		if err != nil {
			return nil, fmt.Errorf("read the fault's id: %w", err)
		}
		p.mu.Lock()
		defer p.mu.Unlock()
		if !p.removeFault(id) {
			return nil, fmt.Errorf("there is no fault %d", id)
		}
		return nil, nil
	}},
	control(put, "/lag", "LagEvents: for is like 2s", func(p *Playground, in struct{ For string }) (any, error) {
		d, err := time.ParseDuration(in.For)
		if err != nil {
			return nil, fmt.Errorf("read the lag: %w", err)
		}
		p.LagEvents(d)
		return nil, nil
	}),
	control(put, "/lag/labels", "LagLabels: for is like 2s", func(p *Playground, in struct{ For string }) (any, error) {
		d, err := time.ParseDuration(in.For)
		if err != nil {
			return nil, fmt.Errorf("read the lag: %w", err)
		}
		p.LagLabels(d)
		return nil, nil
	}),
	control(put, "/late-stamps", "StampLate: by is like 1s", func(p *Playground, in struct{ By string }) (any, error) {
		d, err := time.ParseDuration(in.By)
		if err != nil {
			return nil, fmt.Errorf("read how late: %w", err)
		}
		p.StampLate(d)
		return nil, nil
	}),
	control(put, "/lag/mergeability", "LagMergeability: for is like 2s", func(p *Playground, in struct{ For string }) (any, error) {
		d, err := time.ParseDuration(in.For)
		if err != nil {
			return nil, fmt.Errorf("read the lag: %w", err)
		}
		p.LagMergeability(d)
		return nil, nil
	}),
	control(put, "/swap-order", "SwapLabelsAddingFirst", func(p *Playground, in struct {
		AddingFirst bool `json:"adding_first"`
	},
	) (any, error) {
		p.SwapLabelsAddingFirst(in.AddingFirst)
		return nil, nil
	}),
	control(put, "/rate-limit", "SetRateLimit: n calls an hour", func(p *Playground, in countIn) (any, error) { p.SetRateLimit(in.N); return nil, nil }),
	reading("/calls", "Calls", func(p *Playground) any { return append([]Call{}, p.Calls()...) }),
	control(remove, "/calls", "ResetCalls", func(p *Playground, _ nothing) (any, error) { p.ResetCalls(); return nil, nil }),
	reading("/unimplemented", "Unimplemented", func(p *Playground) any { return p.Unimplemented() }),
	reading("/state", "users and repositories", func(p *Playground) any {
		return object{"users": p.Users(), "repositories": append([]string{}, p.Repositories()...)}
	}),
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

// named runs an addition unless the login is missing.
func named(login string, add func()) error {
	if login == "" {
		return errors.New("login is needed")
	}
	add()
	return nil
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
	_, _ = w.Write(append(body, '\n')) // the client may be gone; nobody is left to tell
}
