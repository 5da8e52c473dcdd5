package lifecycle

// Settings is a YAML file that a repository supplies in addition to a lifecycle file or instead of it. It is read as those are: one document, bounded
// in bytes, depth and values before it is decoded; unknown and repeated settings are errors.
type Settings struct{ source *source }

// ReadSettings decodes a file. The name is used in messages only. Every error is a *FileError.
func ReadSettings(file string, text []byte, into any) (*Settings, error) {
	return read(&source{file: file}, text, into)
}

// Problem complains of the value at a path of keys and indexes, or of the nearest above it that is there.
func (s *Settings) Problem(message string, path ...any) Problem {
	n := place{node: s.source.root}.in(path...).node
	return s.source.at(n.Line, n.Column, message)
}

// ReadOwn is ReadSettings for a file that its reader wrote, which can be empty, and have anchors and tags.
func ReadOwn(file string, text []byte, into any) (*Settings, error) {
	return read(&source{file: file, own: true}, text, into)
}

func read(s *source, text []byte, into any) (*Settings, error) {
	src, err := s.bounded(text)
	if err != nil {
		return nil, err
	}
	if err := src.decode(into); err != nil {
		return nil, err
	}
	return &Settings{src}, nil
}
