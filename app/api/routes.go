package api

import "net/http"

// Route is one operation of the API. openapi.json describes it, and a test compares the two.
type Route struct {
	Method, Pattern string
	// Meaning is for people.
	Meaning string
	// Open says that it needs no token.
	Open bool
	// Query lists the parameters behind the question mark. Others are refused.
	Query []Parameter
	// Body says that the request has a body.
	Body bool

	serve func(*call) (any, error)
}

// Parameter is a parameter behind the question mark.
type Parameter struct {
	Name, Meaning string
	Needed        bool
	OneOf         []string // empty: any word
}

// Routes is the table of everything that the API answers.
func Routes() []Route {
	return []Route{
		{
			Method: http.MethodGet, Pattern: Prefix + "issues/{owner}/{repo}/{number}",
			Meaning: "The state, its time and its author; every move with its reason; the moves that an operator can make; the limits with their counts; who has to act, and why. Colony reads the issue from GitHub.",
			serve:   (*call).issue,
		},
		{
			Method: http.MethodGet, Pattern: Prefix + "issues/{owner}/{repo}/{number}/allowed",
			Meaning: "What would become of a move if this account asked for it now, by label, with its roles. Without a state, every move that it can make.",
			Query: []Parameter{
				{Name: "as", Meaning: "The login of who would ask; the bot of an App is written name[bot].", Needed: true},
				{Name: "role", Meaning: "The role in which a bot would ask; without it, any that it has."},
				{Name: "to", Meaning: "The state to move to, or its label."},
			},
			serve: (*call).allowed,
		},
		{
			Method: http.MethodPost, Pattern: Prefix + "simulate",
			Meaning: "What the lifecycle says of labels that someone puts on an issue in a state, one after the other. It reads nothing from GitHub, and the issue has no past.",
			Body:    true, serve: (*call).simulate,
		},
		{
			Method: http.MethodPost, Pattern: Prefix + "validate",
			Meaning: "What is wrong with a lifecycle file, or with a repository's settings, as \"colony lint\" finds it.",
			Query: []Parameter{
				{Name: "kind", Meaning: "What the file is: .github/colony-lifecycle.yml (lifecycle) or .github/colony.yml (repository).", Needed: true, OneOf: []string{kindLifecycle, kindRepository}},
				{Name: "lifecycle", Meaning: "With kind=repository: the lifecycle if the file names none; default: this server's."},
			},
			Body: true, serve: (*call).validate,
		},
		{
			Method: http.MethodGet, Pattern: Prefix + "openapi.json", Open: true,
			Meaning: "The description of the API, in OpenAPI 3.1.",
			serve:   func(*call) (any, error) { return Text(), nil },
		},
	}
}
