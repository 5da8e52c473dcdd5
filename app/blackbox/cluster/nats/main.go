//go:build cluster

// Command nats is nats-server as the module brings it, for tests that need a node in a process of its own: one that can
// be killed. It takes the path of a configuration file (https://docs.nats.io/running-a-nats-service/configuration).
package main

import (
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// startTime is for a node to listen; it reads back its files before.
const startTime = 30 * time.Second

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "nats:", err)
		os.Exit(1)
	}
}

func run() error {
	if len(os.Args) != 2 {
		return errors.New("usage: nats FILE")
	}
	options, err := server.ProcessConfigFile(os.Args[1])
	if err != nil {
		return fmt.Errorf("read the configuration: %w", err)
	}
	node, err := server.NewServer(options)
	if err != nil {
		return fmt.Errorf("set up the node: %w", err)
	}
	node.ConfigureLogger()
	node.Start() // SIGTERM and SIGINT end it
	if !node.ReadyForConnections(startTime) {
		return errors.New("the node does not start")
	}
	node.WaitForShutdown()
	return nil
}
