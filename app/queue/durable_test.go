package queue

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jonboulle/clockwork"
)

func TestRestartKeepsWhatIsNotDone(t *testing.T) {
	dir := t.TempDir()
	clock := clockwork.NewFakeClock()
	o := Options{Dir: dir, Clock: clock, fixed: fixed{partitions: 2}}
	first := open(t, o)
	stop := start(t, first, func(_ context.Context, task Task) (*Requeue, error) {
		if task.ID == "delayed" {
			return &Requeue{After: time.Hour}, nil
		}
		return nil, nil
	})
	publish(t, first, Task{ID: "done", Issue: 1}, Task{ID: "delayed", Issue: 2})
	idle(t, first)
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	publish(t, first, Task{ID: "waiting", Issue: 1})
	closed(t, first)

	second := open(t, o)
	ran := make(chan string, 10)
	start(t, second, func(_ context.Context, task Task) (*Requeue, error) { ran <- task.ID; return nil, nil })
	for _, id := range []string{"done", "delayed", "waiting"} {
		if dup, err := second.Publish(t.Context(), Task{ID: id, Issue: 1}); err != nil || !dup {
			t.Errorf("%s is forgotten: %v, %v", id, dup, err)
		}
	}
	idle(t, second)
	clock.Advance(time.Hour)
	idle(t, second)
	if diff := cmp.Diff([]string{"waiting", "delayed"}, drained(ran)); diff != "" {
		t.Error(diff)
	}
}

// victim, set in the environment of a copy of the test binary, is the folder of a queue to be killed over.
const victim = "COLONY_QUEUE_TEST_VICTIM"

func TestMain(m *testing.M) {
	switch {
	case os.Getenv(victim) != "":
		beKilled(os.Getenv(victim))
	case os.Getenv(idler) != "":
		beIdle(os.Getenv(idler))
	default:
		os.Exit(m.Run())
	}
}

func beKilled(dir string) {
	check := func(err error) {
		if err != nil {
			fmt.Println("error", err)
			os.Exit(1)
		}
	}
	ctx := context.Background()
	q, err := Open(ctx, victimOptions(dir))
	check(err)
	for _, t := range []Task{{ID: "held", Issue: 2}, {ID: "a", Issue: 1}, {ID: "b", Issue: 1}, {ID: "c", Issue: 1}} {
		_, err := q.Publish(ctx, t)
		check(err)
	}
	check(q.Run(ctx, func(_ context.Context, task Task) (*Requeue, error) {
		if task.ID == "held" {
			return &Requeue{After: time.Minute, Gate: "limit", Hold: true}, nil
		}
		for held := false; task.ID == "b" && !held; <-time.After(time.Millisecond) { // until it is, so that the kill comes after
			held = len(q.Delays()) > 0
		}
		fmt.Println("began", task.ID)
		if task.ID == "b" {
			select {} // until the kill
		}
		return nil, nil
	}))
}

func victimOptions(dir string) Options {
	return Options{Dir: dir, fixed: fixed{partitions: 1, lease: 2 * time.Second}}
}

func TestKilledProcessLosesNothing(t *testing.T) {
	dir := t.TempDir()
	child := exec.CommandContext(t.Context(), os.Args[0])
	child.Env = append(os.Environ(), victim+"="+dir)
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	var said []string
	for lines := bufio.NewScanner(out); lines.Scan(); {
		said = append(said, lines.Text())
		if lines.Text() == "began b" {
			break
		}
	}
	if err := child.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = child.Wait() // it was killed
	if diff := cmp.Diff([]string{"began a", "began b"}, slices.Compact(said)); diff != "" {
		t.Fatal(diff)
	}

	q := open(t, victimOptions(dir))
	ran := make(chan string, 10)
	start(t, q, func(_ context.Context, task Task) (*Requeue, error) { ran <- task.ID; return nil, nil })
	for _, id := range []string{"a", "b", "c"} {
		if dup, err := q.Publish(t.Context(), Task{ID: id, Issue: 1}); err != nil || !dup {
			t.Errorf("%s is forgotten: %v, %v", id, dup, err)
		}
	}
	idle(t, q)
	got := slices.Compact(drained(ran)) // what takes longer than a lease comes again
	held := slices.Index(got, "held")
	if held < 0 {
		t.Fatalf("what was held is lost: %v ran", got)
	}
	got = slices.Compact(slices.Delete(got, held, held+1))
	if len(got) > 0 && got[0] == "a" {
		got = got[1:] // its acknowledgement was less than 100 ms old
	}
	if diff := cmp.Diff([]string{"b", "c"}, got); diff != "" {
		t.Errorf("after the kill (-want +ran):\n%s", diff)
	}
}

