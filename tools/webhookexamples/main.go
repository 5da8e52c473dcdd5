// Command webhookexamples packs the example payloads of the npm package
// @octokit/webhooks-examples into one compressed file, for tests that post every
// payload GitHub is known to send. It fetches the package with npm pack, which
// checks its integrity.
//
//	go -C tools run ./webhookexamples -to ../handlers/testdata/webhooks-examples.json.gz
package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"sort"
	"strings"
)

// Pinned, so that a refresh is a change somebody reads.
const pkg = "@octokit/webhooks-examples@7.6.1"

// example is one payload. Server is the package's folder: api.github.com, or a
// version of GitHub Enterprise Server (ghes-35).
type example struct {
	Server  string          `json:"server"`
	Event   string          `json:"event"`
	Payload json.RawMessage `json:"payload"`
}

func main() {
	to := flag.String("to", "", "file to write")
	flag.Parse()
	if *to == "" || flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(*to); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(to string) error {
	tarball, err := download()
	if err != nil {
		return fmt.Errorf("download %s: %w", pkg, err)
	}
	examples, err := read(tarball)
	if err != nil {
		return fmt.Errorf("read %s: %w", pkg, err)
	}
	if len(examples) == 0 {
		return fmt.Errorf("%s holds no examples", pkg)
	}
	if err := write(to, examples); err != nil {
		return fmt.Errorf("write %s: %w", to, err)
	}
	report(examples)
	return nil
}

func download() ([]byte, error) {
	dir, err := os.MkdirTemp("", "webhooks-examples-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)

	npm := exec.Command("npm", "pack", "--silent", "--pack-destination", dir, pkg)
	npm.Stderr = os.Stderr
	if err := npm.Run(); err != nil {
		return nil, fmt.Errorf("npm pack: %w", err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.tgz"))
	if err != nil {
		return nil, err
	}
	if len(files) != 1 {
		return nil, fmt.Errorf("npm pack left %d files, not one", len(files))
	}
	return os.ReadFile(files[0])
}

func read(tarball []byte) ([]example, error) {
	unzipped, err := gzip.NewReader(bytes.NewReader(tarball))
	if err != nil {
		return nil, err
	}
	var examples []example
	for files := tar.NewReader(unzipped); ; {
		file, err := files.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		if path.Base(file.Name) != "index.json" {
			continue
		}
		found, err := index(path.Base(path.Dir(file.Name)), files)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file.Name, err)
		}
		examples = append(examples, found...)
	}
	// The order in a tarball is nobody's promise.
	sort.SliceStable(examples, func(i, j int) bool { return examples[i].Server < examples[j].Server })
	return examples, nil
}

func index(server string, from io.Reader) ([]example, error) {
	var events []struct {
		Name     string            `json:"name"`
		Examples []json.RawMessage `json:"examples"`
	}
	if err := json.NewDecoder(from).Decode(&events); err != nil {
		return nil, err
	}
	var examples []example
	for _, event := range events {
		for n, payload := range event.Examples {
			var compact bytes.Buffer
			if err := json.Compact(&compact, payload); err != nil {
				return nil, fmt.Errorf("example %d of %s: %w", n, event.Name, err)
			}
			examples = append(examples, example{Server: server, Event: event.Name, Payload: compact.Bytes()})
		}
	}
	return examples, nil
}

// write leaves the time and the name out of the gzip header: the same package
// gives the same bytes.
func write(to string, examples []example) error {
	var packed bytes.Buffer
	zipped, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return err
	}
	encoder := json.NewEncoder(zipped)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(examples); err != nil {
		return err
	}
	if err := zipped.Close(); err != nil {
		return err
	}
	return os.WriteFile(to, packed.Bytes(), 0o644)
}

func report(examples []example) {
	payloads, events := map[string]int{}, map[string]bool{}
	for _, e := range examples {
		payloads[e.Server]++
		events[e.Event] = true
	}
	var servers []string
	for server := range payloads {
		servers = append(servers, fmt.Sprintf("%s %d", server, payloads[server]))
	}
	sort.Strings(servers)
	fmt.Printf("%d payloads of %d events: %s\n", len(examples), len(events), strings.Join(servers, ", "))
}
