// Package shape holds the ceilings of Colony's code.
package shape

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// ceilings are the most that a type or function of the product may have. Fields are counted of structs with methods in the packages that
// judge and write: plain data may be as wide as it is.
var ceilings = map[string]int{"fields": 12, "methods": 40, "branches": 15, "go-github": 0}

// apart are the folders that use the product by its front doors.
var apart = []string{"playground", "demo", "bench", "tools", "examples", "docs", "node_modules", "testdata", ".git"}

var heart = []string{"reconcile", "statemachine", "lifecycle", "commands", "app/worker", "app/queue"}

// finding is what of the code is counted.
type finding struct{ kind, what string }

func (f finding) String() string { return f.kind + " of " + f.what }

func TestNothingGrowsOverItsCeiling(t *testing.T) {
	t.Parallel()
	for f, n := range count(t) {
		if ceiling := ceilings[f.kind]; n > ceiling {
			t.Errorf("%s: %d, the ceiling is %d. Give a concept in it a type, a function or a row of its own", f, n, ceiling)
		}
	}
}

// A ceiling of nothing would hold for ever.
func TestWhatIsCountedIsThere(t *testing.T) {
	t.Parallel()
	source := `package p
type S struct { a, b int; c string }
func (s *S) m() { if s.a > 0 && s.b > 0 { for range 3 {} } }
func (S) n() {}
func f(x int) { switch x { case 1: case 2: }; select { default: } }`
	file, err := parser.ParseFile(token.NewFileSet(), "p.go", source, 0)
	if err != nil {
		t.Fatal(err)
	}
	found := map[finding]int{}
	countFile(found, "reconcile", file)
	want := map[finding]int{
		{"fields", "reconcile.S"}: 3, {"methods", "reconcile.S"}: 2,
		{"branches", "reconcile.S.m"}: 4, {"branches", "reconcile.S.n"}: 1, {"branches", "reconcile.f"}: 4,
	}
	if !maps.Equal(found, want) {
		t.Errorf("it counts %v, want %v", found, want)
	}
}

// count counts what the product has.
func count(t *testing.T) map[finding]int {
	t.Helper()
	found := map[finding]int{}
	root := filepath.Join("..", "..")
	err := fs.WalkDir(os.DirFS(root), ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && slices.Contains(apart, entry.Name()) && name != ".":
			return fs.SkipDir
		case entry.IsDir() || path.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, name), nil, 0)
		if err == nil {
			countFile(found, path.Dir(name), file)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for f := range found { // of plain data
		if f.kind == "fields" && found[finding{"methods", f.what}] == 0 {
			delete(found, f)
		}
	}
	return found
}

func countFile(found map[finding]int, folder string, file *ast.File) {
	for _, i := range file.Imports {
		if strings.Contains(i.Path.Value, "google/go-github") && !strings.HasPrefix(folder, "github") {
			found[finding{"go-github", folder}]++
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			name := folder + "." + n.Name.Name
			if n.Recv != nil {
				of := folder + "." + receiver(n.Recv.List[0].Type)
				found[finding{"methods", of}]++
				name = of + "." + n.Name.Name
			}
			found[finding{"branches", name}] += branches(n)
		case *ast.TypeSpec:
			if s, ok := n.Type.(*ast.StructType); ok && slices.ContainsFunc(heart, func(f string) bool { return folder == f || strings.HasPrefix(folder, f+"/") }) {
				for _, f := range s.Fields.List {
					found[finding{"fields", folder + "." + n.Name.Name}] += max(1, len(f.Names))
				}
			}
		}
		return true
	})
}

// receiver is the name of the type that a method is of.
func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return fmt.Sprint(e)
}

// branches counts the ways through a function.
func branches(f *ast.FuncDecl) int {
	n := 1
	ast.Inspect(f, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt, *ast.CaseClause, *ast.CommClause:
			n++
		case *ast.BinaryExpr:
			if node.Op == token.LAND || node.Op == token.LOR {
				n++
			}
		}
		return true
	})
	return n
}
