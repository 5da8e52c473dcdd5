package statemachine

import "strings"

// Settings is a YAML file that a repository supplies beside or instead of a lifecycle file. It is read as those are: one
// document, bounded in bytes, depth and values before it is decoded; unknown and repeated settings are errors.
type Settings struct{ source *source }

// ReadSettings decodes a file. The name is used in messages only. Every error is a *FileError.
func ReadSettings(file string, text []byte, into any) (*Settings, error) {
	src, err := readSource(file, text)
	if err != nil {
		return nil, err
	}
	if err := src.decode(into); err != nil {
		return nil, err
	}
	return &Settings{src}, nil
}

// Problem complains of the value at a path of keys and indexes, or of the nearest above it that is there.
func (s *Settings) Problem(message string, path ...any) Problem {
	line, column := s.source.find(path...)
	return s.source.at(line, column, message)
}

// Positions returns the positions in a file that needs no bounds, because its reader wrote it; it may have anchors and tags. Where it is
// not YAML, everything is at its beginning.
func Positions(file string, text []byte) *Settings {
	s := &source{file: file, lines: strings.Split(lineEnds.Replace(string(text)), "\n")}
	if document, _, err := documentsIn(string(text)); err == nil && len(document.Content) > 0 {
		s.root = document.Content[0]
	}
	return &Settings{s}
}

// Explain lists what the strict decoder complained of when it decoded the file into a value: every unknown setting, or the first other
// mistake.
func (s *Settings) Explain(err error, into any) []Problem { return s.source.explain(err, into) }
