package playground_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/colony-app/colony/playground"
)

// operation is one of GitHub's, and where the App calls it.
type operation struct {
	method, path, where string
	longer              []string // what the path is in the function as well, where one is put together of another
}

const (
	module   = "github.com/colony-app/colony"
	goGitHub = "github.com/google/go-github/v62/github"
)

// Every operation of GitHub that the App's code can call is a route here. The calls are read from the code: methods of
// go-github's services, whose sources name their operations, and requests that the App makes itself.
func TestEveryOperationOfTheAppIsARoute(t *testing.T) {
	called := operationsOfTheApp(t)
	// What the libraries call to sign in: ghinstallation, and go-githubapp for the App of a webhook.
	called = append(called, operation{"POST", "/app/installations/{installation_id}/access_tokens", "ghinstallation", nil})
	used := map[string]bool{}
	for _, o := range called {
		matched := o.method == "POST" && strings.HasSuffix(o.path, "graphql")
		for _, route := range playground.Routes() {
			fits := func(path string) bool { return fitsRoute(path, route.Pattern) }
			if route.Method == o.method && (fits(o.path) || slices.ContainsFunc(o.longer, fits)) {
				matched, used[route.Method+" "+route.Pattern] = true, true
			}
		}
		if !matched {
			t.Errorf("the playground lacks %s %s, which is called in %s", o.method, o.path, o.where)
		}
	}
	if len(used) < 15 {
		t.Errorf("the App calls only %v: it is not read right", slices.Sorted(maps.Keys(used)))
	}
	t.Logf("%d operations: %s", len(used), strings.Join(slices.Sorted(maps.Keys(used)), ", "))
}

var variable = regexp.MustCompile(`\{[^}]*\}|%[a-z]`)

// fitsRoute is whether a path with variables ("{name}") or verbs ("%s", which may hold several segments) is a route.
func fitsRoute(path, pattern string) bool {
	if strings.Contains(path, "%") {
		path, _, _ = strings.Cut(path, "?")
		var expression strings.Builder
		last := 0
		for _, at := range variable.FindAllStringIndex(path, -1) {
			expression.WriteString(regexp.QuoteMeta(path[last:at[0]]) + ".+")
			last = at[1]
		}
		expression.WriteString(regexp.QuoteMeta(path[last:]))
		return regexp.MustCompile("^" + expression.String() + "$").MatchString(pattern)
	}
	return variable.ReplaceAllString(path, "{}") == variable.ReplaceAllString(pattern, "{}")
}

func operationsOfTheApp(t *testing.T) []operation {
	t.Helper()
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	// With NeedDeps the dependencies are read from their sources; without it the go command compiles all of them. Cgo would compile some too.
	loaded, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo | packages.NeedImports | packages.NeedDeps,
		Env:  append(os.Environ(), "CGO_ENABLED=0"),
		ParseFile: func(set *token.FileSet, name string, text []byte) (*ast.File, error) {
			return parsedFor(root, set, name, text)
		},
	}, module+"/app/...", module+"/github/...", module+"/policy/...", module+"/reconcile/...", module+"/handlers/...")
	if err != nil {
		t.Fatal(err)
	}
	c := callReader{t: t, declared: map[*types.Func]declaration{}, documented: map[string][]operation{}, askers: map[*types.Func][]string{}}
	var all []declaration
	for _, p := range loaded {
		if len(p.Errors) > 0 {
			t.Fatalf("%s: %v", p.PkgPath, p.Errors)
		}
		for _, file := range p.Syntax {
			for _, d := range file.Decls {
				d := declaration{p, d}
				all = append(all, d)
				if f := d.function(); f != nil {
					c.declared[f] = d
				}
			}
		}
	}
	for _, d := range all {
		c.ofGoGitHub(d)
	}
	for before := -1; before < len(c.askers); { // one asker may ask through another
		before = len(c.askers)
		for _, d := range all {
			c.ofAskers(d)
		}
	}
	return c.found
}

// parsedFor parses a file. Outside of the module at root it keeps declarations only: checking the types of the bodies takes most of the time,
// and only the App's are read.
func parsedFor(root string, set *token.FileSet, name string, text []byte) (*ast.File, error) {
	file, err := parser.ParseFile(set, name, text, parser.SkipObjectResolution)
	if file == nil || strings.HasPrefix(name, root+string(filepath.Separator)) {
		return file, err
	}
	for _, d := range file.Decls {
		if function, ok := d.(*ast.FuncDecl); ok {
			function.Body = nil
		}
	}
	return file, err
}

// declaration is one of the App's.
type declaration struct {
	*packages.Package
	ast.Decl
}

// function returns the function that is declared; nil if it is none.
func (d declaration) function() *types.Func {
	f, ok := d.Decl.(*ast.FuncDecl)
	if !ok {
		return nil
	}
	function, _ := d.TypesInfo.Defs[f.Name].(*types.Func)
	return function
}

// callReader reads the operations that declarations call.
type callReader struct {
	t          *testing.T
	declared   map[*types.Func]declaration
	documented map[string][]operation // by the source file of go-github
	// askers are the functions that make a request with a path that they are given, and the methods that they name themselves.
	askers map[*types.Func][]string
	found  []operation
}

