package cli

import (
	"fmt"
	"io"

	"github.com/colony-app/colony/demo"
	"github.com/colony-app/colony/playground"
)

// printPeople lists who is there, in columns.
func printPeople(w io.Writer, p *playground.Playground, people []demo.Person) {
	fmt.Fprintf(w, "\nWho is there, with tokens for the REST API:\n\n")
	for _, person := range people {
		fmt.Fprintf(w, "  %s\t%s\t%s\t%s\n", person.Login, person.Role, p.Token(person.Login), person.Does)
	}
}
