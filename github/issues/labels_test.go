package issues

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/jonboulle/clockwork"

	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// The table of the conversations below: two states and the mark that holds the stamp.
func twoStates() Table {
	return Table{
		Fingerprint: "abcd",
		Marks: []lifecycle.Mark{
			{Label: "colony:new", Color: "0e8a16", Description: "Not begun"},
			{Label: lifecycle.Forced, Color: "d93f0b", Description: "Round the table."},
			{Label: "colony:done", Color: "5319e7", Description: "Ready"},
		},
		Adopts: []lifecycle.Adoption{{From: "triage", To: "colony:new"}, {From: "inbox", To: "colony:new"}},
	}
}

const (
	readLabels = "> GET repos/acme/widgets/labels?page=1&per_page=100\n"
	isNew      = `{"name":"Colony:New","color":"0E8A16","description":"Not begun"}`
	isDone     = `{"name":"colony:done","color":"5319e7","description":"Ready"}`
	makesDone  = `> POST repos/acme/widgets/labels {"color":"5319e7","description":"Ready","name":"colony:done"}` + "\n"
	makesNew   = `> POST repos/acme/widgets/labels {"color":"0e8a16","description":"Not begun","name":"colony:new"}` + "\n"
)

// forced is the mark as GitHub tells it, with a stamp.
func forced(since, as, labels string) string {
	return fmt.Sprintf(`{"name":"colony:forced","color":"d93f0b","description":"Round the table. Here since 2026-03-%sZ; rules %s since 2026-03-%sZ."}`, since, as, labels)
}

// stamps is the write of the stamp on the mark that is there.
func stamps(since, labels string) string {
	return fmt.Sprintf("> PATCH repos/acme/widgets/labels/colony:forced {\"description\":\"Round the table. Here since 2026-03-%sZ; rules abcd since 2026-03-%sZ.\"}\n< 200 {}\n", since, labels)
}

const (
	now       = "02T12:00:00"
	next      = "02T12:00:01"
	yesterday = "01T12:00:00"
	tomorrow  = "03T12:00:00"
	unstamped = `{"name":"colony:forced","color":"d93f0b","description":"Round the table."}`
)

func times(commands, labels string) Epoch {
	read := func(text string) time.Time {
		is, err := time.Parse("2006-01-02T15:04:05", "2026-03-"+text)
		if err != nil {
			panic(err)
		}
		return is
	}
	return Epoch{Commands: read(commands), Labels: read(labels)}
}

// What the stamp says decides from when on changes count, and what is written of it.
func TestTheStampOfARepository(t *testing.T) {
	for name, row := range map[string]struct {
		mark  string // as it is there
		sure  bool
		want  Epoch
		write string
		other bool // it was provisioned for another table
	}{
		"none":                           {unstamped, false, times(now, now), stamps(now, now), false},
		"of this table":                  {forced(yesterday, "abcd", now), false, times(yesterday, now), "", false},
		"of another table":               {forced(yesterday, "efgh", yesterday), false, Epoch{}, "", true},
		"of another table, surely":       {forced(yesterday, "efgh", yesterday), true, times(yesterday, next), stamps(yesterday, next), false},
		"of none":                        {forced(yesterday, noTable, yesterday), false, Epoch{}, "", true},
		"of none, surely":                {forced(yesterday, noTable, yesterday), true, times(now, now), stamps(now, now), false},
		"ahead":                          {forced(tomorrow, "abcd", tomorrow), false, times(now, now), stamps(now, now), false},
		"ahead by its labels":            {forced(yesterday, "efgh", tomorrow), false, times(now, now), stamps(now, now), false},
		"as far ahead as clocks differ":  {forced("02T12:01:00", "abcd", "02T12:01:00"), false, times("02T12:01:00", "02T12:01:00"), "", false},
		"ahead by more than clocks do":   {forced("02T12:01:01", "abcd", "02T12:01:01"), false, times(now, now), stamps(now, now), false},
		"of a Colony that knew one form": {`{"name":"colony:forced","color":"d93f0b","description":"Round the table. Labels judged since 2026-03-01T12:00:00Z."}`, false, times(yesterday, yesterday), stamps(yesterday, yesterday), false},
	} {
		t.Run(name, func(t *testing.T) {
			script := readLabels + "< 200 [" + isNew + "," + row.mark + "," + isDone + "]\n" + row.write
			holds(t, script, func(s *Store, clock *clockwork.FakeClock) {
				l := NewLabelProvisioner(s, clock)
				got, err := l.JudgedSince(t.Context(), widgets, "abcd", twoStates, row.sure)
				if errors.Is(err, ErrOtherTable) != row.other {
					t.Errorf("another table: %v", err)
				}
				if row.other {
					err = nil
				}
				says(t, row.want, got, err, "")
			})
		})
	}
}

