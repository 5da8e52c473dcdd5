package lifecycle

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

// ReadOwn bounds a file that its reader wrote, as ReadSettings does, before another decoder reads Text. The file can be empty, and have
// anchors and tags. Every error is a *FileError.
func ReadOwn(file string, text []byte) (*Settings, error) {
	src, err := (&source{file: file, own: true}).bounded(text)
	if err != nil {
		return nil, err
	}
	return &Settings{src}, nil
}

// Text is the bounded file, with one kind of line end and no byte order mark: the positions are those of this text.
func (s *Settings) Text() []byte { return s.source.text }

// Explain lists what the strict decoder complained of when it decoded the file into a value: every unknown setting, or the first other
// mistake.
func (s *Settings) Explain(err error, into any) []Problem { return s.source.explain(err, into) }
