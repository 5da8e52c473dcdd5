package playground

import "net/http"

// refusal is an error answer as GitHub words it
// (https://docs.github.com/en/rest/using-the-rest-api/troubleshooting-the-rest-api).
type refusal struct {
	status  int
	message string
	details []object
	reasons []string // in the place of details
	header  http.Header
	extra   object
}

func (r *refusal) Error() string { return r.message }

func refuse(status int, message string) *refusal { return &refusal{status: status, message: message} }

// invalid is a 422 that names the field: code is missing, missing_field, invalid, already_exists, unprocessable or custom.
func invalid(resource, field, code, message string) *refusal {
	detail := object{"resource": resource, "field": field, "code": code}
	if message != "" {
		detail["message"] = message
	}
	return &refusal{status: http.StatusUnprocessableEntity, message: "Validation Failed", details: []object{detail}}
}

var (
	errNotFound       = refuse(http.StatusNotFound, "Not Found")
	errNotIntegration = refuse(http.StatusForbidden, "Resource not accessible by integration")
	errNeedsRights    = refuse(http.StatusForbidden, "Must have admin rights to Repository.")
)
