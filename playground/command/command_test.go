package command

import (
	"bytes"
	"strings"
	"testing"

	"github.com/colony-app/colony/golden"
)

func TestAnAddressThatIsNotOnThisMachineOnlyIsWarnedOf(t *testing.T) {
	for address, loopback := range map[string]bool{
		"127.0.0.1:7777": true, "127.8.8.8:1": true, "localhost:0": true, "[::1]:7777": true,
		":7777": false, "0.0.0.0:7777": false, "[::]:7777": false, "192.0.2.7:80": false, "nonsense": false,
	} {
		var said bytes.Buffer
		PrintReach(&said, address)
		if warned := strings.Contains(said.String(), "anyone who reaches that can act as anyone"); warned == loopback {
			t.Errorf("%s: %q", address, said.String())
		}
	}
}

func TestTheListHasEverythingAndStartsNothing(t *testing.T) {
	var printed bytes.Buffer
	if err := (&Flags{List: true, AppID: 7}).Serve(t.Context(), &printed, Guest{}); err != nil {
		t.Fatal(err)
	}
	golden.Hold(t, "testdata/list.txt", printed.String())
}
