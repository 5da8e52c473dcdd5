package playground_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
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
	loaded, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo | packages.NeedImports,
	}, module+"/app/...", module+"/github/...", module+"/policy/...", module+"/reconcile/...", module+"/handlers/...")
	if err != nil {
		t.Fatal(err)
	}
	documented := map[string][]operation{}
	var found []operation
	for _, p := range loaded {
		if len(p.Errors) > 0 {
			t.Fatalf("%s: %v", p.PkgPath, p.Errors)
		}
		for _, file := range p.Syntax {
			for _, declaration := range file.Decls {
				ast.Inspect(declaration, func(n ast.Node) bool {
					selector, ok := n.(*ast.SelectorExpr)
					if !ok {
						return true
					}
					method, ok := p.TypesInfo.Uses[selector.Sel].(*types.Func)
					if !ok || method.Pkg() == nil || method.Pkg().Path() != goGitHub {
						return true
					}
					where := p.Fset.Position(selector.Pos()).String()
					switch receiver := receiverOf(method); {
					case receiver == "Client" && method.Name() == "NewRequest":
						own := ownRequests(t, p, declaration, where)
						if len(own) == 0 {
							t.Errorf("%s: what this request asks for cannot be read from the code", where)
						}
						found = append(found, own...)
					case strings.HasSuffix(receiver, "Service"):
						source := p.Fset.Position(method.Pos()).Filename
						if documented[source] == nil {
							documented[source] = documentedOperations(t, source)
						}
						before := len(found)
						for _, o := range documented[source] {
							if o.where == receiver+"."+method.Name() {
								found = append(found, operation{o.method, o.path, where, nil})
							}
						}
						if len(found) == before {
							t.Errorf("%s: go-github does not say which operation %s.%s is", where, receiver, method.Name())
						}
					}
					return true
				})
			}
		}
	}
	return found
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

// ownRequests are the operations of a function that makes requests itself: each path that it writes, with the method
// that it names.
func ownRequests(t *testing.T, p *packages.Package, function ast.Node, where string) []operation {
	t.Helper()
	var methods, paths, ends []string
	ast.Inspect(function, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			verb, isMethod := strings.CutPrefix(n.Sel.Name, "Method")
			if of, ok := p.TypesInfo.Uses[n.Sel].(*types.Const); ok && isMethod && of.Pkg().Path() == "net/http" {
				methods = append(methods, strings.ToUpper(verb))
			}
		case *ast.BasicLit:
			if text, err := strconv.Unquote(n.Value); err == nil && slices.Contains([]string{"GET", "POST", "PUT", "PATCH", "DELETE"}, text) {
				methods = append(methods, text)
			} else if end, longer := strings.CutPrefix(text, "%s/"); err == nil && longer {
				ends = append(ends, "/"+end)
			}
			if text, err := strconv.Unquote(n.Value); n.Kind == token.STRING && err == nil && (strings.HasPrefix(text, "repos/") || strings.HasSuffix(text, "graphql")) {
				paths = append(paths, "/"+text)
			}
		}
		return true
	})
	var found []operation
	for _, method := range methods {
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