// A stamp is trusted for an hour, or until a webhook makes it be read again.
func TestTheStampIsReadAgain(t *testing.T) {
	read := readLabels + "< 200 [" + isNew + "," + forced(yesterday, "abcd", yesterday) + "," + isDone + "]\n"
	other := readLabels + "< 200 [" + isNew + "," + forced(yesterday, "efgh", now) + "," + isDone + "]\n"
	holds(t, read+read+read+other, func(s *Store, clock *clockwork.FakeClock) {
		l := NewLabelProvisioner(s, clock)
		judged := func(fingerprint string) {
			t.Helper()
			table := twoStates()
			table.Fingerprint = fingerprint
			got, err := l.JudgedSince(t.Context(), widgets, fingerprint, func() Table { return table }, false)
			want := times(yesterday, yesterday)
			if fingerprint == "efgh" {
				want = times(yesterday, now)
			}
			says(t, want, got, err, "")
		}
		judged("abcd")
		clock.Advance(provisionedFor - time.Second)
		judged("abcd")
		clock.Advance(time.Second)
		judged("abcd")
		l.Forget(widgets)
		judged("abcd")
		judged("efgh") // another table than the one that was read last
		judged("efgh")
	})
}

// What somebody does to the stamp between two readings is reported, with what counted and what counts now.
func TestWhoAlteredTheStamp(t *testing.T) {
	for name, row := range map[string]struct {
		then, fingerprint string
		writes            string
		want              string
	}{
		"nothing":         {forced(yesterday, "abcd", yesterday), "abcd", "", ""},
		"moved":           {forced("01T00:00:00", "abcd", yesterday), "abcd", "", fmt.Sprint(StampMoved, times(yesterday, yesterday), times("01T00:00:00", yesterday))},
		"labels moved":    {forced(yesterday, "abcd", "01T00:00:00"), "abcd", "", fmt.Sprint(StampMoved, times(yesterday, yesterday), times(yesterday, "01T00:00:00"))},
		"lost":            {unstamped, "abcd", stamps(now, now), fmt.Sprint(StampLost, times(yesterday, yesterday), times(now, now))},
		"ahead":           {forced(tomorrow, "abcd", tomorrow), "abcd", stamps(now, now), fmt.Sprint(StampAhead, times(yesterday, yesterday), times(now, now))},
		"by its own mode": {forced(yesterday, noTable, now), "abcd", stamps(now, now), ""},
		"by a table":      {forced(yesterday, "efgh", now), "abcd", stamps(yesterday, next), ""},
		"by a table, and moved": {
			forced("01T00:00:00", "efgh", now), "abcd", stamps("01T00:00:00", next),
			fmt.Sprint(StampMoved, times(yesterday, yesterday), times("01T00:00:00", next)),
		},
	} {
		t.Run(name, func(t *testing.T) {
			read := func(mark string) string { return readLabels + "< 200 [" + isNew + "," + mark + "," + isDone + "]\n" }
			holds(t, read(forced(yesterday, "abcd", yesterday))+read(row.then)+row.writes, func(s *Store, clock *clockwork.FakeClock) {
				l := NewLabelProvisioner(s, clock)
				got := ""
				l.Altered = func(repo Repository, how Alteration, was, is Epoch) {
					says(t, widgets, repo, nil, "")
					got = fmt.Sprint(how, was, is)
				}
				says(t, any(nil), nil, l.Provision(t.Context(), widgets, twoStates(), true), "")
				says(t, any(nil), nil, l.Provision(t.Context(), widgets, twoStates(), true), "")
				says(t, row.want, got, nil, "")
			})
		})
	}
	// A first reading cannot tell that it was moved, only that it is ahead.
	holds(t, readLabels+"< 200 ["+isNew+","+isDone+","+forced(tomorrow, "abcd", tomorrow)+"]\n"+stamps(now, now), func(s *Store, clock *clockwork.FakeClock) {
		l := NewLabelProvisioner(s, clock)
		got := ""
		l.Altered = func(_ Repository, how Alteration, was, is Epoch) { got = fmt.Sprint(how, was, is) }
		says(t, any(nil), nil, l.Provision(t.Context(), widgets, twoStates(), true), "")
		says(t, fmt.Sprint(StampAhead, times(tomorrow, tomorrow), times(now, now)), got, nil, "")
	})
}

