package lifecycle

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"sync"
)

//go:embed shipped/*.yml
var lifecycleFiles embed.FS

// Shipped returns the lifecycle of that name which comes with Colony. The error lists the names there are.
func Shipped(name string) (*Lifecycle, error) {
	load, ok := shippedLoaders()[name]
	if !ok {
		return nil, fmt.Errorf("no lifecycle is called %q; there are: %s", name, strings.Join(ShippedNames(), ", "))
	}
	return load(), nil
}

// ShippedNames returns the names of the lifecycles that come with Colony, sorted.
func ShippedNames() []string {
	files, err := fs.Glob(lifecycleFiles, "shipped/*.yml")
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
	text, err := lifecycleFiles.ReadFile("shipped/" + name + ".yml")
	if err != nil {
		return nil, fmt.Errorf("read lifecycle %s: %w", name, err)
	}
	return text, nil
}

// shippedLoaders parse each shipped file when it is needed first: a process needs one or two of them. A shipped file that does not parse is a
// fault of the build, which the tests of this package find.
var shippedLoaders = sync.OnceValue(func() map[string]func() *Lifecycle {
	all := map[string]func() *Lifecycle{}
	for _, name := range ShippedNames() {
		all[name] = sync.OnceValue(func() *Lifecycle {
			text, err := ShippedFile(name)
			if err != nil {
				panic(err)
			}
			l, err := Parse(name+".yml", text)
			if err != nil {
				panic(err)
			}
			return l
		})
	}
	return all
})
