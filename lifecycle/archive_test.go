package lifecycle

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/colony-app/colony/golden"
	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

// holdArchive holds what is said of each lifecycle file of an archive in testdata against the file behind it, which has the same
// name with another ending.
func holdArchive(t *testing.T, name, ending string, said func(file string, text []byte) string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(archive.Files); i += 2 {
		source, want := archive.Files[i], &archive.Files[i+1]
		name := strings.TrimSuffix(source.Name, ".yml")
		if want.Name != name+ending {
			t.Fatalf("%s is followed by %s", source.Name, want.Name)
		}
		got := said(source.Name, source.Data)
		if golden.Updates() {
			want.Data = []byte(got)
		}
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(string(want.Data), got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
	if golden.Updates() {
		if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
