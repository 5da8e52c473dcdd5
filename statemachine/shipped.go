package statemachine

import "github.com/colony-app/colony/lifecycle"

// Shipped returns the table of a lifecycle that comes with Colony, without options. The error lists the names there are.
func Shipped(name string) (*Table, error) {
	file, err := lifecycle.Shipped(name)
	if err != nil {
		return nil, err
	}
	return New(file, Options{}), nil
}

// Parse returns the table of a lifecycle file without options; see lifecycle.Parse.
func Parse(file string, text []byte) (*Table, error) {
	life, err := lifecycle.Parse(file, text)
	if err != nil {
		return nil, err
	}
	return New(life, Options{}), nil
}