func TestTaskThatKillsItsWorkersIsAFailure(t *testing.T) {
	clock := clockwork.NewFakeClock()
	q := open(t, Options{Clock: clock, fixed: fixed{lease: 100 * time.Millisecond, window: 1, attempts: 1}})
	publish(t, q, Task{ID: "deadly"}, Task{ID: "behind"})
	for range maxAbandoned { // workers that take it and never return
		if _, err := q.workers[0].Next(); err != nil {
			t.Fatal(err)
		}
	}
	ran := make(chan string, 10)
	start(t, q, func(_ context.Context, task Task) (*Requeue, error) { ran <- task.ID; return nil, nil })
	idle(t, q)
	if diff := cmp.Diff([]string{"behind"}, slices.Compact(drained(ran))); diff != "" { // what takes longer than a lease comes again
		t.Error(diff)
	}
	if dead, err := q.DeadLetters(t.Context()); err != nil || len(dead) != 1 || dead[0].Error != errAbandoned.Error() {
		t.Errorf("dead letters %+v, %v", dead, err)
	}
}

func TestFullQueueSaysSo(t *testing.T) {
	q := open(t, Options{MaxBytes: minBytes})
	body := make([]byte, 10<<10)
	var n int
	var err error
	for n = 0; err == nil && n < 20; n++ {
		_, err = q.Publish(t.Context(), Task{ID: fmt.Sprint(n), Body: body})
	}
	if !errors.Is(err, ErrFull) || !strings.Contains(err.Error(), "queue.max_bytes") {
		t.Fatalf("after %d: %v", n, err)
	}
	if dup, err := q.Publish(t.Context(), Task{ID: "0", Body: body}); err != nil || !dup {
		t.Errorf("what was accepted is a duplicate in a full queue too: %v, %v", dup, err)
	}
	ran := make(chan string, 20)
	start(t, q, func(_ context.Context, task Task) (*Requeue, error) { ran <- task.ID; return nil, nil })
	idle(t, q)
	if len(ran) != n-1 {
		t.Errorf("%d ran of %d accepted", len(ran), n-1)
	}
}

// idler, set in the environment of a copy of the test binary, is the folder of a queue that only waits.
const idler = "COLONY_QUEUE_TEST_IDLER"

type footprint struct {
	Ready  time.Duration
	Memory string
}

func beIdle(dir string) {
	began := time.Now()
	q, err := Open(context.Background(), Options{Dir: dir})
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	ready := time.Since(began)
	go func() {
		_ = q.Run(context.Background(), func(context.Context, Task) (*Requeue, error) { return nil, nil })
	}()
	for i := range 100 {
		if _, err := q.Publish(context.Background(), Task{ID: fmt.Sprint(i), Issue: i}); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
	}
	if err := q.Idle(context.Background()); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	status, _ := os.ReadFile("/proc/self/status") // elsewhere than on Linux nothing is known
	var memory string
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			memory = strings.TrimSpace(rest)
		}
	}
	_ = json.NewEncoder(os.Stdout).Encode(footprint{ready, memory})
	os.Exit(0)
}

// TestFootprint measures a process that holds nothing but the queue. It asserts no times or sizes: they are the machine's.
func TestFootprint(t *testing.T) {
	child := exec.CommandContext(t.Context(), os.Args[0])
	child.Env = append(os.Environ(), idler+"="+t.TempDir())
	out, err := child.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var f footprint
	if err := json.Unmarshal(out, &f); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Logf("open after %v; resident after 100 tasks: %s", f.Ready, f.Memory)
}
