package app_test

import (
	"context"
	"time"
)

const hour = time.Hour

var ctx = context.Background()
