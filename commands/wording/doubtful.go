package wording

// Doubtful says that a command is not run because the page might hide it, in one line.
func Doubtful() string { return render("doubtful", nil) }
