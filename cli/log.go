package cli

import (
	"io"
	"os"
	"time"

	"github.com/mattn/go-isatty"
	"github.com/rs/zerolog"

	"github.com/colony-app/colony/app/config"
)

// newLog expects settings that were validated.
func newLog(w io.Writer, settings config.LogConfig) zerolog.Logger {
	level, err := zerolog.ParseLevel(settings.Level)
	if err != nil {
		level = zerolog.InfoLevel
	}
	if settings.Format == "console" {
		w = zerolog.ConsoleWriter{Out: w, TimeFormat: time.TimeOnly, NoColor: !isTerminal(w)}
	}
	return zerolog.New(w).Level(level).With().Timestamp().Logger()
}

func isTerminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	return ok && isatty.IsTerminal(file.Fd())
}

// newConsole is a log for people that tells of trouble only.
func newConsole(w io.Writer) zerolog.Logger {
	return newLog(w, config.LogConfig{Level: zerolog.LevelWarnValue, Format: "console"})
}