const stamped = `{"name":"colony:forced","color":"d93f0b","description":"Round the table. Here since 2026-03-01T12:00:00Z; rules abcd since 2026-03-01T12:00:00Z."}`

// Labels are made, repaired and renamed until they are as the table wants them.
func TestProvisionsLabels(t *testing.T) {
	for name, row := range map[string]struct {
		have, writes, wrong string
	}{
		"all there":   {isNew + "," + stamped + "," + isDone, "", ""},
		"one missing": {isNew + "," + stamped, makesDone + "< 201 {}", ""},
		"none there":  {"", makesForced + "< 201 {}\n" + makesNew + "< 201 {}\n" + makesDone + "< 201 {}", ""},
		"another color": {
			isNew + "," + stamped + `,{"name":"Colony:Done","color":"ffffff","description":"Ready"}`,
			`> PATCH repos/acme/widgets/labels/Colony:Done {"color":"5319e7"}` + "\n< 200 {}", "",
		},
		"another description": {
			isNew + "," + stamped + `,{"name":"colony:done","color":"5319e7"}`,
			`> PATCH repos/acme/widgets/labels/colony:done {"description":"Ready"}` + "\n< 403 {}", "repair label colony:done in acme/widgets",
		},
		"somebody was faster": {isNew + "," + stamped, makesDone + `< 422 {"errors":[{"resource":"Label","code":"already_exists"}]}`, ""},
		"somebody was faster, on a server that does not say so": {
			isNew + "," + stamped, makesDone + "< 422 {}\n> GET repos/acme/widgets/labels/colony:done\n< 200 {}", "",
		},
		"refused": {
			isNew + "," + stamped, makesDone + `< 422 {"errors":[{"code":"invalid"}]}` + "\n> GET repos/acme/widgets/labels/colony:done\n< 404 {}", "create label colony:done in acme/widgets",
		},
		"forbidden":               {isNew + "," + stamped, makesDone + "< 403 {}", "create label colony:done in acme/widgets"},
		"the mark cannot be made": {isNew + "," + isDone, makesForced + "< 403 {}", "create label colony:forced in acme/widgets"},
		"under another name": {
			`{"name":"Triage"},` + stamped + "," + isDone,
			`> PATCH repos/acme/widgets/labels/Triage {"color":"0e8a16","description":"Not begun","new_name":"colony:new"}` + "\n< 200 {}", "",
		},
		"under another name, which is gone": {
			`{"name":"inbox"},` + stamped + "," + isDone,
			`> PATCH repos/acme/widgets/labels/inbox {"color":"0e8a16","description":"Not begun","new_name":"colony:new"}` + "\n< 404 {}\n" + makesNew + "< 201 {}", "",
		},
		"under another name, which cannot be changed": {
			`{"name":"inbox"},` + stamped + "," + isDone,
			`> PATCH repos/acme/widgets/labels/inbox {"color":"0e8a16","description":"Not begun","new_name":"colony:new"}` + "\n< 403 {}", "rename label inbox of acme/widgets to colony:new",
		},
		"under both names": {`{"name":"inbox"},` + isNew + "," + stamped + "," + isDone, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			holds(t, readLabels+"< 200 ["+row.have+"]\n"+row.writes, func(s *Store, clock *clockwork.FakeClock) {
				says(t, any(nil), nil, NewLabelProvisioner(s, clock).Provision(t.Context(), widgets, twoStates(), false), row.wrong)
			})
		})
	}
	holds(t, readLabels+"< 200 next ["+isNew+","+stamped+"]\n> GET repos/acme/widgets/labels?page=2&per_page=100\n< 200 ["+isDone+"]", func(s *Store, clock *clockwork.FakeClock) {
		says(t, any(nil), nil, NewLabelProvisioner(s, clock).Provision(t.Context(), widgets, twoStates(), false), "")
	})
	holds(t, readLabels+"< 404 {}", func(s *Store, clock *clockwork.FakeClock) {
		err := NewLabelProvisioner(s, clock).Provision(t.Context(), widgets, twoStates(), false)
		says(t, true, IsGone(err), err, "list the labels of acme/widgets")
	})
}