// ofGoGitHub reads the uses of go-github in a declaration.
func (c *callReader) ofGoGitHub(d declaration) {
	ast.Inspect(d.Decl, func(n ast.Node) bool {
		selector, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		method, ok := d.TypesInfo.Uses[selector.Sel].(*types.Func)
		if !ok || method.Pkg() == nil || method.Pkg().Path() != goGitHub {
			return true
		}
		where := d.Fset.Position(selector.Pos()).String()
		switch receiver := receiverOf(method); {
		case receiver == "Client" && method.Name() == "NewRequest":
			c.add(d, d.Decl, nil, where)
		case strings.HasSuffix(receiver, "Service"):
			source := d.Fset.Position(method.Pos()).Filename
			if c.documented[source] == nil {
				c.documented[source] = documentedOperations(c.t, source)
			}
			before := len(c.found)
			for _, o := range c.documented[source] {
				if o.where == receiver+"."+method.Name() {
					c.found = append(c.found, operation{o.method, o.path, where, nil})
				}
			}
			if len(c.found) == before {
				c.t.Errorf("%s: go-github does not say which operation %s.%s is", where, receiver, method.Name())
			}
		}
		return true
	})
}

// ofAskers reads the calls of askers in a declaration.
func (c *callReader) ofAskers(d declaration) {
	ast.Inspect(d.Decl, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		function := call.Fun
		if generic, ok := function.(*ast.IndexExpr); ok {
			function = generic.X
		}
		name, ok := function.(*ast.Ident)
		if !ok {
			return true
		}
		asker, _ := d.TypesInfo.Uses[name].(*types.Func)
		if methods, asks := c.askers[asker]; asks {
			c.add(d, call, methods, d.Fset.Position(call.Pos()).String())
		}
		return true
	})
}

// add adds the operations that a call names, or else the declaration that it is in. A function that names no path, and is given one, is an
// asker.
func (c *callReader) add(d declaration, call ast.Node, methods []string, where string) {
	own := c.ownRequests(d, call, methods, where)
	if len(own) == 0 {
		own = c.ownRequests(d, d.Decl, methods, where)
	}
	c.found = append(c.found, own...)
	if len(own) > 0 {
		return
	}
	function := d.function()
	if function == nil || !slices.ContainsFunc(slices.Collect(function.Signature().Params().Variables()), func(v *types.Var) bool { return v.Name() == "path" }) {
		c.t.Errorf("%s: what this request asks for cannot be read from the code", where)
		return
	}
	named, _, _ := c.literals(d, d.Decl)
	c.askers[function] = append(named, methods...)
}

func receiverOf(method *types.Func) string {
	receiver := method.Signature().Recv()
	if receiver == nil {
		return ""
	}
	kind := receiver.Type()
	if pointer, ok := kind.(*types.Pointer); ok {
		kind = pointer.Elem()
	}
	if named, ok := kind.(*types.Named); ok {
		return named.Obj().Name()
	}
	return ""
}

// ownRequests are the operations of a piece of code that makes requests itself: each path that it writes, with each method that it names,
// or that is named for it.
func (c *callReader) ownRequests(d declaration, code ast.Node, methods []string, where string) (found []operation) {
	named, paths, ends := c.literals(d, code)
	for _, method := range append(named, methods...) {
		for _, path := range paths {
			o := operation{method, path, where, nil}
			for _, end := range ends {
				o.longer = append(o.longer, path+end)
			}
			found = append(found, o)
		}
	}
	return found
}

// literals are the methods and paths in a piece of code, and what is put behind paths; those of the functions that it calls for a text are
// among them.
func (c *callReader) literals(d declaration, code ast.Node) (methods, paths, ends []string) {
	ast.Inspect(code, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			verb, isMethod := strings.CutPrefix(n.Sel.Name, "Method")
			if of, ok := d.TypesInfo.Uses[n.Sel].(*types.Const); ok && isMethod && of.Pkg().Path() == "net/http" {
				methods = append(methods, strings.ToUpper(verb))
			}
		case *ast.Ident:
			called, ok := d.TypesInfo.Uses[n].(*types.Func)
			if text, declared := c.declared[called]; ok && declared && givesText(called) {
				_, more, _ := c.literals(text, text.Decl)
				paths = append(paths, more...)
			}
		case *ast.BasicLit:
			if text, err := strconv.Unquote(n.Value); err == nil && slices.Contains([]string{"GET", "POST", "PUT", "PATCH", "DELETE"}, text) {
				methods = append(methods, text)
			} else if end, longer := strings.CutPrefix(text, "%s/"); err == nil && longer {
				ends = append(ends, "/"+end)
			}
			if text, err := strconv.Unquote(n.Value); n.Kind == token.STRING && err == nil && (strings.HasPrefix(text, "repos/") || strings.HasPrefix(text, "users/") || strings.HasPrefix(text, "applications/") || strings.HasSuffix(text, "graphql")) {
				paths = append(paths, "/"+text)
			}
		}
		return true
	})
	return methods, paths, ends
}

// givesText is whether a function returns one text and nothing else.
func givesText(f *types.Func) bool {
	results := f.Signature().Results()
	return results.Len() == 1 && types.Identical(results.At(0).Type(), types.Typ[types.String])
}

// documentedOperations reads the "meta:operation" comments of a file of go-github: where is "Service.Method".
func documentedOperations(t *testing.T, name string) []operation {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	found := []operation{}
	for _, declaration := range file.Decls {
		function, ok := declaration.(*ast.FuncDecl)
		if !ok || function.Doc == nil || function.Recv == nil {
			continue
		}
		receiver := function.Recv.List[0].Type
		if pointer, ok := receiver.(*ast.StarExpr); ok {
			receiver = pointer.X
		}
		for _, line := range function.Doc.List {
			if text, ok := strings.CutPrefix(line.Text, "//meta:operation "); ok {
				method, path, _ := strings.Cut(text, " ")
				found = append(found, operation{method, path, receiver.(*ast.Ident).Name + "." + function.Name.Name, nil})
			}
		}
	}
	return found
}
