package statemachine

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"sync"
)

//go:embed lifecycles/*.yml
var lifecycleFiles embed.FS

// Shipped returns the lifecycle of that name which comes with Colony. The error lists the names there are.
func Shipped(name string) (*Lifecycle, error) {
	shipped := loadShipped()
	l, ok := shipped[name]
	if !ok {
		return nil, fmt.Errorf("no lifecycle is called %q; there are: %s", name, strings.Join(ShippedNames(), ", "))
	}
	return l, nil
}

// ShippedNames returns the names of the lifecycles that come with Colony, sorted.
func ShippedNames() []string {
	files, err := fs.Glob(lifecycleFiles, "lifecycles/*.yml")
	if err != nil {
		panic(fmt.Sprintf("list the embedded lifecycles: %v", err)) // the pattern is a constant
	}
	names := make([]string, len(files))
	for i, f := range files {
		names[i] = strings.TrimSuffix(path.Base(f), ".yml")
	}
	return names
}

// ShippedFile returns the text of a shipped lifecycle's file.
func ShippedFile(name string) ([]byte, error) {
	text, err := lifecycleFiles.ReadFile("lifecycles/" + name + ".yml")
	if err != nil {
		return nil, fmt.Errorf("read lifecycle %s: %w", name, err)
	}
	return text, nil
}

// A shipped file that does not parse is a fault of the build, which the tests of this package find.
var loadShipped = sync.OnceValue(func() map[string]*Lifecycle {
	shipped := map[string]*Lifecycle{}
	for _, name := range ShippedNames() {
		text, err := ShippedFile(name)
		if err != nil {
			panic(err)
		}
		l, err := Parse(name+".yml", text)
		if err != nil {
			panic(err)
		}
		shipped[name] = l
	}
	return shipped
})