const makesForced = `> POST repos/acme/widgets/labels {"color":"d93f0b","description":"Round the table. Here since 2026-03-02T12:00:00Z; rules abcd since 2026-03-02T12:00:00Z.","name":"colony:forced"}` + "\n"

// Somebody is asked once to bring the labels in order; an issue waits only for the label that is put on it.
func TestLabelsThatAreAmiss(t *testing.T) {
	holds(t, readLabels+"< 200 ["+stamped+`,{"name":"colony:done"}]`+"\n"+makesNew+"< 201 {}", func(s *Store, clock *clockwork.FakeClock) {
		l := NewLabelProvisioner(s, clock)
		asked, answers := 0, []bool{false, true, true}
		l.Incomplete = func(_ context.Context, repo Repository) (bool, error) {
			says(t, widgets, repo, nil, "")
			asked++
			if asked == 1 {
				return false, errors.New("the queue is closed")
			}
			return answers[asked-2], nil
		}
		judged := func(wrong string) {
			_, err := l.JudgedSince(t.Context(), widgets, "abcd", twoStates, false)
			says(t, any(nil), nil, err, wrong)
		}
		ensure := func(labels ...string) { says(t, any(nil), nil, l.Ensure(t.Context(), widgets, labels), "") }
		judged("the queue is closed")
		judged("")
		judged("")
		judged("")
		says(t, 3, asked, nil, "")
		ensure("colony:done") // it is there, though it looks otherwise
		ensure("bug")
		ensure("colony:NEW", "bug")
		ensure("colony:new") // it is there now
	})
	holds(t, "", func(s *Store, clock *clockwork.FakeClock) { // nothing is known
		says(t, any(nil), nil, NewLabelProvisioner(s, clock).Ensure(t.Context(), widgets, []string{"colony:new"}), "")
	})
}

// Where nobody asked for the labels, each waits until it is needed, but for those that people ask with.
func TestLabelsThatWait(t *testing.T) {
	lazy := twoStates()
	lazy.Lazy, lazy.Asking = true, []string{"colony:done"}
	holds(t, readLabels+"< 200 ["+stamped+"]\n"+makesDone+"< 201 {}\n"+makesNew+"< 201 {}", func(s *Store, clock *clockwork.FakeClock) {
		l := NewLabelProvisioner(s, clock)
		says(t, any(nil), nil, l.Provision(t.Context(), widgets, lazy, false), "")
		asked := false
		l.Incomplete = func(context.Context, Repository) (bool, error) { asked = true; return true, nil }
		_, err := l.JudgedSince(t.Context(), widgets, "abcd", func() Table { return lazy }, false)
		says(t, false, asked, err, "")
		says(t, any(nil), nil, l.Ensure(t.Context(), widgets, []string{"colony:new"}), "")
	})
}

// A label of the table that somebody renamed gets its name back, if it still looks as it did.
func TestALabelGetsItsNameBack(t *testing.T) {
	plain := lifecycle.Mark{Label: "plain", Color: "00ff00"}
	for name, row := range map[string]struct {
		from, is, then, wrong string
	}{
		"as it looked":              {"colony:done", `200 {"name":"finished","color":"ffffff","description":"Ready"}`, `{"new_name":"colony:done"}` + "\n< 200 {}", ""},
		"with another description":  {"colony:done", `200 {"name":"finished","color":"5319e7","description":"Mine"}`, "", ""},
		"the mark with its stamp":   {lifecycle.Forced, `200 {"name":"finished","description":"Round the table. Here since."}`, `{"new_name":"colony:forced"}` + "\n< 200 {}", ""},
		"the mark, described anew":  {lifecycle.Forced, `200 {"name":"finished","description":"Here since"}`, "", ""},
		"without a description":     {"plain", `200 {"name":"finished","color":"00FF00"}`, `{"new_name":"plain"}` + "\n< 404 {}", ""},
		"without, of another color": {"plain", `200 {"name":"finished","color":"ffffff"}`, "", ""},
		"described since":           {"plain", `200 {"name":"finished","color":"00ff00","description":"Mine"}`, "", ""},
		"gone":                      {"colony:done", "404 {}", "", ""},
		"unreadable":                {"colony:done", "502", "", "read label finished of acme/widgets"},
		"taken meanwhile":           {"colony:done", `200 {"description":"Ready"}`, `{"new_name":"colony:done"}` + "\n< 422 {}", ""},
		"forbidden":                 {"colony:done", `200 {"description":"Ready"}`, `{"new_name":"colony:done"}` + "\n< 403 {}", "rename label finished of acme/widgets to colony:done"},
		"none of the table":         {"bug", "", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			script := ""
			if row.is != "" {
				script = "> GET repos/acme/widgets/labels/finished\n< " + row.is
			}
			if row.then != "" {
				script += "\n> PATCH repos/acme/widgets/labels/finished " + row.then
			}
			holds(t, script, func(s *Store, clock *clockwork.FakeClock) {
				table := twoStates()
				table.Marks = append(table.Marks, plain)
				l := NewLabelProvisioner(s, clock)
				says(t, any(nil), nil, l.Rename(t.Context(), widgets, table, row.from, "finished"), row.wrong)
				says(t, any(nil), nil, l.Rename(t.Context(), widgets, table, row.from, row.from), "")
			})
		})
	}
}

