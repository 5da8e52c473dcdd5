package main

import (
	"fmt"
	"go/ast"
	"go/doc/comment"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strings"
)

// parserRules tells where a command counts, in the words of the parser's own documentation.
func parserRules(root string) (string, error) {
	files, err := filepath.Glob(filepath.Join(root, "commands", "*.go"))
	if err != nil {
		return "", fmt.Errorf("list the parser's files: %w", err)
	}
	text, numbers := "", map[string]string{}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			return "", fmt.Errorf("read the parser's documentation: %w", err)
		}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == "Parse" {
				text = f.Doc.Text()
			}
			constants(d, numbers)
		}
	}
	if text == "" {
		return "", fmt.Errorf("commands.Parse has no documentation")
	}
	for name, number := range numbers {
		text = regexp.MustCompile(`\b`+name+`\b`).ReplaceAllString(text, number)
	}
	text = strings.TrimPrefix(text, "Parse finds the commands in a GitHub-flavoured Markdown text, ")
	var p comment.Parser
	var printer comment.Printer
	markdown := strings.ReplaceAll(string(printer.Markdown(p.Parse(text))), "~~", `\~\~`) // go/doc knows no strikes
	return "Commands are found in a comment, and in an issue's opening text, " + markdown, nil
}

// constants notes the constants of a declaration that are plain numbers.
func constants(d ast.Decl, numbers map[string]string) {
	general, ok := d.(*ast.GenDecl)
	if !ok || general.Tok != token.CONST {
		return
	}
	for _, s := range general.Specs {
		value, ok := s.(*ast.ValueSpec)
		if !ok {
			continue
		}
		for i, name := range value.Names {
			if i >= len(value.Values) {
				continue
			}
			if literal, ok := value.Values[i].(*ast.BasicLit); ok && literal.Kind == token.INT {
				numbers[name.Name] = literal.Value
			}
		}
	}
}
