package config

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/goccy/go-yaml"
)

// readDurations reads durations as time.ParseDuration does, so that a bare 0 is one, too.
var readDurations = yaml.CustomUnmarshaler(func(d *time.Duration, text []byte) error {
	var value any
	if err := yaml.Unmarshal(text, &value); err != nil {
		return fmt.Errorf("read a duration: %w", err)
	}
	if value == nil { // the setting stands there without a value
		return nil
	}
	var err error
	if *d, err = time.ParseDuration(fmt.Sprint(value)); err != nil {
		return notDurationError{string(text)}
	}
	return nil
})

// notDurationError is a value, as written, where a duration belongs.
type notDurationError struct{ value string }

func (e notDurationError) Error() string {
	return fmt.Sprintf("%s is not a duration: write it like 500ms, 20s, 30m or 72h; only 0 needs no unit", strings.TrimSpace(e.value))
}

// where puts the setting and its place in the file before the error, as other errors of the file have it.
func (e notDurationError) where(file []byte) error {
	for _, t := range (Config{}).times() {
		path, err := yaml.PathString("$." + t.setting)
		if err != nil {
			continue
		}
		node, err := path.ReadNode(bytes.NewReader(file))
		if err != nil || node.String() != e.value {
			continue
		}
		at := node.GetToken().Position
		return fmt.Errorf("[%d:%d] %s: %w", at.Line, at.Column, t.setting, e)
	}
	return e
}

// readFile puts a file over the settings. Unknown settings are errors; every error names its line.
func readFile(text []byte, c *Config) error {
	err := yaml.UnmarshalWithOptions(text, c, yaml.Strict(), readDurations)
	if wrong, ok := errors.AsType[notDurationError](err); ok {
		return wrong.where(text)
	}
	if err != nil {
		return errors.New(yaml.FormatError(err, false, false))
	}
	return nil
}