// What a repository has, compared with a table; nothing is written.
func TestExaminesLabels(t *testing.T) {
	have := `{"name":"triage","color":"111111"},{"name":"inbox"},{"name":"colony:zeta","description":"x"},{"name":"Colony:Alpha","color":"222222"},{"name":"bug"},{"name":"started"}`
	label := func(name, color, description string) lifecycle.Mark {
		return lifecycle.Mark{Label: name, Color: color, Description: description}
	}
	table := twoStates()
	for name, row := range map[string]struct {
		have  string
		want  LabelSet
		since Epoch
	}{
		"as it should be": {isNew + "," + stamped + "," + isDone, LabelSet{
			There:  []lifecycle.Mark{label("Colony:New", "0E8A16", "Not begun"), label("colony:forced", "d93f0b", stampOf(yesterday, "abcd")), label("colony:done", "5319e7", "Ready")},
			Judged: JudgedByTable,
		}, times(yesterday, yesterday)},
		"of no use yet": {have, LabelSet{
			Missing:  []lifecycle.Mark{table.Marks[1], table.Marks[2]},
			Adopted:  []Adopted{{Is: label("triage", "111111", ""), Want: table.Marks[0]}, {Is: label("inbox", "", ""), Want: table.Marks[0], Both: true}},
			LeftOver: []LeftOver{{label("Colony:Alpha", "222222", ""), false}, {label("colony:zeta", "", "x"), false}, {label("started", "", ""), false}},
		}, Epoch{}},
		"of another table": {forced(yesterday, "efgh", yesterday) + "," + isDone + `,{"name":"colony:new","color":"0e8a16"},{"name":"inbox"}` + `,{"name":"colony:old","description":" Labels judged since 2026-03-01T12:00:00Z."}`, LabelSet{
			There:     []lifecycle.Mark{label("colony:forced", "d93f0b", stampOf(yesterday, "efgh")), table.Marks[2]},
			Differing: []Differing{{label("colony:new", "0e8a16", ""), table.Marks[0]}},
			Adopted:   []Adopted{{label("inbox", "", ""), table.Marks[0], true}},
			LeftOver:  []LeftOver{{label("colony:old", "", " Labels judged since 2026-03-01T12:00:00Z."), true}},
			Judged:    JudgedByOther,
		}, times(yesterday, yesterday)},
		"of no table": {forced(yesterday, noTable, yesterday) + "," + isNew + "," + isDone, LabelSet{
			There: []lifecycle.Mark{label("Colony:New", "0E8A16", "Not begun"), label("colony:forced", "d93f0b", stampOf(yesterday, noTable)), label("colony:done", "5319e7", "Ready")},
		}, times(yesterday, yesterday)},
		"ahead": {forced(tomorrow, "abcd", tomorrow) + "," + isNew + "," + isDone, LabelSet{
			There: []lifecycle.Mark{label("Colony:New", "0E8A16", "Not begun"), label("colony:forced", "d93f0b", stampOf(tomorrow, "abcd")), label("colony:done", "5319e7", "Ready")},
		}, times(tomorrow, tomorrow)},
	} {
		t.Run(name, func(t *testing.T) {
			holds(t, readLabels+"< 200 ["+row.have+"]\n"+readLabels+"< 200 ["+row.have+"]", func(s *Store, clock *clockwork.FakeClock) {
				l := NewLabelProvisioner(s, clock)
				former := []lifecycle.Mark{{Label: "started"}, {Label: "colony:new"}, {Label: "colony:done"}}
				got, err := l.Examine(t.Context(), widgets, table, former)
				says(t, row.want, got, err, "")
				since, known, err := l.Known(t.Context(), widgets, table)
				says(t, row.since, since, err, "")
				says(t, row.want.Judged == JudgedByTable, known, nil, "")
			})
		})
	}
}

func stampOf(since, as string) string {
	return fmt.Sprintf("Round the table. Here since 2026-03-%sZ; rules %s since 2026-03-%sZ.", since, as, since)
}

// Single labels, for a person who goes through the list of what differs.
func TestSingleLabels(t *testing.T) {
	done := twoStates().Marks[2]
	of := func(s *Store) *LabelProvisioner { return NewLabelProvisioner(s, s.Clock) }
	repaired := func(color, description string, want lifecycle.Mark) func(s *Store) (any, error) {
		return func(s *Store) (any, error) {
			return nil, of(s).Repair(t.Context(), widgets, Differing{lifecycle.Mark{Label: "a/b", Color: color, Description: description}, want})
		}
	}
	deleted := func(s *Store) (any, error) { return nil, of(s).Delete(t.Context(), widgets, "a b") }
	adopts := func(s *Store) (any, error) {
		return of(s).Adopt(t.Context(), widgets, Adopted{Is: lifecycle.Mark{Label: "old"}, Want: done})
	}
	const renames = `> PATCH repos/acme/widgets/labels/old {"color":"5319e7","description":"Ready","new_name":"colony:done"}` + "\n"
	exchanges(t, map[string]exchange{
		"made":                   {makesDone + "< 201 {}", func(s *Store) (any, error) { return nil, of(s).Create(t.Context(), widgets, done) }, nil, ""},
		"of another color":       {`> PATCH repos/acme/widgets/labels/a/b {"color":"5319e7"}` + "\n< 200 {}", repaired("ffffff", "Ready", done), nil, ""},
		"of another description": {`> PATCH repos/acme/widgets/labels/a/b {"description":"Ready"}` + "\n< 200 {}", repaired("5319E7", "", done), nil, ""},
		"not repaired":           {`> PATCH repos/acme/widgets/labels/a/b {"color":"5319e7"}` + "\n< 403 {}", repaired("ffffff", "Ready", done), nil, "repair label a/b in acme/widgets"},
		"the mark keeps its text": {
			readLabels + "< 200 [" + strings.Replace(forced(now, "abcd", now), "d93f0b", "ffffff", 1) + "]\n" + `> PATCH repos/acme/widgets/labels/colony:forced {"color":"d93f0b"}` + "\n< 200 {}",
			func(s *Store) (any, error) {
				set, err := of(s).Examine(t.Context(), widgets, twoStates(), nil)
				says(t, 1, len(set.Differing), err, "")
				says(t, set.Differing[0].Is.Description, set.Differing[0].Want.Description, nil, "")
				return nil, of(s).Repair(t.Context(), widgets, set.Differing[0])
			}, nil, "",
		},
		"deleted":            {"> DELETE repos/acme/widgets/labels/a b\n< 204", deleted, nil, ""},
		"gone already":       {"> DELETE repos/acme/widgets/labels/a b\n< 404 {}", deleted, nil, ""},
		"not deleted":        {"> DELETE repos/acme/widgets/labels/a b\n< 403 {}", deleted, nil, "delete label a b of acme/widgets"},
		"adopted":            {renames + "< 200 {}", adopts, true, ""},
		"adopted, but gone":  {renames + "< 404 {}", adopts, false, ""},
		"adopted, but taken": {renames + "< 422 {}", adopts, false, ""},
		"not adopted":        {renames + "< 403 {}", adopts, false, "rename label old of acme/widgets to colony:done"},
	})
}

// Where nothing is written, the stamp is ended, and only by who is sure. It is looked at again after an hour: another process can have made
// one.
func TestWatches(t *testing.T) {
	watched := func(sure bool) func(s *Store) (any, error) {
		return func(s *Store) (any, error) {
			return NewLabelProvisioner(s, s.Clock).WatchedSince(t.Context(), widgets, "abcd", sure)
		}
	}
	const ends = `> PATCH repos/acme/widgets/labels/colony:forced {"description":"Round the table. Here since 2026-03-01T12:00:00Z; rules none since 2026-03-02T12:00:00Z."}` + "\n"
	have := func(mark string) string { return readLabels + "< 200 [" + isNew + "," + mark + "]\n" }
	exchanges(t, map[string]exchange{
		"no stamp":         {have(unstamped), watched(false), times(now, now), ""},
		"of no table":      {have(forced(yesterday, noTable, yesterday)), watched(false), times(now, now), ""},
		"ahead":            {have(forced(tomorrow, "abcd", tomorrow)), watched(false), times(now, now), ""},
		"a stamp":          {have(stamped), watched(false), Epoch{}, "watch acme/widgets: the repository was provisioned for another table"},
		"a stamp, surely":  {have(stamped) + ends + "< 200 {}", watched(true), times(now, now), ""},
		"it cannot be set": {have(stamped) + ends + "< 403 {}", watched(true), Epoch{}, "say in label colony:forced of acme/widgets"},
		"no labels":        {readLabels + "< 502", watched(true), Epoch{}, "list the labels of acme/widgets"},
		"left alone": {have(stamped) + ends + "< 200 {}", func(s *Store) (any, error) {
			l := NewLabelProvisioner(s, s.Clock)
			return nil, errors.Join(l.Leave(t.Context(), widgets), l.Leave(t.Context(), widgets))
		}, nil, ""},
	})
	read := have(stamped + "," + isDone)
	none := have(forced(yesterday, noTable, now) + "," + isDone)
	again := have(forced(yesterday, "abcd", now)+","+isDone) + strings.Replace(ends, "none since 2026-03-02T12", "none since 2026-03-02T13", 1) + "< 200 {}\n"
	holds(t, read+ends+"< 200 {}\n"+again+none+stamps(now, now), func(s *Store, clock *clockwork.FakeClock) {
		l := NewLabelProvisioner(s, clock)
		watched := func(fingerprint string, want Epoch) {
			t.Helper()
			got, err := l.WatchedSince(t.Context(), widgets, fingerprint, true)
			says(t, want, got, err, "")
		}
		watched("abcd", times(now, now))
		clock.Advance(time.Hour - time.Second)
		watched("abcd", times(now, now))
		clock.Advance(time.Second)
		watched("abcd", times(now, now))
		watched("efgh", times("02T13:00:00", "02T13:00:00")) // by another table since now
		clock.Advance(-time.Hour)
		got, err := l.JudgedSince(t.Context(), widgets, "abcd", twoStates, true) // it is enforced again
		says(t, times(now, now), got, err, "")
	})
	says(t, []bool{false, true}, []bool{IsExempt(t.Context()), IsExempt(Exempt(t.Context()))}, nil, "")
}

// By which labels a state is asked for.
func TestNamesOfAState(t *testing.T) {
	life := adopting(t)
	holds(t, readLabels+"< 200 ["+stamped+`,{"name":"inbox"}]`+"\n"+
		`> PATCH repos/acme/widgets/labels/inbox {"color":"0e8a16","description":"Not begun","new_name":"colony:new"}`+"\n< 200 {}\n"+makesDone+"< 201 {}", func(s *Store, clock *clockwork.FakeClock) {
		l := NewLabelProvisioner(s, clock)
		names := func(want ...string) {
			t.Helper()
			says(t, want, l.NamesOf(widgets, life, "planned"), nil, "")
		}
		says(t, []string{"colony:complete"}, l.NamesOf(widgets, life, "complete"), nil, "")
		names("colony:planned", "triage", "inbox") // nothing is known yet
		_, err := l.JudgedSince(t.Context(), widgets, "abcd", twoStates, false)
		says(t, any(nil), nil, err, "")
		names("colony:planned", "inbox")
		says(t, any(nil), nil, l.Ensure(t.Context(), widgets, []string{"colony:new", "colony:done"}), "")
		names("colony:planned")
		l.Forget(widgets)
		names("colony:planned", "triage", "inbox")
	})
}

// adopting is a lifecycle one of whose labels had other names.
func adopting(t *testing.T) *statemachine.Table {
	t.Helper()
	text, err := lifecycle.ShippedFile("prp")
	if err != nil {
		t.Fatal(err)
	}
	life, err := lifecycle.Parse("prp", []byte(strings.Replace(string(text), "label: colony:planned", "label: colony:planned\n    previously: [triage, inbox]", 1)))
	if err != nil {
		t.Fatal(err)
	}
	return statemachine.New(life, statemachine.Options{})
}
